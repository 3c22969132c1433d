/** Parts of the API's handlers, by folder of their routes. */
import type { Suppressions } from '../../accounts/suppressions.js'
import type { Accounts } from '../../accounts/types.js'
import type { NeededScope } from '../../http/limits/authorize.js'
import type { Holds } from '../../http/limits/long-polls.js'
import type { HttpResponse } from '../../http/message.js'
import { routesWith } from '../../http/routing/route.js'
import type { AccountMailboxes } from '../../lifecycle/claims/account-mailboxes.js'
import type { Claims } from '../../lifecycle/claims/types.js'
import type { Removal } from '../../lifecycle/deletion/mailbox-removal.js'
import type { Deletion } from '../../lifecycle/deletion/types.js'
import type { OwnDomains } from '../../lifecycle/domains/own-domains.js'
import type { Exports } from '../../lifecycle/export/exports.js'
import type { Mailboxes } from '../../mailbox/composition/mailboxes.js'
import { mailboxPartition } from '../../mailbox/keys.js'
import type { AnswerOnce } from '../../mailbox/sending/retries/idempotent-requests.js'
import type { Remember } from '../../store/versioned-cache.js'
import type { WebhookService } from '../../webhooks/service.js'

export interface ApiLimits {
  /** Per key. */
  requestsPerMinute: number
  accountRequestsPerMinute: number
  requestsAtOncePerKey: number
  /** Max bytes of a request body. */
  bodyBytes: number
  recipientsPerMessage: number
  attachmentsPerMessage: number
  longPollSeconds: number
  longPollsPerKey: number
  /** Max duration of an event stream; clients then reconnect. */
  eventStreamSeconds: number
}

/** Answers that are kept and reused. */
export interface KeptAnswers {
  /** Answers to requests with an idempotency key. */
  answerOnce: AnswerOnce
  /** Caches responses of `kept` routes by mailbox; without it, nothing is cached. */
  remember?: Remember<HttpResponse> | undefined
}

export interface MailParts {
  answers: KeptAnswers
  mailboxes: Mailboxes
  holds: Holds
  limits: ApiLimits
  /** Without a slash at its end. */
  baseUrl: string
}

export interface AccountParts {
  answers: KeptAnswers
  mailboxes: Pick<Mailboxes, 'directory' | 'settings' | 'lists'>
  claims: Claims
  accounts: Accounts
  suppressions: Pick<Suppressions, 'list' | 'remove'>
  deletion: Deletion
  accountMailboxes: AccountMailboxes
  ownDomains: Pick<OwnDomains, 'add' | 'list' | 'get' | 'verify' | 'remove'>
  removal: Pick<Removal, 'request'>
  exports: Pick<Exports, 'request' | 'list' | 'get' | 'linkTo'>
  baseUrl: string
}

export interface WebhookParts {
  answers: KeptAnswers
  webhooks: Omit<WebhookService, 'all' | 'disable'>
}

const routesThatKeep = <D extends { answers: KeptAnswers }>() =>
  routesWith<D>(
    ({ answers }) => answers.answerOnce,
    ({ answers: { remember } }) =>
      remember && ((mailboxId, name, make) => remember(mailboxPartition(mailboxId), name, make)),
  )

/** Tag and access of a route for keys of approved mailboxes. */
export const forKeys = (tag: string, scope: NeededScope) => ({ tag, auth: 'mailbox' as const, scope })

export const defineMailRoute = routesThatKeep<MailParts>()
export const defineAccountRoute = routesThatKeep<AccountParts>()
export const defineWebhookRoute = routesThatKeep<WebhookParts>()
