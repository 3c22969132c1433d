/** Mail to a return path: reports are recorded with their message, other mail is delivered. Only the address decides which message they may be about. */
import { type Clock, DAY } from '../../lib/clock.js'
import type { Report } from '../../mime/types.js'
import type { Store } from '../../store/types.js'
import { believedReports, type RecipientReport, type ReportSource } from './bounce-proof.js'
import { mailboxPartition } from '../keys.js'
import { wishesFor, type Notify } from '../../mime/dsn-request.js'
import { readContentOf, readState } from '../message-rows.js'
import type { MessageState } from '../message.js'
import { readMailbox } from '../record.js'
import type { ReturnAddress, ReturnPaths } from './return-path.js'
import type { MailboxRecord } from '../mailbox-record.js'
import type { Message } from '../objects/objects.js'

/**
 * Records reports about recipients, updates the message's status and emits `message.status`. Idempotent. A report about an address that is no recipient is
 * ignored, unless there is only one recipient. Undefined if the message is gone.
 */
export type RecordReport = (
  mailboxId: string,
  messageId: string,
  reports: RecipientReport[],
) => Promise<Message | undefined>

/** Return paths are valid for this long after the first attempt: longer than servers queue mail (RFC 5321 §4.5.4.1) plus our own retries. */
const VALID_MS = 14 * DAY
/** Max messages to one return path per process: more than one server has to say. */
const MAX_PER_RECIPIENT = 20
const MAX_PER_SHARED_PATH = 200
/** Max return paths counted; the oldest are dropped. */
const MAX_COUNTED = 20_000

export interface Returned {
  address: ReturnAddress
  mailbox: MailboxRecord
}

const NOTIFY_OF: Record<RecipientReport['kind'], Notify | undefined> = {
  bounced: 'FAILURE',
  delayed: 'DELAY',
  delivered: 'SUCCESS',
  complained: undefined,
}

export interface ReturnsDeps {
  store: Store
  clock: Clock
  returnPaths: Pick<ReturnPaths, 'hasForm' | 'read'>
  recordReport: RecordReport
  /** From the first attempt to the last. */
  retryMs: number
}

export type Returns = ReturnType<typeof createReturns>

export function createReturns({ store, clock, returnPaths, recordReport, retryMs }: ReturnsDeps) {
  const stateOf = ({ mailboxId, messageId }: ReturnAddress): Promise<MessageState | undefined> =>
    store.read(mailboxPartition(mailboxId), (view) => readState(view, messageId))

  const counts = new Map<string, number>()
  /** Counted per path, so that flooding one takes nothing from the others. */
  function isTooMuch({ messageId, index, single }: ReturnAddress): boolean {
    const path = `${messageId}:${index}:${single}`
    const count = (counts.get(path) ?? 0) + 1
    counts.set(path, count)
    const [oldest] = counts.size > MAX_COUNTED ? counts.keys() : []
    if (oldest !== undefined) counts.delete(oldest)
    return count > (single ? MAX_PER_RECIPIENT : MAX_PER_SHARED_PATH)
  }

  /** True for a report that the author's program asked for (RFC 3461 §4.1), which is mail for them. */
  async function isAskedFor({ address: path }: Returned, report: Report, source: ReportSource): Promise<boolean> {
    const { state, content } = await store.read(mailboxPartition(path.mailboxId), async (view) => {
      const state = await readState(view, path.messageId)
      return { state, content: state && (await readContentOf(view, state)) }
    })
    if (!state || !content?.dsn) return false
    return believedReports(state.recipients, path, report, source).some(({ address, kind }) => {
      const place = state.recipients.findIndex((one) => one.address === address)
      const value = NOTIFY_OF[kind]
      return value !== undefined && wishesFor(content.dsn, place, address).notify?.includes(value)
    })
  }

  /** Target of the address; undefined if it is not ours, expired, its message is gone, or it got too much mail. */
  async function find(text: string): Promise<Returned | undefined> {
    const address = returnPaths.read(text)
    const state = address && (await stateOf(address))
    if (!address || !state?.sentAt || clock.now() > state.sentAt + retryMs + VALID_MS) return undefined
    if (isTooMuch(address)) return undefined
    const mailbox = await readMailbox(store, address.mailboxId)
    return mailbox && { address, mailbox }
  }

  /** Records a report. False if it does not concern this message's delivery or its source is not trusted; then it is ordinary mail. */
  async function take({ address }: Returned, report: Report, source: ReportSource): Promise<boolean> {
    const state = await stateOf(address)
    if (!state) return false
    const reports = believedReports(state.recipients, address, report, source)
    if (reports.length === 0) return false
    await recordReport(address.mailboxId, address.messageId, reports)
    return true
  }

  return {
    /** True if an address has the form of a return path; no mailbox can have it. */
    hasForm: (address: string) => returnPaths.hasForm(address),
    find,
    take,
    isAskedFor,
    /** Records a complaint sent to another address, if the message in it has a return path of ours. */
    async takeComplaint(report: Report, source: ReportSource): Promise<boolean> {
      if (report.kind !== 'feedback' || report.returnPath === null) return false
      const returned = await find(report.returnPath)
      return returned ? take(returned, report, source) : false
    },
  }
}
