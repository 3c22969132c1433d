/**
 * Addresses as API callers write them: one address, strictly parsed. Addresses in received headers are parsed by `addresses.ts`.
 * Accepted is `local@domain`, alone or as `Name <local@domain>`, where the local part is a dot-string or a quoted string (RFC 5321 §4.1.2),
 * which may go beyond ASCII (RFC 6531 §3.3), and the domain a fully qualified DNS name (RFC 5321 §2.3.5), written in Unicode or ASCII (RFC 5891).
 * Refused are comments, routes, groups, address literals and single labels.
 */
import { domainToASCII } from 'node:url'
import type { Address } from './types.js'

/** RFC 5321 §4.5.3.1: 64 octets of local part, and 254 in all, since a path of 256 includes its angle brackets. */
const MAX_LOCAL_BYTES = 64
const MAX_ADDRESS_BYTES = 254
const MAX_NAME_BYTES = 320

const ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~\\u{80}-\\u{10ffff}-]+"
const DOT_STRING = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`, 'iu')
/** Without angle brackets, which nodemailer removes from any position in an address. */
const QUOTED_STRING = /^"(?:[\x20\x21\x23-\x3b\x3d\x3f-\x5b\x5d-\x7e\u{80}-\u{10ffff}]|\\[\x20-\x3b\x3d\x3f-\x7e])+"$/u
const ASCII = /^[\x00-\x7f]*$/
/** Readers of header fields take it for the start of an encoded word (RFC 2047), and what is beyond ASCII behind it for octets of that. */
const ENCODED_WORD = '=?'
/** The Greek question mark, varia and the Kelvin sign, which NFC or lower case turns into ASCII: no address may be taken for one of those letters. */
const ASCII_IN_DISGUISE = /[\u037e\u1fef\u212a]/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** Control characters, line and paragraph separators, and characters that change the direction of text, which no name needs. */
const UNFIT_IN_NAME = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** @returns the address with its domain in lower-case ASCII and its local part in NFC (RFC 6532 §3.1); undefined when it is invalid */
export function parseAddress(text: string): Address | undefined {
  if (text.length > 2 * (MAX_NAME_BYTES + MAX_ADDRESS_BYTES) || UNFIT_IN_NAME.test(text)) return undefined
  const trimmed = text.trim()
  if (trimmed.length > MAX_NAME_BYTES + MAX_ADDRESS_BYTES) return undefined
  if (!trimmed.endsWith('>')) {
    const address = parseAddrSpec(trimmed)
    return address === undefined ? undefined : { address, name: '' }
  }
  const open = trimmed.lastIndexOf('<')
  if (open === -1) return undefined
  const address = parseAddrSpec(trimmed.slice(open + 1, -1).trim())
  const name = parseName(trimmed.slice(0, open).trim())
  return address === undefined || name === undefined ? undefined : { address, name }
}

/**
 * A key for comparing addresses: in lower case and NFC. Local parts are the receiver's business (RFC 5321 §2.4), but no receiver distinguishes them by
 * case, or by the way a letter with an accent is written. The key of an address beyond ASCII is never that of one within it.
 */
export function addressKey(address: string): string {
  if (ASCII.test(address)) return address.toLowerCase()
  return address.replace(/[^\u037e\u1fef\u212a]+/g, (run) => run.toLowerCase().normalize('NFC'))
}

/**
 * True for a local part beyond ASCII with characters that no address needs and that mislead: controls, marks of direction and other invisible ones,
 * unassigned ones, and spaces that are not ASCII's (RFC 8264 §9 disallows them).
 */
export function misleads(localPart: string): boolean {
  return /[\p{C}\p{Z}]/u.test(localPart.replace(/[\x20-\x7e]+/g, ''))
}

/** The domain of an address in lower case: the text after the last `@`. */
export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase()
}

/** The address with its domain in ASCII, as in SMTP and DNS (RFC 5891 §5). */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return /^[\x20-\x7e]*$/.test(domain) ? address : `${address.slice(0, at + 1)}${domainToASCII(domain)}`
}

function parseAddrSpec(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const local = parseLocal(text.slice(0, Math.max(at, 0)))
  const domain = parseDomain(text.slice(at + 1))
  if (local === undefined || domain === undefined) return undefined
  return Buffer.byteLength(local) + 1 + domain.length > MAX_ADDRESS_BYTES ? undefined : `${local}@${domain}`
}

function parseLocal(text: string): string | undefined {
  if (misleads(text) || ASCII_IN_DISGUISE.test(text)) return undefined
  if (!ASCII.test(text) && text.includes(ENCODED_WORD)) return undefined
  const local = text.normalize('NFC')
  const fits = Buffer.byteLength(local) <= MAX_LOCAL_BYTES && (DOT_STRING.test(local) || QUOTED_STRING.test(local))
  return fits ? local : undefined
}

function parseDomain(text: string): string | undefined {
  // `domainToASCII` also accepts forms for URLs only: percent escapes and numbers that represent an IPv4 address.
  if (/[%[\]:/?#@\s]/.test(text)) return undefined
  const domain = domainToASCII(text)
  const labels = domain.split('.')
  if (labels.length < 2 || !labels.every((label) => LABEL.test(label))) return undefined
  return /^\d+$/.test(labels.at(-1) ?? '') ? undefined : domain
}

/** A display name: a quoted string, or free text, which most people write without the quotes that RFC 5322 §3.2.5 requires around `.` and `,`. */
function parseName(text: string): string | undefined {
  if (Buffer.byteLength(text) > MAX_NAME_BYTES) return undefined
  const quoted = /^"((?:[^"\\]|\\.)*)"$/.exec(text)?.[1]
  if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1').trim()
  return /["<>]/.test(text) ? undefined : text
}
