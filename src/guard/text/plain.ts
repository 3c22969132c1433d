/**
 * The plain form of words in one pass, for ASCII and for texts of characters that don't change with their neighbours. Others need the passes of
 * normalization, folding and case one after the other.
 */
import { nfkc } from '../../lib/normalize.js'
import { unitsOf } from '../../lib/units.js'
import { letterInParentheses, mayBeLetter } from './boxed.js'
import { OTHER_SCRIPT, withoutMarks } from './confusables.js'

// Soft hyphen, zero-width and joining characters, direction marks, variation selectors, byte order mark.
export const INVISIBLE =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb]|\ud834[\udd73-\udd7a]|\udb40[\udc00-\uddef]/g

const SPACE = 0x20
const MAX_ASCII = 0x7f

/** The lower case of each character, and a space for white space. */
const PLAIN = Uint8Array.from({ length: 128 }, (_, code) =>
  /\s/.test(String.fromCharCode(code)) ? SPACE : String.fromCharCode(code).toLowerCase().charCodeAt(0),
)

let bytes = Buffer.alloc(1 << 16)

export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}

/** @returns the words in lower case, separated by single spaces and trimmed; undefined for text with other characters than ASCII */
export function asciiWords(text: string): string | undefined {
  if (!isAscii(text)) return undefined
  if (bytes.length < text.length) bytes = Buffer.alloc(2 * text.length)
  const units = unitsOf(text)
  const written = bytes
  let length = 0
  let before = SPACE
  for (let at = 0; at < units.length; at++) {
    const code = PLAIN[(units[at] ?? 0) & MAX_ASCII] ?? 0
    written[length] = code
    // The next character overwrites a repeated space. Word ends are unpredictable, so it is counted without a branch.
    length += (0 - ((code ^ SPACE) | (before ^ SPACE))) >>> 31
    before = code
  }
  if (length > 0 && written[length - 1] === SPACE) length--
  return written.toString('latin1', 0, length)
}

// Entries of the table that are no character: not asked for yet, changes with its neighbours, removed, becomes several.
const UNKNOWN = 0
const DEPENDS = 1
const NOTHING = 2
const SEVERAL = 3

/** What becomes of each character of the basic plane, computed when it is first met. */
const FORMS = new Uint16Array(1 << 16).fill(UNKNOWN)
const SEVERAL_OF = new Map<number, string>()

let kept = new Uint16Array(1 << 16)

/** @returns the same as `withoutMarks(readable(text))`; undefined if a character changes with its neighbours */
export function plainByCharacter(text: string): string | undefined {
  const units = unitsOf(text)
  // Ligatures of Arabic become up to eighteen characters; no text is of these.
  if (kept.length < 2 * units.length + 32) kept = new Uint16Array(4 * units.length)
  const written = kept
  let length = 0
  let before = SPACE
  let all = 0
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] ?? 0
    let form = FORMS[unit] ?? 0
    if (form === UNKNOWN) form = learn(unit)
    if (form > SEVERAL) {
      written[length] = form
      // The next character overwrites a repeated space.
      if (form !== SPACE || before !== SPACE) length++
      before = form
      all |= form
    } else if (form === DEPENDS) {
      if (!isPlainPair(unit, units[at + 1])) return undefined
      written[length++] = unit
      written[length++] = before = units[++at] ?? 0
      all |= unit
    } else if (form === SEVERAL) {
      const several = SEVERAL_OF.get(unit) ?? ''
      if (length + several.length + units.length - at > written.length) return undefined
      for (let i = 0; i < several.length; i++) {
        const code = several.charCodeAt(i)
        if (code === SPACE && before === SPACE) continue
        written[length++] = before = code
        all |= code
      }
    }
  }
  if (length > 0 && written[length - 1] === SPACE) length--
  return decoded(written, length, all)
}

/** True if no character of a text changes with its neighbours; none is of a script with letters that look Latin either. */
export function isByCharacter(text: string): boolean {
  const units = unitsOf(text)
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] ?? 0
    const form = FORMS[unit] ?? 0
    if ((form === UNKNOWN ? learn(unit) : form) !== DEPENDS) continue
    if (!isPlainPair(unit, units[at + 1])) return false
    at++
  }
  return true
}

/** Mostly ASCII is left, which takes half the room and time in all that follows. */
function decoded(units: Uint16Array, length: number, all: number): string {
  if (all > 0xff) return Buffer.from(units.buffer, units.byteOffset, 2 * length).toString('utf16le')
  if (bytes.length < length) bytes = Buffer.alloc(2 * length)
  for (let at = 0; at < length; at++) bytes[at] = units[at] ?? 0
  return bytes.toString('latin1', 0, length)
}

/** True for pictures beyond the basic plane, which have no other form. */
function isPlainPair(high: number, low = 0): boolean {
  if (low < 0xdc00 || low > 0xdfff) return false
  return high === 0xd83d || (high === 0xd83c && low >= 0xdf00) || (high === 0xd83e && low < 0xdfc0)
}

/** Marks, and letters of Korean that are put together, in any form. */
const JOINS = /[\p{M}\p{Cs}\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]/u

function learn(unit: number): number {
  const form = formOf(String.fromCharCode(unit))
  if (form === undefined) return (FORMS[unit] = DEPENDS)
  if (form === '') return (FORMS[unit] = NOTHING)
  const code = form.charCodeAt(0)
  if (form.length === 1 && code > SEVERAL) return (FORMS[unit] = code)
  SEVERAL_OF.set(unit, form)
  return (FORMS[unit] = SEVERAL)
}

/** Undefined for one that changes with its neighbours. */
function formOf(character: string): string | undefined {
  const letter = letterInParentheses(character.charCodeAt(0))
  if (letter !== undefined) return letter
  // They are letters next to letters.
  if (mayBeLetter(character)) return undefined
  const compatible = nfkc(character)
  if (character.search(INVISIBLE) !== -1 && compatible === character) return ''
  if (JOINS.test(compatible) || OTHER_SCRIPT.test(compatible)) return undefined
  return withoutMarks(compatible.replace(INVISIBLE, '').toLowerCase().replace(/\s/g, ' '))
}
