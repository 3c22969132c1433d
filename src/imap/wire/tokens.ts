/** Numbers, dates and flags of RFC 9051 §9, read from a scanner. */
import { parseDate, parseDateTime } from './dates.js'
import type { Scanner } from './scanner.js'

const MAX_NUMBER = 2 ** 32 - 1
const MAX_NUMBER64 = '9223372036854775807'
const MAX_FLAGS = 100

/** 32 bits. */
export function readNumber(scanner: Scanner, what: string): number {
  const number = Number(scanner.digits(what))
  return number <= MAX_NUMBER ? number : scanner.reject(`${what} is larger than ${MAX_NUMBER}`)
}

export function readNzNumber(scanner: Scanner, what: string): number {
  return readNumber(scanner, what) || scanner.reject(`${what} is 0`)
}

/** 63 bits. Numbers that JavaScript has no exact form for are given as the largest that it has: nothing here is that large. */
export function readNumber64(scanner: Scanner, what: string): number {
  const digits = scanner.digits(what).replace(/^0+(?=.)/, '')
  const isTooLarge =
    digits.length > MAX_NUMBER64.length || (digits.length === MAX_NUMBER64.length && digits > MAX_NUMBER64)
  if (isTooLarge) scanner.reject(`${what} is larger than ${MAX_NUMBER64}`)
  return Math.min(Number(digits), Number.MAX_SAFE_INTEGER)
}

export function readNzNumber64(scanner: Scanner, what: string): number {
  return readNumber64(scanner, what) || scanner.reject(`${what} is 0`)
}

/** A day, in quotes or without. @returns milliseconds of its beginning in UTC */
export function readDate(scanner: Scanner): number {
  const text = scanner.peek() === '"' ? scanner.quoted('a date') : scanner.atom('a date')
  return parseDate(text) ?? scanner.reject('not a date such as 1-Feb-1994')
}

/** @returns milliseconds since 1970 */
export function readDateTime(scanner: Scanner): number {
  return parseDateTime(scanner.quoted('a date')) ?? scanner.reject('not a date such as "01-Feb-1994 21:52:25 -0800"')
}

const SYSTEM_FLAGS = ['\\Answered', '\\Deleted', '\\Draft', '\\Flagged', '\\Recent', '\\Seen']

/** A flag or keyword; system flags in their usual case. */
export function readFlag(scanner: Scanner): string {
  const flag = scanner.skip('\\') ? `\\${scanner.atom('a flag')}` : scanner.atom('a flag')
  return SYSTEM_FLAGS.find((known) => known.toLowerCase() === flag.toLowerCase()) ?? flag
}

/** Flags in parentheses, each once. */
export function readFlagList(scanner: Scanner): string[] {
  return unique(scanner.list('flags', { min: 0, max: MAX_FLAGS }, () => readFlag(scanner)))
}

/** Flags in parentheses or without (RFC 9051 §9: store-att-flags), each once. */
export function readFlags(scanner: Scanner): string[] {
  if (scanner.peek() === '(') return readFlagList(scanner)
  const flags = [readFlag(scanner)]
  while (scanner.skip(' ')) {
    if (flags.length === MAX_FLAGS) scanner.fail(`more than ${MAX_FLAGS} items: flags`)
    flags.push(readFlag(scanner))
  }
  return unique(flags)
}

/** Keywords differ by more than case (RFC 9051 §2.3.2). */
function unique(flags: string[]): string[] {
  return [...new Map(flags.map((flag) => [flag.toLowerCase(), flag])).values()]
}
