/** Mailboxes, and the records of what comes in: receipts, bounces and reports. */
import { parseLimits } from '../../config/derived.js'
import type { Guard } from '../../guard/types.js'
import { DAY, HOUR } from '../../lib/clock.js'
import { createMailboxes } from '../../mailbox/composition/mailboxes.js'
import { createReturns } from '../../mailbox/delivery/bounce-intake.js'
import { createReturnPaths } from '../../mailbox/delivery/return-path.js'
import { RecentBodies } from '../../mailbox/recent-bodies.js'
import { createIndexer } from '../../mailbox/search/indexer.js'
import { domainOf } from '../../mime/address.js'
import { createReceipts } from '../../receipts/receipts.js'
import { RETRY_SPAN_MS } from '../../relay/schedule.js'
import { createReports } from '../../reporting/received/reports.js'
import type { AccountServices } from './account-services.js'
import type { Ground } from './ground.js'
import { recordDecisions } from './send-decisions.js'
import type { Stops } from './stops.js'

export type MailServices = ReturnType<typeof buildMailServices>

/** Address that gets mail for unknown names, by domain. */
function catchAllOf(addresses: readonly string[]): (domain: string) => string | undefined {
  const byDomain = new Map(addresses.map((address) => [domainOf(address), address]))
  return (domain) => byDomain.get(domain)
}

export function buildMailServices(
  ground: Ground,
  { accounts, suppressions }: Pick<AccountServices, 'accounts' | 'suppressions'>,
  guard: Guard,
  stops: Stops,
) {
  const { config, store, blobs, queue, clock, part, metrics, secrets, work } = ground
  const { domains, smtp, limits, retention } = config
  const { isLocal } = ground.domains
  const bodies = new RecentBodies()
  const indexer = createIndexer({ store, work, bodies })
  const log = part('mailbox')
  const mailboxes = createMailboxes({
    storage: { store, blobs, queue },
    nodes: ground.nodes,
    clock,
    accounts,
    suppressions,
    guard,
    indexer,
    bodies,
    log,
    limits: {
      storageBytes: limits.storage_bytes,
      pendingStorageBytes: limits.pending_storage_bytes,
      recipientsPerMessage: limits.recipients_per_message,
      attachmentsPerMessage: limits.attachments_per_message,
      messageBytes: smtp.max_message_bytes,
      idempotencyMs: retention.idempotency_hours * HOUR,
    },
    composing: { work, parseLimits: parseLimits(config) },
    domains: { isLocal, own: ground.domains.own, catchAll: catchAllOf(domains.catch_all) },
    onPause: accounts.cutOffMailbox,
    onDecision: recordDecisions({ metrics, log }),
  })
  const returnPaths = createReturnPaths(secrets.returnPathKey)
  const receipts = createReceipts({
    store,
    clock,
    retentionMs: retention.receipts_days * DAY,
    log: part('receipts'),
    metrics,
    shared: ground.shared,
  })
  stops.rest.push(() => receipts.stop())
  return {
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
    /** Reports of other servers about our domains. */
    reports: createReports({ store, clock, isLocalDomain: isLocal, retentionMs: retention.reports_days * DAY }),
  }
}
