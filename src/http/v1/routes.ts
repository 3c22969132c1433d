/** All routes of the API: what is served, and what the description describes. */
import type { Route } from '../route.js'
import type { Parts } from './parts.js'
import { accountRoutes } from './account.js'
import { accountDeletionRoutes } from './account-deletion.js'
import { batchRoutes } from './batch.js'
import { claimRoutes } from './claim.js'
import { cancelRoutes } from './cancel.js'
import { domainRoutes } from './domains.js'
import { draftRoutes } from './drafts.js'
import { eventRoutes } from './events.js'
import { exportRoutes } from './exports.js'
import { messageListRoutes } from './message-list.js'
import { keyRoutes } from './keys.js'
import { listRoutes } from './lists.js'
import { mailboxRoutes } from './mailbox.js'
import { mailboxesRoutes } from './mailboxes.js'
import { messageRoutes } from './messages.js'
import { sendRoutes } from './send.js'
import { serviceRoutes } from './service.js'
import { suppressionRoutes } from './suppressions.js'
import { threadRoutes } from './threads.js'
import { trashRoutes } from './trash.js'
import { webhookRoutes } from './webhooks.js'

export const routes: readonly Route<Parts>[] = [
  ...serviceRoutes,
  ...claimRoutes,
  ...threadRoutes,
  ...messageListRoutes,
  ...messageRoutes,
  ...batchRoutes,
  ...trashRoutes,
  ...sendRoutes,
  ...cancelRoutes,
  ...draftRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...suppressionRoutes,
  ...mailboxRoutes,
  ...mailboxesRoutes,
  ...domainRoutes,
  ...listRoutes,
  ...accountRoutes,
  ...keyRoutes,
  ...accountDeletionRoutes,
  ...exportRoutes,
]
