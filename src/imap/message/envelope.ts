/** The envelope structure of a message (RFC 9051 §7.5.2). */
import { addressesOf } from './addresses.js'
import { fieldsOf, valueOf, type HeaderField } from './fields.js'
import type { Envelope } from './types.js'

/**
 * The envelope that a header gives.
 *
 * @param header the header of a message, with or without the empty line that ends it
 */
export function envelopeOf(header: Buffer): Envelope {
  return envelopeFrom(header.toString('latin1'))
}

const NAMES = ['date', 'subject', 'from', 'sender', 'reply-to', 'to', 'cc', 'bcc', 'in-reply-to', 'message-id'] as const

/** @param header one octet a character */
export function envelopeFrom(header: string): Envelope {
  const found = new Map<string, HeaderField[]>(NAMES.map((name) => [name, []]))
  for (const field of fieldsOf(header)) found.get(field.name)?.push(field)
  const values = (name: (typeof NAMES)[number]): string[] =>
    (found.get(name) ?? []).map((field) => valueOf(header, field))
  // RFC 5322 §3.6 allows one of each; the API shows the first too.
  const first = (name: (typeof NAMES)[number]): string | null => values(name)[0] ?? null
  const addresses = (name: (typeof NAMES)[number]): Envelope['from'] => addressesOf(values(name))
  const from = addresses('from')
  const orFrom = (list: Envelope['from']): Envelope['from'] => (list.length > 0 ? list : from)
  return {
    date: first('date'),
    subject: first('subject'),
    inReplyTo: first('in-reply-to'),
    messageId: first('message-id'),
    from,
    sender: orFrom(addresses('sender')),
    replyTo: orFrom(addresses('reply-to')),
    to: addresses('to'),
    cc: addresses('cc'),
    bcc: addresses('bcc'),
  }
}
