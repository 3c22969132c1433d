/** The envelope structure of a message (RFC 9051 §7.5.2). */
import { addressesOf } from './addresses.js'
import { fieldsOf, valueOf } from './fields.js'
import type { Envelope } from './types.js'

/**
 * The envelope that a header gives.
 *
 * @param header the header of a message, with or without the empty line that ends it
 */
export function envelopeOf(header: Buffer): Envelope {
  return envelopeFrom(header.toString('latin1'))
}

/** @param header one octet a character */
export function envelopeFrom(header: string): Envelope {
  const fields = fieldsOf(header)
  const named = (name: string): string[] =>
    fields.filter((field) => field.name === name).map((field) => valueOf(header, field))
  const first = (name: string): string | null => named(name)[0] ?? null
  const addresses = (name: string): Envelope['from'] => addressesOf(named(name))
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
