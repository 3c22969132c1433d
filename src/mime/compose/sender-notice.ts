/**
 * Telling a sender that a message could not be delivered, or not yet: a delivery status notification (RFC 3464). What the other server said is
 * quoted for people once and for programs once.
 */
import { asciiOnly } from '../../lib/text.js'
import { mailDate } from '../date.js'
import { composeStatusReport, type NoticeSender } from './delivery-notice.js'

export interface FailedRecipient {
  address: string
  action: 'failed' | 'delayed'
  /** Reply code of the other server, null where there was no reply. */
  smtpCode: number | null
  /** Its words, or what went wrong before there were any. */
  detail: string
}

export interface SenderNotice {
  /** Address of the mailbox that sent the message. */
  to: string
  /** Of the message, without angle brackets. */
  messageId: string | null
  recipients: FailedRecipient[]
  /** The message: its header is returned, and nothing of its text (RFC 3464 §2). */
  raw: Buffer
  acceptedAt: number
  /** When the last attempt is made for those that are delayed. */
  retryUntil: number | null
  /** Our own words about what was done for them so far. */
  tried: string
}

/** A notice that names more would not be read. */
const MAX_RECIPIENTS = 50
const MAX_VALUE_LENGTH = 500

const printable = (text: string): string => asciiOnly(text, MAX_VALUE_LENGTH)

export function composeSenderNotice(notice: SenderNotice, sender: NoticeSender): Buffer {
  const recipients = notice.recipients.slice(0, MAX_RECIPIENTS)
  const failed = recipients.filter(({ action }) => action === 'failed')
  const delayed = recipients.filter(({ action }) => action === 'delayed')
  const left = notice.recipients.length - recipients.length
  const reference = notice.messageId === null ? [] : [`<${asciiOnly(notice.messageId, MAX_VALUE_LENGTH)}>`]
  return composeStatusReport(
    {
      to: notice.to,
      subject:
        failed.length > 0
          ? 'Not delivered: your message could not be delivered'
          : 'Delayed: your message is still being tried',
      fields: reference.flatMap((id) => [`In-Reply-To: ${id}`, `References: ${id}`]),
      words: [
        ...told(failed, 'Your message could not be delivered to:'),
        ...(failed.length > 0 ? ['Nothing more is tried for them.', ''] : []),
        ...told(delayed, 'Your message could not be delivered yet to:'),
        ...(delayed.length > 0 && notice.retryUntil !== null
          ? [
              `${notice.tried}. It is tried again until about`,
              `${mailDate(notice.retryUntil)}; you need not send it again.`,
              '',
            ]
          : []),
        ...(left > 0 ? [`And ${left} more recipients, whose states are told with the message.`, ''] : []),
      ],
      status: [
        `Arrival-Date: ${mailDate(notice.acceptedAt)}`,
        ...recipients.flatMap((recipient) => ['', ...statusOf(recipient, notice, sender.now)]),
      ],
      raw: notice.raw,
    },
    sender,
  )
}

function told(recipients: FailedRecipient[], title: string): string[] {
  if (recipients.length === 0) return []
  return [
    title,
    '',
    ...recipients.flatMap(({ address, detail }) => [`    <${printable(address)}>`, `    ${printable(detail)}`, '']),
  ]
}

/** RFC 3464 §2.3. */
function statusOf(recipient: FailedRecipient, { retryUntil }: SenderNotice, now: number): string[] {
  const { address, action, smtpCode, detail } = recipient
  const kind = action === 'failed' ? '5' : '4'
  const enhanced = /^(?:\d{3}[ -])?([245]\.\d{1,3}\.\d{1,3})(?!\d)/.exec(detail)?.[1]
  // What is given up after a temporary answer keeps the answer's code: the class tells why, the action what becomes of it (§2.3.4).
  return [
    `Final-Recipient: rfc822; ${printable(address)}`,
    `Action: ${action}`,
    `Status: ${enhanced ?? `${kind}.0.0`}`,
    ...(smtpCode === null ? [] : [`Diagnostic-Code: smtp; ${printable(detail)}`]),
    `Last-Attempt-Date: ${mailDate(now)}`,
    ...(action === 'delayed' && retryUntil !== null ? [`Will-Retry-Until: ${mailDate(retryUntil)}`] : []),
  ]
}
