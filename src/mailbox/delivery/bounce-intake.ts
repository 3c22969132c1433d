/**
 * What comes to a return path (return-path.ts), and what becomes of it: reports are written down with their message, everything else is mail for the
 * mailbox. The address alone says which message and which of its recipients a report may speak of, whatever the report itself says (bounce-proof.ts).
 */
import { type Clock, DAY } from '../../lib/clock.js'
import type { Report } from '../../mime/types.js'
import type { Store } from '../../store/types.js'
import { believedReports, type RecipientReport, type ReportSource } from './bounce-proof.js'
import { mailboxPartition } from '../keys.js'
import { readState } from '../message-rows.js'
import type { MessageState } from '../message.js'
import { readMailbox } from '../record.js'
import type { ReturnAddress, ReturnPaths } from './return-path.js'
import type { MailboxRecord } from '../mailbox-record.js'
import type { Message } from '../objects/objects.js'

/**
 * Writes down what came back about recipients, moves the message's status, and tells of it with a `message.status` event. Idempotent. A report
 * about an address that is none of the recipients changes nothing, unless the message has one recipient only. Undefined when the message is gone.
 */
export type RecordReport = (
  mailboxId: string,
  messageId: string,
  reports: RecipientReport[],
) => Promise<Message | undefined>

/** How long after the first try something may come back: longer than servers hold mail (RFC 5321 §4.5.4.1), and our own tries come on top. */
const VALID_MS = 14 * DAY
/** What may come to one return path while we run: more than one recipient's server has to say. */
const MAX_PER_RECIPIENT = 20
/** The same where it was used for several recipients. */
const MAX_PER_SHARED_PATH = 200
/** Return paths for which that is counted; past it the oldest begin anew. */
const MAX_COUNTED = 20_000

export interface Returned {
  address: ReturnAddress
  mailbox: MailboxRecord
}

export interface Returns {
  /** Whether an address has the form of a return path: then it is never a mailbox. */
  hasForm(address: string): boolean
  /** Whom the address leads to; undefined when it is not of ours, its time is over, its message gone, or too much came for it already. */
  find(address: string): Promise<Returned | undefined>
  /**
   * Writes a report down. False when it says nothing of this message's delivery, or its source is not believed: then it is mail like any other.
   */
  take(returned: Returned, report: Report, source: ReportSource): Promise<boolean>
  /** Writes down a complaint that came to another address, when the message in it shows a return path of ours. */
  takeComplaint(report: Report, source: ReportSource): Promise<boolean>
}

export interface ReturnsDeps {
  store: Store
  clock: Clock
  returnPaths: Pick<ReturnPaths, 'hasForm' | 'read'>
  recordReport: RecordReport
  /** Between the first try and the last. */
  retryMs: number
}

export function createReturns({ store, clock, returnPaths, recordReport, retryMs }: ReturnsDeps): Returns {
  const stateOf = ({ mailboxId, messageId }: ReturnAddress): Promise<MessageState | undefined> =>
    store.read(mailboxPartition(mailboxId), (view) => readState(view, messageId))

  const counts = new Map<string, number>()
  /** Counted for each path, so that who floods the one he has takes nothing from those of the other recipients. */
  function isTooMuch({ messageId, index, single }: ReturnAddress): boolean {
    const path = `${messageId}:${index}:${single}`
    const count = (counts.get(path) ?? 0) + 1
    counts.set(path, count)
    const [oldest] = counts.size > MAX_COUNTED ? counts.keys() : []
    if (oldest !== undefined) counts.delete(oldest)
    return count > (single ? MAX_PER_RECIPIENT : MAX_PER_SHARED_PATH)
  }

  async function find(text: string): Promise<Returned | undefined> {
    const address = returnPaths.read(text)
    const state = address && (await stateOf(address))
    if (!address || !state?.sentAt || clock.now() > state.sentAt + retryMs + VALID_MS) return undefined
    if (isTooMuch(address)) return undefined
    const mailbox = await readMailbox(store, address.mailboxId)
    return mailbox && { address, mailbox }
  }

  async function take({ address }: Returned, report: Report, source: ReportSource): Promise<boolean> {
    const state = await stateOf(address)
    if (!state) return false
    const reports = believedReports(state.recipients, address, report, source)
    if (reports.length === 0) return false
    await recordReport(address.mailboxId, address.messageId, reports)
    return true
  }

  return {
    hasForm: (address) => returnPaths.hasForm(address),
    find,
    take,
    async takeComplaint(report, source) {
      if (report.kind !== 'feedback' || report.returnPath === null) return false
      const returned = await find(report.returnPath)
      return returned ? take(returned, report, source) : false
    },
  }
}
