/** The notice that a message was delivered, for a sender who requested it: a delivery status notification (RFC 3461 §6, RFC 3464). */
import { isAscii } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { asciiOnly, oneLine } from '../../lib/text.js'
import { mailDate } from '../date.js'
import { typedRecipient } from '../dsn-request.js'
import { headerLength } from '../headers.js'

export interface DeliveryNotice {
  /** Reverse-path of the message; never the null sender. */
  to: string
  /** ENVID of its MAIL command, decoded. */
  envelopeId: string | undefined
  recipients: {
    address: string
    /** ORCPT of its RCPT command, `addr-type;address`, decoded. */
    original: string | undefined
  }[]
  /** The message as received: its header is returned, and nothing of its text (RFC 3461 §4.3). */
  raw: Buffer
  arrivedAt: number
}

export interface NoticeSender {
  /** Name of this server. */
  hostname: string
  address: string
  now: number
}

/** Max length of the returned header, cut after the last whole line: it only identifies the message. */
const MAX_HEADER_BYTES = 16 * 1024
/** An address is at most 254 octets and ORCPT at most 500. */
const MAX_VALUE_LENGTH = 500

export const printable = (text: string): string => asciiOnly(text, MAX_VALUE_LENGTH)

/** RFC 3464 §2.3.2; beyond ASCII in the form of RFC 6533 §3 that passes every server. */
export function finalRecipient(address: string): string {
  const typed = typedRecipient(address)
  return `Final-Recipient: ${typed.type}; ${printable(typed.address)}`
}

/** For people. */
export const shownRecipient = (address: string): string => `    <${oneLine(address).slice(0, MAX_VALUE_LENGTH)}>`

export function composeDeliveryNotice(notice: DeliveryNotice, sender: NoticeSender): Buffer {
  return composeStatusReport(
    {
      to: notice.to,
      subject: 'Delivered: your message reached its mailbox',
      fields: [],
      words: [
        `Your message was delivered by ${sender.hostname} to:`,
        '',
        ...notice.recipients.map(({ address }) => shownRecipient(address)),
        '',
        'You get this notice because the message requested a confirmation of its delivery. Whether it was read is not known.',
        '',
      ],
      status: [
        ...(notice.envelopeId === undefined ? [] : [`Original-Envelope-Id: ${printable(notice.envelopeId)}`]),
        `Arrival-Date: ${mailDate(notice.arrivedAt)}`,
        ...notice.recipients.flatMap(({ address, original }) => [
          '',
          ...(original === undefined ? [] : [`Original-Recipient: ${printable(original)}`]),
          finalRecipient(address),
          'Action: delivered',
          'Status: 2.0.0',
        ]),
      ],
      raw: notice.raw,
    },
    sender,
  )
}

/** The content of a delivery status notification, in lines; structure and common fields are the same for all of them (RFC 3464 §2). */
interface StatusReport {
  to: string
  subject: string
  fields: string[]
  /** The part for people. */
  words: string[]
  /** The part for programs, after Reporting-MTA. */
  status: string[]
  /** The message it is about: its header is returned. */
  raw: Buffer
  /** All of the message is returned if the report then has at most so many bytes. */
  maxBytesWithAll?: number
}

export function composeStatusReport(
  { to, subject, fields, words, status, raw, maxBytesWithAll = 0 }: StatusReport,
  sender: NoticeSender,
): Buffer {
  const boundary = `=_${randomBytes(18).toString('hex')}`
  const lines = [
    `From: Mail Delivery System <${sender.address}>`,
    `To: <${to}>`,
    `Subject: ${subject}`,
    `Date: ${mailDate(sender.now)}`,
    `Message-ID: <${randomBytes(16).toString('hex')}@${sender.hostname}>`,
    ...fields,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=delivery-status;\r\n\tboundary="${boundary}"`,
    '',
    `--${boundary}`,
    ...textPart(words),
    `--${boundary}`,
    'Content-Type: message/delivery-status',
    '',
    `Reporting-MTA: dns; ${sender.hostname}`,
    ...status,
    '',
    `--${boundary}`,
    '',
  ]
  const start = Buffer.from(lines.join('\r\n'))
  const returned = start.length + raw.length <= maxBytesWithAll ? wholeOf(raw) : headerPartOf(raw)
  return Buffer.concat([start, returned, Buffer.from(`\r\n--${boundary}--\r\n`)])
}

/** Base64 passes servers without 8BITMIME. */
function textPart(words: string[]): string[] {
  const text = Buffer.from(words.join('\r\n'))
  if (isAscii(text)) return ['Content-Type: text/plain; charset=us-ascii', '', text.toString()]
  const lines = text.toString('base64').match(/.{1,76}/g) ?? []
  return ['Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: base64', '', ...lines]
}

/** RFC 6533 §4: a header beyond ASCII makes it a global message. */
function wholeOf(raw: Buffer): Buffer {
  const type = isAscii(raw.subarray(0, headerLength(raw))) ? 'message/rfc822' : 'message/global'
  return partOf(type, raw)
}

function headerPartOf(raw: Buffer): Buffer {
  return partOf('text/rfc822-headers; charset=utf-8', headerOf(raw))
}

function partOf(type: string, content: Buffer): Buffer {
  const fields = [`Content-Type: ${type}`, ...(isAscii(content) ? [] : ['Content-Transfer-Encoding: 8bit']), '', '']
  return Buffer.concat([Buffer.from(fields.join('\r\n')), content])
}

function headerOf(raw: Buffer): Buffer {
  const section = raw.subarray(0, headerLength(raw))
  const header = section.toString('latin1', section.length - 4) === '\r\n\r\n' ? section.subarray(0, -2) : section
  if (header.length <= MAX_HEADER_BYTES) return header
  return header.subarray(0, header.lastIndexOf('\r\n', MAX_HEADER_BYTES) + 2)
}
