/** The mailbox domain put together: what the faces and workers ask of it, each part in its own file. */
import type { Suppressions } from '../accounts/suppressions.js'
import type { Accounts } from '../accounts/types.js'
import type { Guard } from '../guard/types.js'
import type { Clock } from '../lib/clock.js'
import { domainOf } from '../mime/address.js'
import type { ParseLimits } from '../mime/types.js'
import type { Log } from '../observe/log.js'
import type { WorkQueue } from '../queue/types.js'
import type { Blobs, Store } from '../store/types.js'
import { createAddressLists } from '../mailbox/settings/address-lists.js'
import { createAccountOutcomes } from '../mailbox/sending/account-outcomes.js'
import { deliveryOwner } from '../mailbox/addresses.js'
import { admissionOf } from '../mailbox/delivery/admission.js'
import { createAnswerOnce } from '../mailbox/sending/idempotent-requests.js'
import { createAttempts } from '../mailbox/sending/attempts.js'
import { createCancelling } from '../mailbox/sending/cancel.js'
import { createChanging } from '../mailbox/reading/label-changes.js'
import { createCheck } from '../mailbox/sending/check-task.js'
import { createDrafts } from '../mailbox/drafts/drafts.js'
import { createDepartures } from '../mailbox/sending/in-delivery.js'
import { createDeliver } from '../mailbox/delivery/deliver.js'
import type { OnDecision } from '../mailbox/decisions/decision.js'
import { eventReader } from '../mailbox/events.js'
import type { Indexer } from '../mailbox/search/indexer.js'
import { createMatching } from '../mailbox/search/find-messages.js'
import { mailWorkInPlace, type MailWork } from '../mailbox/mail-work/mail-work.js'
import { createMessageList } from '../mailbox/search/messages.js'
import { createOperating } from '../mailbox/sending/operator-queue.js'
import { createPurging } from '../mailbox/retention/purge.js'
import { roomLeft } from '../mailbox/quota.js'
import { createOverview } from '../mailbox/reading/overview.js'
import { createRawStore } from '../mailbox/raw.js'
import { RecentBodies } from '../mailbox/recent-bodies.js'
import { createReading } from '../mailbox/reading/read.js'
import { readMailbox } from '../mailbox/record.js'
import { createReported } from '../mailbox/sending/late-reports.js'
import { createScheduled } from '../mailbox/sending/scheduled.js'
import { createSearch } from '../mailbox/search/search.js'
import { createSettings } from '../mailbox/settings/settings.js'
import type { OwnDomainLookUp } from '../mailbox/sending/verified-sender.js'
import { createSending, type SendLimits } from '../mailbox/sending/send.js'
import { createThreadList } from '../mailbox/reading/threads.js'
import { createTrash } from '../mailbox/retention/trash.js'
import type { MailboxRecord, Mailboxes } from '../mailbox/types.js'

export interface MailboxesDeps {
  store: Store
  blobs: Blobs
  queue: WorkQueue
  clock: Clock
  accounts: Pick<Accounts, 'get' | 'countMessage' | 'previewRecipients' | 'countWithin'>
  suppressions: Pick<Suppressions, 'suppress'>
  guard: Guard
  /** The one that the jobs drive too. */
  indexer: Indexer
  /** Which the index has too. */
  bodies?: RecentBodies | undefined
  log: Pick<Log, 'warn'>
  limits: SendLimits
  /** Limits of parsing, the same as for mail that comes in. */
  parseLimits: ParseLimits
  /** Where mail is composed and read; in place without it, whatever that costs. */
  work?: MailWork | undefined
  isLocalDomain: (domain: string) => boolean
  /** Of a domain that an account brought along, whose it is and whether that is proven now; none is without it. */
  ownDomain?: OwnDomainLookUp | undefined
  /** The address that gets what is for nobody at a domain; without it such mail is nobody's. */
  catchAll?: (domain: string) => string | undefined
  /** Told of each message that is handed in to be sent, and of each that was decided on later; nobody is told without it. */
  onDecision?: OnDecision
}

export function createMailboxes(deps: MailboxesDeps): Mailboxes {
  const { store, blobs, queue, clock, accounts, guard, indexer, log, limits, parseLimits, isLocalDomain } = deps
  const work = deps.work ?? mailWorkInPlace()
  const onDecision = deps.onDecision ?? (() => undefined)
  const mailboxAt = async (address: string): Promise<MailboxRecord | undefined> => {
    const id = await deliveryOwner(store, address)
    return id === undefined ? undefined : readMailbox(store, id)
  }
  const departures = createDepartures()
  const raws = createRawStore({ store, blobs })
  const bodies = deps.bodies ?? new RecentBodies()
  const matching = createMatching({ store, indexer })
  const accountOutcomes = createAccountOutcomes({ accounts, suppressions: deps.suppressions, isLocalDomain })
  return {
    async resolve(address) {
      if (!isLocalDomain(domainOf(address))) return undefined
      const own = deps.ownDomain?.(domainOf(address))
      const found = await mailboxAt(address)
      // One that a former owner of the domain left behind is nobody's.
      if (own && found?.accountId !== own.accountId) return undefined
      const instead = found ? undefined : deps.catchAll?.(domainOf(address))
      return found ?? (instead === undefined ? undefined : mailboxAt(instead))
    },
    get: (mailboxId) => readMailbox(store, mailboxId),
    answerOnce: createAnswerOnce({ store, clock, keepMs: limits.idempotencyMs }),
    hasRoom: (mailbox, bytes) => roomLeft(mailbox, limits) >= bytes,

    ...createSettings({ store, clock }),
    ...createAddressLists({ store, clock }),
    admission: (mailboxId, sender) => admissionOf(store, mailboxId, sender),

    ...createDeliver({ store, raws, bodies, clock, limits }),
    listMessages: createMessageList({ store, matching }),
    listThreads: createThreadList({ store, search: createSearch({ store, matching }) }),
    ...createReading({ store, raws, parseLimits, work }),
    ...createChanging({ store, clock }),
    ...createTrash({ store, clock }),
    ...createPurging({ store, blobs, clock }),
    ...createOverview(store),
    events: eventReader(store),

    drafts: createDrafts({ store, blobs, clock, limits }),
    ...createSending({
      store,
      blobs,
      raws,
      bodies,
      queue,
      clock,
      accounts,
      guard,
      log,
      limits,
      parseLimits,
      work,
      isLocalDomain,
      ownDomain: deps.ownDomain,
      onDecision,
    }),
    runScheduled: createScheduled({
      store,
      raws,
      queue,
      clock,
      accounts,
      guard,
      log,
      parseLimits,
      work,
      isLocalDomain,
      ownDomain: deps.ownDomain,
      onDecision,
    }),
    ...createCancelling({ store, queue, clock, departures }),
    beginDelivery: departures.begin,
    keepDeliveries: departures.keep,
    runCheck: createCheck({ store, raws, queue, clock, accounts, guard, log, isLocalDomain, onDecision }),
    ...createAttempts({ store, raws, bodies, queue, clock, accountOutcomes, limits }),
    ...createOperating({ store, clock, queue }),
    ...createReported({ store, clock, accountOutcomes }),
  }
}
