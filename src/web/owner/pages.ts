/** All pages of an owner. */
import { activityPages } from './activity.js'
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
  ...activityPages,
  ...pausePages,
  ...draftPages,
  ...connectionPages,
  ...sessionPages,
  ...exportPages,
  ...deletionPages,
]
