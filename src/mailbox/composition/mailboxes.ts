import type { Suppressions } from '../../accounts/suppressions.js'
import type { Accounts } from '../../accounts/types.js'
import type { Guard } from '../../guard/types.js'
import type { Clock } from '../../lib/clock.js'
import type { ParseLimits } from '../../mime/types.js'
import type { Log } from '../../observe/log.js'
import type { WorkQueue } from '../../queue/types.js'
import { APPROVAL_FORM, createFormGate } from '../../store/schema-version.js'
import type { Blobs, Store } from '../../store/types.js'
import type { OnDecision } from '../decisions/decision.js'
import { storedSubject } from '../decisions/stored-facts.js'
import { admissionOf } from '../delivery/admission.js'
import { createDeliver } from '../delivery/deliver.js'
import { createDirectory } from '../directory/directory.js'
import { createDeciding } from '../drafts/deciding.js'
import { createDraftRaw } from '../drafts/draft-raw.js'
import { createDrafts } from '../drafts/drafts.js'
import { createRecall } from '../drafts/recall.js'
import { createWriting } from '../drafts/writing.js'
import { eventReader } from '../events.js'
import { createFolders } from '../folders/folders.js'
import { createImporting } from '../importing/importing.js'
import { mailWorkInPlace, type MailWork } from '../mail-work/mail-work.js'
import type { StoredMessage } from '../message.js'
import { createRawStore } from '../raw.js'
import type { Sender } from '../objects/set-types.js'
import { createPausing } from '../pausing/pausing.js'
import { createWaitingMail } from '../pausing/waiting-mail.js'
import { createWithdrawing } from '../pausing/withdrawing.js'
import { createLabelChanges } from '../reading/label-changes.js'
import { createActivity } from '../reading/activity.js'
import { createOverview } from '../reading/overview.js'
import { createReading } from '../reading/read.js'
import { createThreadList } from '../reading/threads.js'
import { RecentBodies } from '../recent-bodies.js'
import { createPurging } from '../retention/purge.js'
import { createTrash } from '../retention/trash.js'
import { createMatching } from '../search/find-messages.js'
import type { Indexer } from '../search/indexer.js'
import { createMessageList } from '../search/messages.js'
import { createSearch } from '../search/search.js'
import { createAccountOutcomes } from '../sending/account-outcomes.js'
import { createAttempts } from '../sending/attempts.js'
import { createCancelling } from '../sending/cancel.js'
import { createCheck } from '../sending/check-task.js'
import { createAnswerOnce } from '../sending/retries/idempotent-requests.js'
import { createDepartures } from '../sending/in-delivery.js'
import { createReported } from '../sending/late-reports.js'
import { createOperating } from '../sending/operator-queue.js'
import { createScheduled } from '../sending/scheduled.js'
import type { SendLimits } from '../sending/send-deps.js'
import { createSending } from '../sending/send.js'
import type { Nodes } from '../../store/nodes/nodes.js'
import type { OwnDomainLookUp } from '../sending/verified-sender.js'
import { createAddressLists } from '../settings/address-lists.js'
import { createSettings } from '../settings/settings.js'

export interface MailboxesDeps {
  storage: { store: Store; blobs: Blobs; queue: WorkQueue }
  clock: Clock
  accounts: Pick<Accounts, 'get' | 'countMessage' | 'previewRecipients' | 'countWithin'>
  suppressions: Pick<Suppressions, 'suppress'>
  guard: Guard
  indexer: Indexer
  /** Shared with the indexer. */
  bodies?: RecentBodies | undefined
  log: Pick<Log, 'warn'>
  limits: SendLimits
  composing: {
    parseLimits: ParseLimits
    /** Threads that compose and parse mail; without it, that is done in place. */
    work?: MailWork | undefined
  }
  domains: {
    isLocal: (domain: string) => boolean
    /** Owner of a custom domain, and whether it is verified; without it, there are no custom domains. */
    own?: OwnDomainLookUp | undefined
    /** Address that gets mail for unknown names of a domain. */
    catchAll?: ((domain: string) => string | undefined) | undefined
  }
  /** The daemons at work on the store; without it this one alone. */
  nodes?: Nodes | undefined
  /** Called after a pause of everything: the keys of the mailbox work no more. */
  onPause?: ((mailboxId: string) => void) | undefined
  /** Called for each message submitted for sending, and for each later decision on one. */
  onDecision?: OnDecision
}

/** The mailbox domain, one member per room. Consumers' deps name the rooms and functions they use. */
export type Mailboxes = ReturnType<typeof createMailboxes>
export type OutboundMail = Mailboxes['outbound']
export type Reading = Mailboxes['reading']

export function createMailboxes(deps: MailboxesDeps) {
  const { clock, accounts, guard, indexer, log, limits } = deps
  const { store, blobs, queue } = deps.storage
  const { isLocal: isLocalDomain, own: ownDomain, catchAll } = deps.domains
  const { parseLimits, work = mailWorkInPlace() } = deps.composing
  const onDecision = deps.onDecision ?? (() => undefined)
  const departures = createDepartures()
  const raws = createRawStore({ store, blobs })
  const bodies = deps.bodies ?? new RecentBodies()
  const matching = createMatching({ store, indexer })
  const accountOutcomes = createAccountOutcomes({ accounts, suppressions: deps.suppressions, isLocalDomain })
  const reread = { store, raws, work, parseLimits, log }
  const deciding = { ...reread, queue, clock, accounts, guard, isLocalDomain, onDecision }
  const folders = createFolders({
    ...{ store, blobs, raws, clock },
    draftRaw: createDraftRaw({ store, blobs, work, parseLimits }),
  })
  const drafts = createDrafts({ store, blobs, queue, clock, limits })
  const mayAskApproval = createFormGate(store, APPROVAL_FORM)
  const sending = createSending({
    ...{ store, queue, clock, accounts, guard, log, limits, onDecision, mayAskApproval },
    contents: { blobs, raws, bodies },
    composing: { work, parseLimits },
    domains: { isLocal: isLocalDomain, own: ownDomain },
  })
  const cancelling = createCancelling({ store, queue, clock, departures })
  return {
    directory: createDirectory({ store, limits, isLocalDomain, ownDomain, catchAll }),
    settings: createSettings({ store, clock, mayAskApproval }),
    pausing: {
      ...createPausing({ store, queue, clock, mayPause: mayAskApproval, onPause: deps.onPause }),
      ...createWithdrawing({ store, cancel: cancelling.cancel }),
    },
    lists: createAddressLists({ store, clock }),
    delivery: {
      /** Verdict of the mailbox's lists on mail from this sender. */
      admission: (mailboxId: string, sender: Sender) => admissionOf(store, mailboxId, sender),
      ...createDeliver({ store, raws, bodies, clock, limits }),
    },
    events: eventReader(store),
    folders,
    importing: createImporting({
      ...{ store, blobs, raws, bodies, clock, limits, work, parseLimits, folders },
      mayImport: mayAskApproval,
    }),
    reading: {
      messages: createMessageList({ store, matching }),
      threads: createThreadList({ store, search: createSearch({ store, matching }) }),
      ...createReading({ store, raws, parseLimits, work }),
      ...createOverview(store),
      activity: createActivity(store),
    },
    labels: createLabelChanges({ store, clock }),
    trash: { ...createTrash({ store, clock }), ...createPurging({ store, blobs, clock }) },
    drafts,
    deciding: createDeciding({
      ...{ store, blobs, queue, clock, drafts, mayAskApproval },
      sendDraft: sending.sendDraft,
    }),
    writing: createWriting({ store, blobs, queue, clock, limits, sendDraft: sending.sendDraft }),
    sending: {
      ...sending,
      ...createRecall({ store, blobs, raws, queue, clock, departures, work, parseLimits }),
      ...cancelling,
    },
    outbound: {
      runCheck: createCheck(deciding),
      /** The guard's input for a stored message, as when it was sent. */
      subjectOf: (mailboxId: string, message: StoredMessage, trust: number) =>
        storedSubject(reread, mailboxId, message, trust),
      runScheduled: createScheduled({ ...deciding, ownDomain }),
      /** Locks the message against cancellation while delivering. @returns unlocks it */
      beginDelivery: departures.begin,
      /** Runs `fn` while no delivery of the message can start. */
      keepDeliveries: departures.keep,
      ...createAttempts({ store, raws, bodies, queue, clock, accountOutcomes, limits }),
      ...createOperating({ store, clock, queue }),
      ...createWaitingMail({ store, clock }),
      ...createReported({ store, clock, accountOutcomes }),
    },
    answerOnce: createAnswerOnce({ store, clock, keepMs: limits.idempotencyMs, nodes: deps.nodes }),
  }
}
