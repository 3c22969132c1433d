/** Saying that a message was delivered, to a sender who asked for it: a delivery status notification (RFC 3461 §6, RFC 3464). */
import { isAscii } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { asciiOnly } from '../../lib/text.js'
import { mailDate } from '../date.js'
import { headerLength } from '../headers.js'

export interface DeliveryNotice {
  /** Reverse-path of the message; never the null sender. */
  to: string
  /** ENVID of its MAIL, decoded. */
  envelopeId: string | undefined
  recipients: {
    /** The address that was delivered to. */
    address: string
    /** ORCPT of its RCPT, `addr-type;address`, decoded. */
    original: string | undefined
  }[]
  /** Of the message as it came: the header is told, and nothing of the text (RFC 3461 §4.3). */
  raw: Buffer
  arrivedAt: number
}

export interface NoticeSender {
  /** Name of this server. */
  hostname: string
  /** In the From field. */
  address: string
  now: number
}

/** A header longer than this is cut after its last whole line within: it is there to be recognised by. */
const MAX_HEADER_BYTES = 16 * 1024
/** An address is at most 254 octets and ORCPT at most 500. */
const MAX_VALUE_LENGTH = 500

export function composeDeliveryNotice(notice: DeliveryNotice, sender: NoticeSender): Buffer {
  return composeStatusReport(
    {
      to: notice.to,
      subject: 'Delivered: your message reached its mailbox',
      fields: [],
      words: [
        `Your message was delivered by ${sender.hostname} to:`,
        '',
        ...notice.recipients.map(({ address }) => `    <${asciiOnly(address, MAX_VALUE_LENGTH)}>`),
        '',
        'You get this notice because its delivery was to be confirmed. Whether it was read is not known.',
        '',
      ],
      status: [
        ...(notice.envelopeId === undefined ? [] : [`Original-Envelope-Id: ${printable(notice.envelopeId)}`]),
        `Arrival-Date: ${mailDate(notice.arrivedAt)}`,
        ...notice.recipients.flatMap(({ address, original }) => [
          '',
          ...(original === undefined ? [] : [`Original-Recipient: ${printable(original)}`]),
          `Final-Recipient: rfc822; ${printable(address)}`,
          'Action: delivered',
          'Status: 2.0.0',
        ]),
      ],
      raw: notice.raw,
    },
    sender,
  )
}

/** What a delivery status notification says, in lines; the parts and the fields that all of them have are the same (RFC 3464 §2). */
interface StatusReport {
  to: string
  subject: string
  /** Further fields of its header. */
  fields: string[]
  /** For people. */
  words: string[]
  /** For programs, behind Reporting-MTA. */
  status: string[]
  /** The message it is about: its header is told. */
  raw: Buffer
}

export function composeStatusReport(
  { to, subject, fields, words, status, raw }: StatusReport,
  sender: NoticeSender,
): Buffer {
  const boundary = `=_${randomBytes(18).toString('hex')}`
  const header = headerOf(raw)
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
    'Content-Type: text/plain; charset=us-ascii',
    '',
    ...words,
    `--${boundary}`,
    'Content-Type: message/delivery-status',
    '',
    `Reporting-MTA: dns; ${sender.hostname}`,
    ...status,
    '',
    `--${boundary}`,
    'Content-Type: text/rfc822-headers; charset=utf-8',
    ...(isAscii(header) ? [] : ['Content-Transfer-Encoding: 8bit']),
    '',
    '',
  ]
  return Buffer.concat([Buffer.from(lines.join('\r\n')), header, Buffer.from(`\r\n--${boundary}--\r\n`)])
}

function printable(text: string): string {
  return asciiOnly(text, MAX_VALUE_LENGTH)
}

function headerOf(raw: Buffer): Buffer {
  const section = raw.subarray(0, headerLength(raw))
  const header = section.toString('latin1', section.length - 4) === '\r\n\r\n' ? section.subarray(0, -2) : section
  if (header.length <= MAX_HEADER_BYTES) return header
  return header.subarray(0, header.lastIndexOf('\r\n', MAX_HEADER_BYTES) + 2)
}
