/** The service itself: accounts, claims, mailboxes and receipts, and what reads the mail that comes back. */
import { createAccounts } from '../accounts/accounts.js'
import { createSessions, type Sessions } from '../accounts/sessions.js'
import type { Letters } from '../accounts/letters.js'
import { createSuppressions, type Suppressions } from '../accounts/suppressions.js'
import type { Accounts } from '../accounts/types.js'
import { createClaims } from '../lifecycle/claims/claims.js'
import { createHoldings, type Holdings } from '../lifecycle/claims/more-mailboxes.js'
import { ensureOperatorMailboxes, serviceAddressAt } from '../lifecycle/claims/operator-mailbox.js'
import { readMailbox } from '../mailbox/record.js'
import type { Claims } from '../lifecycle/claims/types.js'
import { mayRelayOut } from '../config/derived.js'
import { DAY, HOUR } from '../lib/clock.js'
import { createIndexer, type Indexer } from '../mailbox/search/indexer.js'
import { mailboxPartition } from '../mailbox/keys.js'
import { RecentBodies } from '../mailbox/recent-bodies.js'
import { createMailboxes, type Mailboxes } from '../mailbox/composition/mailboxes.js'
import { createReturnPaths, type ReturnPaths } from '../mailbox/delivery/return-path.js'
import { createReturns, type Returns } from '../mailbox/delivery/bounce-intake.js'
import { createAccessTokens } from '../oauth/token-callers.js'
import type { OAuth } from '../oauth/oauth.js'
import type { Connections } from '../oauth/types.js'
import { domainOf } from '../mime/address.js'
import { createReceipts } from '../receipts/receipts.js'
import type { Receipts } from '../receipts/types.js'
import { createReports, type Reports } from '../reporting/received/reports.js'
import { ownerFor } from '../lifecycle/domains/verified.js'
import { createLetters } from '../relay/notices/letters.js'
import { RETRY_SPAN_MS } from '../relay/schedule.js'
import { tellOfDecisions } from './guard/send-decisions.js'
import { buildGuard, type BuiltGuard } from './guard.js'
import type { Ground } from './ground.js'
import { buildOAuth } from './oauth.js'
import type { Stops } from './stops.js'

export interface Service {
  accounts: Accounts
  sessions: Sessions
  oauth: OAuth
  connections: Connections
  suppressions: Suppressions
  letters: Letters
  /** Where letters come from. */
  serviceAddress: string
  claims: Claims
  holdings: Holdings
  mailboxes: Mailboxes
  indexer: Indexer
  returnPaths: ReturnPaths
  returns: Returns
  receipts: Receipts
  /** What other servers report of our domains. */
  reports: Reports
  correction: BuiltGuard['correction']
  explain: BuiltGuard['explain']
  /** The mailbox of `postmaster@` and `abuse@`. */
  operatorMailboxId: string
  operatorAccountId: string
  /** Addresses that should be the operator's and belong to somebody else. */
  operatorAddressesTaken: string[]
  apiLimits: ApiLimits
}

type ApiLimits = ReturnType<typeof apiLimitsOf>

function apiLimitsOf({ limits }: Ground['config']) {
  return {
    requestsPerMinute: limits.requests_per_minute,
    accountRequestsPerMinute: limits.account_requests_per_minute,
    requestsAtOncePerKey: limits.requests_at_once_per_key,
    bodyBytes: limits.body_bytes,
    recipientsPerMessage: limits.recipients_per_message,
    attachmentsPerMessage: limits.attachments_per_message,
    longPollSeconds: limits.long_poll_seconds,
    longPollsPerKey: limits.long_polls_per_key,
    eventStreamSeconds: limits.event_stream_minutes * 60,
  }
}

/** Where mail goes that is for nobody at a domain. */
function catchAllOf(addresses: readonly string[]): (domain: string) => string | undefined {
  const byDomain = new Map(addresses.map((address) => [domainOf(address), address]))
  return (domain) => byDomain.get(domain)
}

export async function buildService(ground: Ground, stops: Stops): Promise<Service> {
  const { config, store, blobs, queue, clock, log, part, metrics, secrets } = ground
  const { server, domains, smtp, limits, identity, retention, names } = config
  const apiLimits = apiLimitsOf(config)
  const accounts = createAccounts({
    store,
    clock,
    limits: {
      ...apiLimits,
      newRecipientsPerDay: limits.new_recipients_per_day,
      storageBytes: limits.storage_bytes,
      messageBytes: smtp.max_message_bytes,
    },
    mailbox: (id) => readMailbox(store, id),
    mailboxPartition,
    accessTokens: createAccessTokens({ store, clock }),
    operator: identity.operator,
    staff: identity.staff,
    queue,
    trustLines: {
      lowerBouncePercent: limits.lower_bounce_percent,
      lowerMinRecipients: limits.lower_min_recipients,
      suspendBouncePercent: limits.suspend_bounce_percent,
      suspendComplaintPercent: limits.suspend_complaint_percent,
      suspendMinRecipients: limits.suspend_min_recipients,
    },
    onLevel: (accountId, change) => part('accounts').info({ account_id: accountId, ...change }, 'trust level changed'),
  })
  const oauth = buildOAuth(ground, accounts)
  const suppressions = createSuppressions({ store, clock })
  const { guard: outboundGuard, explain, correction } = await buildGuard(ground, stops)
  const serviceAddress = serviceAddressAt(ground.primaryDomain)
  const letters = createLetters({
    clock,
    store,
    queue,
    isLocalDomain: ground.isLocalDomain,
    serviceAddress,
    isOpen: mayRelayOut(config),
    log: part('letters'),
  })
  const claims: Claims = createClaims({
    audit: ground.audit,
    store,
    blobs,
    queue,
    clock,
    accounts,
    letters,
    guard: outboundGuard,
    isLocalDomain: ground.isLocalDomain,
    secret: secrets.challengeKey,
    domains: domains.names,
    baseUrl: server.base_url,
    limits: {
      difficulty: limits.claim_difficulty,
      invitesPerHour: limits.invites_per_hour,
      reserved: names.reserved,
    },
  })
  const holdings = createHoldings({
    store,
    clock,
    accounts,
    domains: domains.names,
    ownerOfDomain: (domain) => ownerFor(ground.heldDomains, domain),
    reserved: names.reserved,
    limits: { mailboxesPerAccount: limits.mailboxes_per_account, aliasesPerMailbox: limits.aliases_per_mailbox },
  })
  const operator = await ensureOperatorMailboxes({ store, accounts, domains: domains.names, clock })
  if (operator.taken.length > 0)
    log.warn({ addresses: operator.taken }, 'these addresses should be the operator’s and belong to somebody else')

  const bodies = new RecentBodies()
  const indexer = createIndexer({ store, work: ground.work, bodies })
  const mailboxLog = part('mailbox')
  const mailboxes = createMailboxes({
    store,
    blobs,
    queue,
    clock,
    accounts,
    suppressions,
    guard: outboundGuard,
    indexer,
    bodies,
    log: mailboxLog,
    limits: {
      storageBytes: limits.storage_bytes,
      pendingStorageBytes: limits.pending_storage_bytes,
      recipientsPerMessage: limits.recipients_per_message,
      attachmentsPerMessage: limits.attachments_per_message,
      messageBytes: smtp.max_message_bytes,
      idempotencyMs: retention.idempotency_hours * HOUR,
    },
    parseLimits: ground.parseLimits,
    work: ground.work,
    isLocalDomain: ground.isLocalDomain,
    ownDomain: (domain) => ground.heldDomains.get(domain),
    catchAll: catchAllOf(domains.catch_all),
    onDecision: tellOfDecisions({ metrics, log: mailboxLog }),
  })
  const returnPaths = createReturnPaths(secrets.returnPathKey)
  const receipts = createReceipts({
    store,
    clock,
    retentionMs: retention.receipts_days * DAY,
    log: part('receipts'),
    metrics,
  })
  stops.rest.push(() => receipts.stop())
  return {
    accounts,
    sessions: createSessions({ store, clock }),
    oauth,
    connections: oauth.connections,
    suppressions,
    letters,
    serviceAddress,
    claims,
    holdings,
    mailboxes,
    indexer,
    returnPaths,
    returns: createReturns({
      store,
      clock,
      returnPaths,
      recordReport: mailboxes.outbound.recordReport,
      retryMs: RETRY_SPAN_MS,
    }),
    receipts,
    reports: createReports({
      store,
      clock,
      isLocalDomain: ground.isLocalDomain,
      retentionMs: retention.reports_days * DAY,
    }),
    explain,
    correction,
    operatorMailboxId: operator.mailboxId,
    operatorAccountId: operator.accountId,
    operatorAddressesTaken: operator.taken,
    apiLimits,
  }
}
