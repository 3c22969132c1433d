/**
 * The envelope sender of outgoing mail: an address of its own for each message (VERP), so that what comes back names its message whatever it
 * says, and nobody can make a report up. In the domain of the author, for SPF to agree with From.
 *
 *     b+<51 characters: mailbox, message, whom it is for><11 characters of HMAC-SHA-256>@domain
 *
 * That is the 64 octets of RFC 5321 §4.5.3.1.1 to the letter. A name has five characters at least (lifecycle/claims/names.ts), so nobody can have `b`. What
 * stands behind a `+` is left out by greylists, to which all senders are one and not each a stranger. Letters are read in any case, since not
 * every server keeps it.
 */
import { createHmac } from 'node:crypto'
import { constantTimeEqual, isId } from '../../lib/ids.js'
import { addressKey, domainOf } from '../../mime/address.js'
import type { Message } from '../objects/objects.js'

export interface ReturnAddress {
  mailboxId: string
  messageId: string
  /** Place of the recipient in the message's list; of the first of them when it is for all recipients of one domain. */
  index: number
  /** It was used for this one recipient. */
  single: boolean
}

export interface ReturnPaths {
  /** @param recipients those of the delivery, all of one domain */
  addressFor(message: Pick<Message, 'id' | 'mailbox_id' | 'from' | 'recipients'>, recipients: string[]): string
  /** Whether an address has the form, so that no mailbox can have it. */
  hasForm(address: string): boolean
  /** What the address was made for; undefined when it was not made here. */
  read(address: string): ReturnAddress | undefined
}

const PREFIX = 'b+'
/** Crockford's, as in ULIDs. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const FORM = /^b\+([0-9a-hjkmnp-tv-z]{51})([0-9a-hjkmnp-tv-z]{11})@/
const SUBJECT_CHARS = 51
const MAC_CHARS = 11

/** A ULID's time takes 48 bits, of which 42 last until the year 2109; then its 80 random ones. */
const TIME_BITS = 42n
const ID_BITS = TIME_BITS + 80n
const INDEX_BITS = 10n
const MAX_INDEX = 2 ** Number(INDEX_BITS) - 1

/** @param key of the HMAC, of this daemon alone */
export function createReturnPaths(key: Buffer): ReturnPaths {
  const macOf = (subject: string, domain: string): string =>
    base32(BigInt(`0x${createHmac('sha256', key).update(`${subject}@${domain}`).digest('hex')}`) >> 201n, MAC_CHARS)

  return {
    addressFor(message, recipients) {
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

    hasForm: (address) => addressKey(address).startsWith(PREFIX),

    read(address) {
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

/** The bits of a prefixed ULID. */
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
