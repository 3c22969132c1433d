/** The form of words that rules look at, for text in ASCII, which most text is: in one pass, where other text takes several. */
import { unitsOf } from '../../lib/units.js'

const SPACE = 0x20
const MAX_ASCII = 0x7f

/** Of each character its lower case, and a space for white space. */
const PLAIN = Uint8Array.from({ length: 128 }, (_, code) =>
  /\s/.test(String.fromCharCode(code)) ? SPACE : String.fromCharCode(code).toLowerCase().charCodeAt(0),
)

let kept = Buffer.alloc(1 << 16)

export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}

/** @returns the words in lower case, with one space between them and none around; undefined for a text that is not in ASCII alone */
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
    // A space behind a space is written over. Where words end can't be foretold, so it is counted without a branch.
    length += (0 - ((code ^ SPACE) | (before ^ SPACE))) >>> 31
    before = code
  }
  if (length > 0 && bytes[length - 1] === SPACE) length--
  return bytes.toString('latin1', 0, length)
}
