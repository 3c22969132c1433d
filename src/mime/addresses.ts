/** Address fields and message ids in received headers, where everything may be malformed (RFC 5322 §3.4, §3.6.4, §4.4). */
import { domainToASCII } from 'node:url'
import { toUSVString } from 'node:util'
import addressparser from 'nodemailer/lib/addressparser'
import { decodeWords } from './fields.js'
import type { Address } from './types.js'

/** Max addresses; more are neither kept in memory nor stored. */
const MAX_ADDRESSES = 500
const MAX_ADDRESS_CHARS = 320
const MAX_NAME_CHARS = 320
const MAX_REFERENCES = 100
/** RFC 5322 §2.1.1: max length of a line, and so of an id. */
const MAX_ID_CHARS = 998

export interface AddressList {
  addresses: Address[]
  /** Addresses in the fields, including those past the cap. */
  count: number
}

/** Parses all fields of one name together; groups are flattened, and invalid addresses are left out. */
export function readAddresses(values: string[]): AddressList {
  const addresses: Address[] = []
  let count = 0
  for (const value of values) {
    for (const mailbox of plainMailbox(value) ?? addressparser(value, { flatten: true })) {
      const address = readableAddress(mailbox.address)
      if (address === undefined) continue
      count++
      if (addresses.length < MAX_ADDRESSES) addresses.push({ address, name: readableName(mailbox.name) })
    }
  }
  return { addresses, count }
}

/**
 * The common form: one address alone, or after a name of plain words. Everything else goes to the library's parser, which returns the same for this
 * form.
 */
const PLAIN_MAILBOX =
  /^(?:([\w.+-]{1,64}@[\w.-]{1,250})|(?:("?)([A-Za-z\d]{1,40}(?: [A-Za-z\d]{1,40}){0,4})\2 )?<([\w.+-]{1,64}@[\w.-]{1,250})>)$/

function plainMailbox(value: string): { address: string; name: string }[] | undefined {
  const match = PLAIN_MAILBOX.exec(value)
  return match ? [{ address: match[1] ?? match[4] ?? '', name: match[3] ?? '' }] : undefined
}

function readableAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  if (
    at < 1 ||
    at === text.length - 1 ||
    text.length > MAX_ADDRESS_CHARS ||
    /[\p{Cc}\u2028\u2029]/u.test(text) ||
    /\s/.test(text.slice(at))
  )
    return undefined
  const domain = text.slice(at + 1)
  const ascii = /^[\x00-\x7f]*$/.test(domain) ? domain : domainToASCII(domain)
  return toUSVString(`${text.slice(0, at)}@${(ascii || domain).toLowerCase()}`)
}

function readableName(encoded: string): string {
  const name = decodeWords(encoded.slice(0, 4 * MAX_NAME_CHARS))
  // Some programs put quotes inside the encoded word. Elsewhere, remaining quotes are part of the name.
  const plain = encoded.includes('=?') ? name.replace(/^"(.*)"$/, '$1') : name
  return toUSVString(plain.slice(0, MAX_NAME_CHARS))
}

/** A Message-ID without its angle brackets; null when there is no candidate. */
export function readMessageId(value: string): string | null {
  return readIds(value)[0] ?? null
}

/** The distinct ids of References or In-Reply-To; of too many the first, which identifies the thread, and the last ones, which are nearest. */
export function readReferences(values: string[]): string[] {
  const ids = [...new Set(values.flatMap(readIds))]
  return ids.length <= MAX_REFERENCES ? ids : [...ids.slice(0, 1), ...ids.slice(1 - MAX_REFERENCES)]
}

function readIds(value: string): string[] {
  if (value === '') return []
  const bracketed = [...value.matchAll(/<([^<>]+)>/g)].map((match) => (match[1] ?? '').replace(/\s+/g, ''))
  // Without brackets, only text in the form of an id: old programs wrote phrases and dates into these fields.
  const found =
    bracketed.length > 0 ? bracketed : value.split(/[\s,;<>]+/).filter((token) => /^[^@]+@[^@]+$/.test(token))
  return found
    .filter((id) => id.length > 0 && id.length <= MAX_ID_CHARS && !/\p{Cc}/u.test(id))
    .map((id) => toUSVString(id))
}
