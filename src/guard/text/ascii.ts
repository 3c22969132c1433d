/** The plain form of words for ASCII, which most text is: one pass instead of several. */
import { unitsOf } from '../../lib/units.js'

const SPACE = 0x20
const MAX_ASCII = 0x7f

/** The lower case of each character, and a space for white space. */
const PLAIN = Uint8Array.from({ length: 128 }, (_, code) =>
  /\s/.test(String.fromCharCode(code)) ? SPACE : String.fromCharCode(code).toLowerCase().charCodeAt(0),
)

let kept = Buffer.alloc(1 << 16)

export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}

/** @returns the words in lower case, separated by single spaces and trimmed; undefined for text with other characters than ASCII */
export function asciiWords(text: string): string | undefined {
  if (!isAscii(text)) return undefined
  if (kept.length < text.length) kept = Buffer.alloc(2 * text.length)
  const units = unitsOf(text)
  const bytes = kept
  let length = 0
  let before = SPACE
  for (let at = 0; at < units.length; at++) {
    const code = PLAIN[(units[at] ?? 0) & MAX_ASCII] ?? 0
    bytes[length] = code
    // The next character overwrites a repeated space. Word ends are unpredictable, so it is counted without a branch.
    length += (0 - ((code ^ SPACE) | (before ^ SPACE))) >>> 31
    before = code
  }
  if (length > 0 && bytes[length - 1] === SPACE) length--
  return bytes.toString('latin1', 0, length)
}
