/**
 * The reverse-path of outgoing mail: unique per message (VERP) and authenticated, so that a bounce identifies its message and reports cannot be forged. It uses
 * the author's domain for SPF alignment.
 *
 * b+<51 characters: mailbox, message, recipient><11 characters of HMAC-SHA-256>@domain
 *
 * That is exactly the 64 octets of RFC 5321 §4.5.3.1.1. Names have at least five characters (lifecycle/claims/names.ts), so nobody can have `b`. Greylists
 * ignore what follows `+`, so all senders look like one. Case does not matter, since some servers change it.
 */
import { createHmac } from 'node:crypto'
import { constantTimeEqual, isId } from '../../lib/ids.js'
import { addressKey, domainOf } from '../../mime/address.js'
import type { Message } from '../objects/objects.js'

export interface ReturnAddress {
  mailboxId: string
  messageId: string
  /** Index of the recipient; of the first one if shared by all recipients of a domain. */
  index: number
  /** True if used for this recipient only. */
  single: boolean
}

const PREFIX = 'b+'
/** Crockford base32, as in ULIDs. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const FORM = /^b\+([0-9a-hjkmnp-tv-z]{51})([0-9a-hjkmnp-tv-z]{11})@/
const SUBJECT_CHARS = 51
const MAC_CHARS = 11

/** A ULID has 48 bits of time, of which 42 last until 2109, then 80 random bits. */
const TIME_BITS = 42n
const ID_BITS = TIME_BITS + 80n
const INDEX_BITS = 10n
const MAX_INDEX = 2 ** Number(INDEX_BITS) - 1

export type ReturnPaths = ReturnType<typeof createReturnPaths>

/** @param key HMAC key of this daemon */
export function createReturnPaths(key: Buffer) {
  const macOf = (subject: string, domain: string): string =>
    base32(BigInt(`0x${createHmac('sha256', key).update(`${subject}@${domain}`).digest('hex')}`) >> 201n, MAC_CHARS)

  return {
    /** @param recipients of one delivery, all of one domain */
    addressFor(message: Pick<Message, 'id' | 'mailbox_id' | 'from' | 'recipients'>, recipients: string[]): string {
      if (!message.from) throw new Error(`${message.id} has no sender`)
      const first = addressKey(recipients[0] ?? '')
      const index = message.recipients.findIndex(({ address }) => addressKey(address) === first)
      if (index < 0 || index > MAX_INDEX) throw new Error(`${message.id} has no return path for its recipient ${index}`)
      const ids = (bitsOf(message.mailbox_id) << ID_BITS) | bitsOf(message.id)
      const single = recipients.length === 1 ? 1n : 0n
      const subject = base32((((ids << INDEX_BITS) | BigInt(index)) << 1n) | single, SUBJECT_CHARS)
      const domain = domainOf(message.from.address)
      return `${PREFIX}${subject}${macOf(subject, domain)}@${domain}`
    },

    /** True if an address has the form of a return path. */
    hasForm: (address: string) => addressKey(address).startsWith(PREFIX),

    read(address: string): ReturnAddress | undefined {
      const [, subject, mac] = FORM.exec(addressKey(address)) ?? []
      if (subject === undefined || mac === undefined) return undefined
      if (!constantTimeEqual(mac, macOf(subject, domainOf(address)))) return undefined
      const bits = fromBase32(subject)
      const ids = bits >> (INDEX_BITS + 1n)
      return {
        mailboxId: `mbx_${ulidOf(ids >> ID_BITS)}`,
        messageId: `msg_${ulidOf(ids & ((1n << ID_BITS) - 1n))}`,
        index: Number((bits >> 1n) & ((1n << INDEX_BITS) - 1n)),
        single: (bits & 1n) === 1n,
      }
    },
  }
}

function bitsOf(id: string): bigint {
  if (!isId('mbx', id) && !isId('msg', id)) throw new Error(`${id} is no id`)
  const bits = fromBase32(id.slice(-26).toLowerCase())
  if (bits >> ID_BITS !== 0n) throw new Error(`${id} is of another century`)
  return bits
}

function ulidOf(bits: bigint): string {
  return base32(bits, 26).toUpperCase()
}

function base32(bits: bigint, length: number): string {
  let text = ''
  for (let rest = bits; text.length < length; rest >>= 5n) text = ALPHABET.charAt(Number(rest & 31n)) + text
  return text
}

function fromBase32(text: string): bigint {
  let bits = 0n
  for (const character of text) bits = (bits << 5n) | BigInt(ALPHABET.indexOf(character))
  return bits
}
