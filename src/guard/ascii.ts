/** The form of words that rules look at, for text in ASCII, which most text is: in one pass, where other text takes several. */
import { unitsOf } from '../lib/units.js'

const SPACE = 0x20
const TAB = 0x09
const CARRIAGE_RETURN = 0x0d
const TORN_SIGNS = new Set([...".,:'"].map((sign) => sign.charCodeAt(0)))

let kept = Buffer.alloc(1 << 16)

export interface AsciiWords {
  /** Lower case, one space between words, none around them. */
  words: string
  /** Whether one of `.,:'` stands between spaces. */
  isTorn: boolean
}

/** @returns undefined for a text that is not in ASCII alone */
export function asciiWords(text: string): AsciiWords | undefined {
  const units = unitsOf(text)
  if (kept.length < units.length) kept = Buffer.alloc(2 * units.length)
  const bytes = kept
  /** Up to where the text is read when one of the signs is known to stand alone. */
  let torn = Infinity
  let length = 0
  for (let at = 0; at < units.length; at++) {
    const code = units[at] ?? 0
    if (code > 0x7f) return undefined
    if (code === SPACE || (code >= TAB && code <= CARRIAGE_RETURN)) {
      if (length === 0 || bytes[length - 1] === SPACE) continue
      bytes[length++] = SPACE
      const isTorn = length > 2 && bytes[length - 3] === SPACE && TORN_SIGNS.has(bytes[length - 2] ?? 0)
      if (isTorn && torn === Infinity) torn = length
    } else bytes[length++] = code >= 0x41 && code <= 0x5a ? code | 0x20 : code
  }
  if (length > 0 && bytes[length - 1] === SPACE) length--
  return { words: bytes.toString('latin1', 0, length), isTorn: torn <= length }
}
