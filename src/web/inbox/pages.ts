/** All pages of the inbox. */
import { actionPages } from './actions.js'
import { appealPage } from './appeal.js'
import { arrivalsPage } from './arrivals.js'
import { conversationPage } from './conversation.js'
import type { InboxPage } from './deps.js'
import { filePages } from './files.js'
import { htmlMailPage } from './html-mail.js'
import { listPage } from './list.js'
import { picturePages } from './picture-senders.js'
import { previewPages } from './previews.js'

export const inboxPages = (): readonly InboxPage[] => [
  listPage,
  arrivalsPage(),
  conversationPage,
  htmlMailPage,
  ...filePages,
  ...previewPages,
  ...picturePages,
  ...actionPages,
  appealPage,
]
