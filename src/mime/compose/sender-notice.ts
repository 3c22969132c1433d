/**
 * The notice to the author of a message that it could not be delivered, or not yet, or that it was: a delivery status notification (RFC 3464). The other
 * server's reply is quoted once for people and once for programs.
 */
import { mailDate } from '../date.js'
import { composeStatusReport, finalRecipient, printable, shownRecipient, type NoticeSender } from './delivery-notice.js'

export interface NoticedRecipient {
  address: string
  /** RFC 3461 §4.2, decoded. */
  original?: string | undefined
  action: 'failed' | 'delayed' | 'delivered' | 'relayed'
  /** Reply code of the other server, null without a reply. */
  smtpCode: number | null
  /** Its text, or the problem that prevented a reply. */
  detail: string
}

export interface SenderNotice {
  to: string
  /** Message-ID of the message, without angle brackets. */
  messageId: string | null
  /** RFC 3461 §4.4, decoded. */
  envelopeId?: string | undefined
  recipients: NoticedRecipient[]
  /** The message: its header is returned. */
  raw: Buffer
  /** RFC 3461 §4.3: all of it, if it failed and is small enough. */
  returnsAll?: boolean
  acceptedAt: number
  /** Time of the last attempt for delayed recipients. */
  retryUntil: number | null
  /** Summary of the attempts so far. */
  tried: string
}

const MAX_RECIPIENTS = 50
/** Max length of what is said of recipients, and of a whole notice: it has to fit in the row of its message. */
const MAX_RECIPIENT_BYTES = 32 * 1024
const MAX_NOTICE_BYTES = 60 * 1024

export function composeSenderNotice(notice: SenderNotice, sender: NoticeSender): Buffer {
  const recipients = fitting(notice.recipients)
  const failed = recipients.filter(({ action }) => action === 'failed')
  const delayed = recipients.filter(({ action }) => action === 'delayed')
  const delivered = recipients.filter(({ action }) => action === 'delivered')
  const relayed = recipients.filter(({ action }) => action === 'relayed')
  const left = notice.recipients.length - recipients.length
  const reference = notice.messageId === null ? [] : [`<${printable(notice.messageId)}>`]
  return composeStatusReport(
    {
      to: notice.to,
      subject: subjectOf(recipients),
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
        ...listed(delivered, 'Your message was delivered to:'),
        ...listed(relayed, 'Your message was passed on to servers that confirm no delivery, for:'),
        ...(relayed.length > 0 ? ['It may still fail there; then those servers send a notice of their own.', ''] : []),
        ...(left > 0 ? [`And ${left} more recipients; the message shows their states.`, ''] : []),
      ],
      status: [
        ...(notice.envelopeId === undefined ? [] : [`Original-Envelope-Id: ${printable(notice.envelopeId)}`]),
        `Arrival-Date: ${mailDate(notice.acceptedAt)}`,
        ...recipients.flatMap((recipient) => ['', ...statusOf(recipient, notice, sender.now)]),
      ],
      raw: notice.raw,
      maxBytesWithAll: notice.returnsAll && failed.length > 0 ? MAX_NOTICE_BYTES : 0,
    },
    sender,
  )
}

function subjectOf(recipients: readonly NoticedRecipient[]): string {
  const has = (wanted: NoticedRecipient['action']): boolean => recipients.some(({ action }) => action === wanted)
  if (has('failed')) return 'Not delivered: your message could not be delivered'
  if (has('delayed')) return 'Delayed: your message is still being tried'
  return has('delivered') ? 'Delivered: your message reached its mailbox' : 'Passed on: your message is on its way'
}

/** As many as there is room for; address and reply are there for people and for programs. */
function fitting(recipients: readonly NoticedRecipient[]): NoticedRecipient[] {
  let bytes = 0
  return recipients.slice(0, MAX_RECIPIENTS).filter(({ address, detail, original = '' }, i) => {
    bytes += 2 * (address.length + detail.length) + original.length + 200
    return i === 0 || bytes <= MAX_RECIPIENT_BYTES
  })
}

function listed(recipients: NoticedRecipient[], title: string): string[] {
  if (recipients.length === 0) return []
  return [
    title,
    '',
    ...recipients.flatMap(({ address, detail }) => [shownRecipient(address), `    ${printable(detail)}`, '']),
  ]
}

/** RFC 3463 §3.1. */
const CLASS: Record<NoticedRecipient['action'], string> = { failed: '5', delayed: '4', delivered: '2', relayed: '2' }

/** RFC 3464 §2.3. */
function statusOf(recipient: NoticedRecipient, { retryUntil }: SenderNotice, now: number): string[] {
  const { address, original, action, smtpCode, detail } = recipient
  const kind = CLASS[action]
  const hasProblem = action === 'failed' || action === 'delayed'
  const enhanced = /^(?:\d{3}[ -])?([245]\.\d{1,3}\.\d{1,3})(?!\d)/.exec(detail)?.[1]
  // A recipient given up after a temporary reply keeps the reply's code: the class is the reason, the action the outcome (§2.3.4).
  return [
    ...(original === undefined ? [] : [`Original-Recipient: ${printable(original)}`]),
    finalRecipient(address),
    `Action: ${action}`,
    `Status: ${enhanced ?? `${kind}.0.0`}`,
    ...(smtpCode === null || !hasProblem ? [] : [`Diagnostic-Code: smtp; ${printable(detail)}`]),
    `Last-Attempt-Date: ${mailDate(now)}`,
    ...(action === 'delayed' && retryUntil !== null ? [`Will-Retry-Until: ${mailDate(retryUntil)}`] : []),
  ]
}
