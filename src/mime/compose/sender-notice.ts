/**
 * The notice that a message could not be delivered, or not yet: a delivery status notification (RFC 3464). The other server's reply is quoted once
 * for people and once for programs.
 */
import { mailDate } from '../date.js'
import { composeStatusReport, printable, type NoticeSender } from './delivery-notice.js'

export interface FailedRecipient {
  address: string
  action: 'failed' | 'delayed'
  /** Reply code of the other server, null without a reply. */
  smtpCode: number | null
  /** Its text, or the problem that prevented a reply. */
  detail: string
}

export interface SenderNotice {
  to: string
  /** Message-ID of the message, without angle brackets. */
  messageId: string | null
  recipients: FailedRecipient[]
  /** The message: its header is returned, and nothing of its text (RFC 3464 §2). */
  raw: Buffer
  acceptedAt: number
  /** Time of the last attempt for delayed recipients. */
  retryUntil: number | null
  /** Summary of the attempts so far. */
  tried: string
}

const MAX_RECIPIENTS = 50

export function composeSenderNotice(notice: SenderNotice, sender: NoticeSender): Buffer {
  const recipients = notice.recipients.slice(0, MAX_RECIPIENTS)
  const failed = recipients.filter(({ action }) => action === 'failed')
  const delayed = recipients.filter(({ action }) => action === 'delayed')
  const left = notice.recipients.length - recipients.length
  const reference = notice.messageId === null ? [] : [`<${printable(notice.messageId)}>`]
  return composeStatusReport(
    {
      to: notice.to,
      subject:
        failed.length > 0
          ? 'Not delivered: your message could not be delivered'
          : 'Delayed: your message is still being tried',
      fields: reference.flatMap((id) => [`In-Reply-To: ${id}`, `References: ${id}`]),
      words: [
        ...listed(failed, 'Your message could not be delivered to:'),
        ...(failed.length > 0 ? ['There will be no further attempts.', ''] : []),
        ...listed(delayed, 'Your message could not be delivered yet to:'),
        ...(delayed.length > 0 && notice.retryUntil !== null
          ? [
              `${notice.tried}. Attempts continue until about`,
              `${mailDate(notice.retryUntil)}; you need not send it again.`,
              '',
            ]
          : []),
        ...(left > 0 ? [`And ${left} more recipients; the message shows their states.`, ''] : []),
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

function listed(recipients: FailedRecipient[], title: string): string[] {
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
  // A recipient given up after a temporary reply keeps the reply's code: the class is the reason, the action the outcome (§2.3.4).
  return [
    `Final-Recipient: rfc822; ${printable(address)}`,
    `Action: ${action}`,
    `Status: ${enhanced ?? `${kind}.0.0`}`,
    ...(smtpCode === null ? [] : [`Diagnostic-Code: smtp; ${printable(detail)}`]),
    `Last-Attempt-Date: ${mailDate(now)}`,
    ...(action === 'delayed' && retryUntil !== null ? [`Will-Retry-Until: ${mailDate(retryUntil)}`] : []),
  ]
}
