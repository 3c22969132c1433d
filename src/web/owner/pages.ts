/** All pages of an owner. */
import { connectionPages } from './connections.js'
import { deletionPages } from './deletion.js'
import { draftPages } from './drafts.js'
import { exportPages } from './export.js'
import type { OwnerPage } from '../page/person-frame.js'
import { mailboxPages } from './mailbox.js'
import { mailboxesPage } from './mailboxes.js'
import { pausePages } from './pause.js'
import { sessionPages } from './sessions.js'

export const ownerPages: readonly OwnerPage[] = [
  mailboxesPage,
  ...mailboxPages,
  ...pausePages,
  ...draftPages,
  ...connectionPages,
  ...sessionPages,
  ...exportPages,
  ...deletionPages,
]
