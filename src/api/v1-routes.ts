/** All routes of the API: what is served, and what the description describes. */
import { bindRoutes, type BoundRoute, type Route } from '../http/routing/route.js'
import type { AccountParts, MailParts, WebhookParts } from './v1/parts.js'
import { accountRoutes } from './v1/account/account.js'
import { accountDeletionRoutes } from './v1/account/account-deletion.js'
import { batchRoutes } from './v1/mail/batch.js'
import { claimRoutes } from './v1/account/claim.js'
import { cancelRoutes } from './v1/mail/cancel.js'
import { domainRoutes } from './v1/account/domains.js'
import { draftRoutes } from './v1/mail/drafts.js'
import { eventRoutes } from './v1/mail/events.js'
import { exportRoutes } from './v1/account/exports.js'
import { messageListRoutes } from './v1/mail/message-list.js'
import { keyRoutes } from './v1/account/keys.js'
import { listRoutes } from './v1/account/lists.js'
import { mailboxRoutes } from './v1/account/mailbox.js'
import { mailboxesRoutes } from './v1/account/mailboxes.js'
import { messageRoutes } from './v1/mail/messages.js'
import { sendRoutes } from './v1/mail/send.js'
import { serviceRoutes, type ServiceParts } from './v1/service.js'
import { suppressionRoutes } from './v1/account/suppressions.js'
import { threadRoutes } from './v1/mail/threads.js'
import { trashRoutes } from './v1/mail/trash.js'
import { webhookRoutes } from './v1/webhooks/webhooks.js'

const mailRoutes: readonly Route<MailParts>[] = [
  ...threadRoutes,
  ...messageListRoutes,
  ...messageRoutes,
  ...batchRoutes,
  ...trashRoutes,
  ...sendRoutes,
  ...cancelRoutes,
  ...draftRoutes,
  ...eventRoutes,
]

const accountsRoutes: readonly Route<AccountParts>[] = [
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

/** In the order of the description. */
export const routes: readonly Route<never>[] = [
  ...serviceRoutes,
  ...claimRoutes,
  ...mailRoutes,
  ...webhookRoutes,
  ...accountsRoutes,
]

export interface ApiParts {
  service: ServiceParts
  mail: MailParts
  account: AccountParts
  webhooks: WebhookParts
}

export function apiRoutes({ service, mail, account, webhooks }: ApiParts): BoundRoute[] {
  return [
    ...bindRoutes(serviceRoutes, service),
    ...bindRoutes(claimRoutes, account),
    ...bindRoutes(mailRoutes, mail),
    ...bindRoutes(webhookRoutes, webhooks),
    ...bindRoutes(accountsRoutes, account),
  ]
}
