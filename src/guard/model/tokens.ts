/**
 * The words of a text in order, with addresses, amounts and numbers replaced by their type, and the ends of sentences. Every message is read by it, so it
 * is written by hand: a table gives each character's type, and no string is made of a word. A change of its output is a change of the features
 * (features.ts).
 */
import { unitsOf } from '../../lib/units.js'

export const MAX_WORD_CHARS = 24
const MAX_DIGITS = 5

/** A web address, also one with its parts separated by spaces as in some corpora. Tried at `http` and `www`. */
const ADDRESS =
  /(?:https?\s{0,2}:\s{0,2}\/\s{0,2}\/\s{0,2}|\bwww\s{0,2}\.\s{0,2})[\p{L}\p{N}_-]{1,100}(?:\s?[./?=&_%:~#+-]{1,3}\s?[\p{L}\p{N}_%-]{1,200}){0,40}/uy
/** The domain of a mailbox address behind its `@`, and the characters allowed before it. */
const MAILBOX_DOMAIN = /\s?[\w-]{1,63}(?:\s?\.\s?[\w-]{1,63}){1,5}/y
const MAILBOX_SIGN = /[\w.+-]/
const MAX_LOCAL_CHARS = 64
const SPACE = /\s/

const ADDRESS_MARK = ' \u0001u '
const MAILBOX_MARK = ' \u0001m '
const ADDRESS_LETTER = 0x75
const MAILBOX_LETTER = 0x6d
const DIGIT_ZERO = 0x30
const SPACE_UNIT = 0x20
const STOP_MARK = 0x2e
const IDEOGRAPHIC_STOP = 0x3002

/** Types of characters. Letters and numbers of scripts without spaces have the bit `UNSPACED` too. */
const NOTHING = 0
const LETTER = 1
const NUMBER = 2
const SIGN = 3
const MARK = 4
/** Ends a sentence or a clause: where a space follows, that of Chinese and Japanese everywhere. */
const STOP = 5
const KIND = 7
/** Scripts without spaces between words: each character is a token, and the pairs are the stronger features. */
const UNSPACED = 8
const UNKNOWN = 255

const UNSPACED_SCRIPT = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/** Cached types of the characters of the basic plane. */
const kinds = new Uint8Array(1 << 16).fill(UNKNOWN)

/** Words of a text, in UTF-16 code units. */
export interface Tokens {
  /** The text in its normal form; valid until the next text is read. */
  units: Uint16Array
  /** Bounds of each word in `units`. */
  starts: Uint32Array
  ends: Uint32Array
}

/** Allocates space for `most` tokens. */
export function createTokens(most: number): Tokens {
  return { units: new Uint16Array(), starts: new Uint32Array(most), ends: new Uint32Array(most) }
}

/**
 * Replaces the tokens with the first ones of a text, as many as there is space for.
 *
 * @param most tokens that are read
 */
export function readTokens(text: string, tokens: Tokens, most = tokens.ends.length): number {
  const { starts, ends } = tokens
  const withoutAddresses = replaced(text, addressesIn(text), ADDRESS_MARK)
  const plain = replaced(withoutAddresses, mailboxesIn(withoutAddresses), MAILBOX_MARK)
  const units = unitsOf(plain)
  tokens.units = units
  let count = 0
  let at = 0
  while (at < units.length && count < most) {
    const start = at
    const kind = kindAt(units, at)
    at += widthAt(units, at)
    let end = at
    switch (kind & KIND) {
      case NOTHING:
        continue
      case SIGN:
        break
      case STOP:
        if (count === 0 || !endsSentence(units, start)) continue
        units[start] = STOP_MARK
        break
      case MARK: {
        const meant = units[at] ?? 0
        if (meant !== ADDRESS_LETTER && meant !== MAILBOX_LETTER) continue
        end = ++at
        break
      }
      default: {
        let all = kind
        for (;;) {
          // Most characters are of the same type as the one before.
          while (at < units.length && kinds[units[at] ?? 0] === kind) at++
          if (at === units.length) break
          const next = kindAt(units, at)
          if ((next & KIND) !== (kind & KIND)) break
          all |= next
          at += widthAt(units, at)
        }
        if (all & UNSPACED) {
          for (let i = start; i < at && count < most; i += widthAt(units, i)) {
            starts[count] = i
            ends[count++] = i + widthAt(units, i)
          }
          continue
        }
        end = Math.min(at, start + ((kind & KIND) === NUMBER ? MAX_DIGITS : MAX_WORD_CHARS))
        if ((kind & KIND) === NUMBER) units.fill(DIGIT_ZERO, start, end)
      }
    }
    starts[count] = start
    ends[count++] = end
  }
  return count
}

export function tokenAt({ units, starts, ends }: Tokens, index: number): string {
  return String.fromCharCode(...units.subarray(starts[index], ends[index]))
}

function kindAt(units: Uint16Array, at: number): number {
  const code = units[at] ?? 0
  const known = kinds[code] ?? UNKNOWN
  if (known !== UNKNOWN) return known
  if (widthAt(units, at) === 2) return kindOf(String.fromCharCode(code, units[at + 1] ?? 0))
  const kind = kindOf(String.fromCharCode(code))
  // The type of a surrogate depends on its pair.
  if (!isSurrogate(code)) kinds[code] = kind
  return kind
}

function kindOf(character: string): number {
  const unspaced = UNSPACED_SCRIPT.test(character) ? UNSPACED : 0
  if (/^[\p{L}\p{M}]/u.test(character)) return LETTER | unspaced
  if (/^\p{N}/u.test(character)) return NUMBER | unspaced
  if (/^[$\u20ac\u00a3\u00a5%!?]/.test(character)) return SIGN
  if (/^[.:;\u3002]/.test(character)) return STOP
  return character === '\u0001' ? MARK : NOTHING
}

function endsSentence(units: Uint16Array, stop: number): boolean {
  const next = units[stop + 1] ?? SPACE_UNIT
  return next === SPACE_UNIT || (next >= 0x09 && next <= 0x0d) || units[stop] === IDEOGRAPHIC_STOP
}

function isSurrogate(code: number): boolean {
  return (code & 0xf800) === 0xd800
}

/** Number of units that a character takes. */
function widthAt(units: Uint16Array, at: number): number {
  if (((units[at] ?? 0) & 0xfc00) !== 0xd800) return 1
  return ((units[at + 1] ?? 0) & 0xfc00) === 0xdc00 ? 2 : 1
}

/** Bounds of the web addresses in a text: start, end, start, end. */
function addressesIn(text: string): number[] {
  const found: number[] = []
  let http = text.indexOf('http')
  let www = text.indexOf('www')
  while (http !== -1 || www !== -1) {
    const at = www === -1 || (http !== -1 && http < www) ? http : www
    ADDRESS.lastIndex = at
    const isOne = ADDRESS.test(text)
    if (isOne) found.push(at, ADDRESS.lastIndex)
    const from = isOne ? ADDRESS.lastIndex : at + 1
    if (http !== -1 && http < from) http = text.indexOf('http', from)
    if (www !== -1 && www < from) www = text.indexOf('www', from)
  }
  return found
}

/** Bounds of the mailbox addresses. */
function mailboxesIn(text: string): number[] {
  const found: number[] = []
  let done = 0
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', Math.max(at + 1, done))) {
    const end = at > done && SPACE.test(text[at - 1] ?? '') ? at - 1 : at
    let start = end
    while (start > done && end - start < MAX_LOCAL_CHARS && MAILBOX_SIGN.test(text[start - 1] ?? '')) start--
    if (start === end) continue
    MAILBOX_DOMAIN.lastIndex = at + 1
    if (!MAILBOX_DOMAIN.test(text)) continue
    done = MAILBOX_DOMAIN.lastIndex
    found.push(start, done)
  }
  return found
}

/** The text with a mark in place of what is between the bounds. */
function replaced(text: string, bounds: number[], mark: string): string {
  let plain = ''
  let done = 0
  for (let at = 0; at < bounds.length; at += 2) {
    plain += text.slice(done, bounds[at]) + mark
    done = bounds[at + 1] ?? 0
  }
  return plain + text.slice(done)
}
