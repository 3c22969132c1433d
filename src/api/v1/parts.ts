/** What the handlers of the API work with. */
import type { Suppressions } from '../../accounts/suppressions.js'
import type { Accounts } from '../../accounts/types.js'
import type { Claims } from '../../lifecycle/claims/types.js'
import type { OwnDomains } from '../../lifecycle/domains/own-domains.js'
import type { Holdings } from '../../lifecycle/claims/more-mailboxes.js'
import type { Removal } from '../../lifecycle/deletion/mailbox-removal.js'
import type { Deletion } from '../../lifecycle/deletion/types.js'
import type { Exports } from '../../lifecycle/export/types.js'
import { mailboxPartition } from '../../mailbox/keys.js'
import type { Mailboxes } from '../../mailbox/composition/mailboxes.js'
import type { WebhookService } from '../../webhooks/service.js'
import type { Holds } from '../../http/limits/long-polls.js'
import type { DriverName } from '../../http/listener/types.js'
import type { Remember } from '../../store/versioned-cache.js'
import type { HttpResponse } from '../../http/message.js'
import type { OpenapiTexts } from '../../http/routing/openapi.js'
import { routesWith } from '../../http/routing/route.js'

export interface ApiLimits {
  /** Of one key. */
  requestsPerMinute: number
  accountRequestsPerMinute: number
  requestsAtOncePerKey: number
  /** Bytes of a request body. */
  bodyBytes: number
  recipientsPerMessage: number
  attachmentsPerMessage: number
  longPollSeconds: number
  longPollsPerKey: number
  /** After which an event stream ends, to be taken up again. */
  eventStreamSeconds: number
}

export interface Parts {
  mailboxes: Mailboxes
  claims: Claims
  accounts: Accounts
  suppressions: Pick<Suppressions, 'list' | 'remove'>
  deletion: Deletion
  holdings: Holdings
  ownDomains: Pick<OwnDomains, 'add' | 'list' | 'get' | 'verify' | 'remove'>
  removal: Pick<Removal, 'request'>
  exports: Pick<Exports, 'request' | 'list' | 'get' | 'linkTo'>
  webhooks: Omit<WebhookService, 'all' | 'disable'>
  holds: Holds
  /** Keeps answers by the mailbox they are about; without it each is made anew. */
  keptAnswers?: Remember<HttpResponse> | undefined
  limits: ApiLimits
  /** Without a slash at the end. */
  baseUrl: string
  ready: () => boolean
  /** Mail is refused while it is; without it there is always room. */
  /** The driver of plain HTTP. */
  httpDriver: DriverName
  diskIsLow?: (() => Promise<boolean>) | undefined
  /** Without it the store can always be read. */
  storeIsReadable?: (() => Promise<boolean>) | undefined
  /** GET /v1/openapi.yaml and GET /v1/openapi.json. */
  openapi: () => Promise<OpenapiTexts>
}

export const defineRoute = routesWith<Parts>(
  ({ mailboxes }) => mailboxes.answerOnce,
  ({ keptAnswers }) => keptAnswers && ((mailboxId, name, make) => keptAnswers(mailboxPartition(mailboxId), name, make)),
)
