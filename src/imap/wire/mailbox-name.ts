/** Mailbox names: UTF-8 or modified UTF-7, INBOX in any case (RFC 9051 §5.1, RFC 3501 §5.1.3). */
import { decodeModifiedUtf7, encodeModifiedUtf7 } from './modified-utf7.js'
import type { Scanner } from './scanner.js'

const MAX_NAME_BYTES = 1000
/** RFC 6855 §3: no control characters, no line and paragraph separators. */
const FORBIDDEN = /[\p{Cc}\u2028\u2029]/u

/** The name as people read it; `INBOX` in upper case. */
export function readMailbox(scanner: Scanner): string {
  const name = decoded(scanner, scanner.astring('a mailbox name'))
  return /^inbox$/i.test(name) ? 'INBOX' : name
}

/** A pattern of LIST: `*` and `%` stand for themselves in both forms. */
export function readMailboxPattern(scanner: Scanner): string {
  return decoded(scanner, scanner.pattern('a mailbox name or pattern'))
}

/** The name as it is sent, before quoting. */
export function encodeMailbox(name: string, { utf8 }: { utf8: boolean }): string {
  return utf8 ? name : encodeModifiedUtf7(name)
}

function decoded(scanner: Scanner, given: string): string {
  if (Buffer.byteLength(given) > MAX_NAME_BYTES)
    scanner.reject(`the mailbox name has more than ${MAX_NAME_BYTES} octets`)
  const name = scanner.utf8 ? given : decodeModifiedUtf7(given)
  if (name === undefined) scanner.reject('the mailbox name is not modified UTF-7')
  if (FORBIDDEN.test(name)) scanner.reject('the mailbox name has control characters')
  return name
}
