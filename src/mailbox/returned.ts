/**
 * What comes to a return path (return-path.ts), and what becomes of it: reports are written down with their message, everything else is mail for the
 * mailbox. The address alone says which message and which of its recipients a report may speak of, whatever the report itself says.
 */
import type { Clock } from '../lib/clock.js'
import { DAY } from '../lib/clock.js'
import { addressKey, domainOf } from '../mime/address.js'
import { isComplaint } from '../mime/automation.js'
import type { Report, ReportedRecipient } from '../mime/types.js'
import type { Store } from '../store/types.js'
import { mailboxPartition } from './keys.js'
import { readState } from './message.js'
import type { MessageState } from './message.js'
import type { Recipient } from './objects.js'
import { readMailbox } from './record.js'
import type { ReturnAddress, ReturnPaths } from './return-path.js'
import type { MailboxRecord, Mailboxes, RecipientReport } from './types.js'

/** How long after the first try something may come back: longer than servers hold mail (RFC 5321 §4.5.4.1), and our own tries come on top. */
const VALID_MS = 14 * DAY

export interface Returned {
  address: ReturnAddress
  mailbox: MailboxRecord
}

export interface Returns {
  /** Whether an address has the form of a return path: then it is never a mailbox. */
  hasForm(address: string): boolean
  /** Whom the address leads to; undefined when it is not of ours, its time is over or its message gone. */
  find(address: string): Promise<Returned | undefined>
  /** Writes a report down. False when it says nothing of this message's delivery: then it is mail like any other. */
  take(returned: Returned, report: Report): Promise<boolean>
  /** Writes down a complaint that came to another address, when the message in it shows a return path of ours. */
  takeComplaint(report: Report): Promise<boolean>
}

export interface ReturnsDeps {
  store: Store
  clock: Clock
  returnPaths: Pick<ReturnPaths, 'hasForm' | 'read'>
  mailboxes: Pick<Mailboxes, 'recordReport'>
  /** Between the first try and the last. */
  retryMs: number
}

export function createReturns({ store, clock, returnPaths, mailboxes, retryMs }: ReturnsDeps): Returns {
  const stateOf = ({ mailboxId, messageId }: ReturnAddress): Promise<MessageState | undefined> =>
    store.read(mailboxPartition(mailboxId), (view) => readState(view, messageId))

  async function find(text: string): Promise<Returned | undefined> {
    const address = returnPaths.read(text)
    const state = address && (await stateOf(address))
    if (!address || state?.sentAt == null || clock.now() > state.sentAt + retryMs + VALID_MS) return undefined
    const mailbox = await readMailbox(store, address.mailboxId)
    return mailbox && { address, mailbox }
  }

  async function take({ address }: Returned, report: Report): Promise<boolean> {
    const state = await stateOf(address)
    if (!state) return false
    const reports = reportsAbout(state.recipients, address, report)
    if (reports === undefined) return false
    if (reports.length > 0) await mailboxes.recordReport(address.mailboxId, address.messageId, reports)
    return true
  }

  return {
    hasForm: (address) => returnPaths.hasForm(address),
    find,
    take,
    async takeComplaint(report) {
      if (report.kind !== 'feedback' || report.returnPath === null) return false
      const returned = await find(report.returnPath)
      return returned ? take(returned, report) : false
    },
  }
}

/**
 * What the report says of those recipients for whom the address was used. A delivery to one recipient has one ending, also where the report
 * names the address it was forwarded to. Undefined when it is no report of a delivery, or names nobody where there are several to name.
 */
function reportsAbout(
  recipients: Recipient[],
  { index, single }: ReturnAddress,
  report: Report,
): RecipientReport[] | undefined {
  const first = recipients[index]
  if (report.kind === 'disposition' || !first) return undefined
  if (report.kind === 'feedback' && !isComplaint(report)) return []
  if (report.recipients.length === 0) {
    // Providers black out whom a complaint is from; a bounce that names nobody may be a notice of anything.
    if (report.kind !== 'feedback' || !single) return undefined
    return [{ address: first.address, kind: 'complained', smtpCode: null, detail: complaintOf(report) }]
  }
  const told = report.recipients.flatMap((recipient) => {
    const entry = reportOf(report, recipient)
    if (!entry) return []
    if (single) return [{ ...entry, address: first.address }]
    const named = [recipient.address, recipient.finalAddress].filter((address) => address !== null).map(addressKey)
    const meant = recipients.find(
      ({ address }) => domainOf(address) === domainOf(first.address) && named.includes(addressKey(address)),
    )
    return meant ? [{ ...entry, address: meant.address }] : []
  })
  return told
}

function reportOf(report: Report, recipient: ReportedRecipient): Omit<RecipientReport, 'address'> | undefined {
  const { status, diagnostic, action } = recipient
  const words = [status !== null && !diagnostic.includes(status) ? status : '', diagnostic].filter(
    (part) => part !== '',
  )
  const code = /(?:^|\s)([245]\d\d)(?=[ -]|$)/.exec(diagnostic)?.[1]
  const rest = { smtpCode: code === undefined ? null : Number(code), detail: words.join(' ') }
  switch (action) {
    case 'failed':
      return { kind: 'bounced', ...rest, detail: rest.detail || 'returned without a reason' }
    case 'delayed':
      return { kind: 'delayed', ...rest }
    case 'delivered':
    case 'relayed':
    case 'expanded':
      return { kind: 'delivered', ...rest }
    case 'complained':
      return { kind: 'complained', smtpCode: null, detail: complaintOf(report) }
    case 'displayed':
    case 'deleted':
      return undefined
  }
}

function complaintOf({ feedbackType, reportedBy }: Report): string {
  return `complaint (${feedbackType ?? 'abuse'})${reportedBy === null ? '' : ` told by ${reportedBy}`}`
}
