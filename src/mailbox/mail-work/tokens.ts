/**
 * Tokens of a text for index and queries: NFKC, case-folded, split at all but letters, marks and digits. Scripts without spaces are cut into pairs of
 * adjacent characters, plus the last one of a run, so that each character begins a token.
 */
import { nfkc } from '../../lib/normalize.js'
import { unitsOf } from '../../lib/units.js'

export const MAX_TOKEN_CHARS = 64
/** ASCII needs no Unicode tables and takes a tenth of the time. */
const ASCII = /^[\x00-\x7f]*$/
const ASCII_WORD = /[a-z0-9]+/g
/** All scripts without spaces are above. */
const MAY_BE_UNSPACED = /[\u0e00-\uffff]/
export const WORD = /[\p{L}\p{M}\p{N}]+/gu
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/u
const PIECES = new RegExp(`${UNSPACED.source}|(?:(?!${UNSPACED.source})[\\p{L}\\p{M}\\p{N}])+`, 'gu')

/** A character of scripts with spaces. */
const SPACED = `(?:(?!${UNSPACED.source})[\\p{L}\\p{M}\\p{N}])`

export interface Term {
  token: string
  /** Matches every token with this prefix. */
  prefix: boolean
}

/** Distinct tokens of a text in order of appearance, at most `max`. */
export function tokensOf(texts: Iterable<string>, max: number): string[] {
  const tokens = new Set<string>()
  for (const text of texts) {
    const isAscii = ASCII.test(text)
    for (const word of isAscii ? differentWords(text.toLowerCase()) : words(text)) {
      const isOne = isAscii ? word.length <= MAX_TOKEN_CHARS : isPlain(word)
      for (const token of isOne ? [word] : tokensOfWord(word)) {
        tokens.add(token)
        if (tokens.size >= max) return [...tokens]
      }
    }
  }
  return [...tokens]
}

function tokensOfWord(word: string): string[] {
  return [...pieces(word)].flatMap(({ piece, unspaced }) =>
    unspaced ? [...pairs(piece), piece.at(-1) ?? ''] : [piece.join('')],
  )
}

/** True if the word is one token as is: short, and of a script with spaces. */
function isPlain(word: string): boolean {
  return word.length <= MAX_TOKEN_CHARS && !MAY_BE_UNSPACED.test(word)
}

/** Distinct words of a query. @param unfinished true if the last one may be a prefix */
export function termsOf(query: string, unfinished: boolean): Term[] {
  const terms = new Map<string, Term>()
  const add = (token: string, prefix: boolean): void => {
    terms.set(`${prefix ? '*' : '='}${token}`, { token, prefix })
  }
  const all = words(query).flatMap((word) => [...pieces(word)])
  for (const [i, { piece, unspaced }] of all.entries()) {
    const open = unfinished && i === all.length - 1
    if (!unspaced) add(piece.join(''), open)
    else if (piece.length === 1) add(piece.join(''), true)
    else pairs(piece).forEach((token, pair) => add(token, open && pair === piece.length - 2))
  }
  return [...terms.values()]
}

/**
 * Tests whether a text contains words in sequence, separated by spaces and punctuation only; undefined for a phrase of fewer than two words.
 *
 * @param unfinished true if the last one may be a prefix
 */
export function phraseFinder(phrase: string, unfinished: boolean): ((text: string) => boolean) | undefined {
  const wanted = words(phrase)
  const last = wanted.at(-1)
  if (last === undefined || (wanted.length === 1 && isPlain(last))) return undefined
  // Words have no regular expression syntax: only letters, marks and digits.
  const begins = UNSPACED.test([...(wanted[0] ?? '')][0] ?? '') ? '' : `(?<!${SPACED})`
  const ends = unfinished || UNSPACED.test([...last].at(-1) ?? '') ? '' : `(?!${SPACED})`
  const pattern = new RegExp(`${begins}${wanted.join('[^\\p{L}\\p{M}\\p{N}]+')}${ends}`, 'u')
  return (text) => pattern.test(foldText(text))
}

function words(text: string): string[] {
  if (ASCII.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? []
  return fold(text).match(WORD) ?? []
}

/** Hash slots of the words seen in a text. When full, further words may repeat. */
const SLOTS = 1 << 13
/** Position of a word in its text plus `base`, which grows with each text: lower entries are free slots, so the table need not be cleared. */
const starts = new Int32Array(SLOTS)
const MAX_DIFFERENT = SLOTS / 2
const MAX_START = 2 ** 31 - 1
let base = 1

/** Words of a lower-case ASCII text, mostly distinct: half of the words of a letter are repeated, and comparing costs less than creating a string. */
function differentWords(text: string): string[] {
  const units = unitsOf(text)
  const found: string[] = []
  if (base + units.length > MAX_START) {
    starts.fill(0)
    base = 1
  }
  for (let at = 0; at < units.length; at++) {
    const from = at
    let hash = 0
    for (; at < units.length; at++) {
      const code = units[at] ?? 0
      if (!isWordCode(code)) break
      hash = Math.imul(hash ^ code, 0x0100_0193)
    }
    if (at === from) continue
    if (found.length >= MAX_DIFFERENT || isNew(units, from, at, hash)) found.push(text.slice(from, at))
  }
  base += units.length
  return found
}

function isNew(units: Uint16Array, from: number, end: number, hash: number): boolean {
  for (let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
    const start = (starts[slot] ?? 0) - base
    if (start < 0) {
      starts[slot] = base + from
      return true
    }
    let same = 0
    while (from + same < end && units[start + same] === units[from + same]) same++
    if (from + same === end && !isWordCode(units[start + same] ?? 0)) return false
  }
}

function isWordCode(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

/** Parts of a word with and without spacing scripts, as characters. */
export function* pieces(word: string): Generator<{ piece: string[]; unspaced: boolean }> {
  for (const [part] of word.matchAll(PIECES)) {
    const unspaced = UNSPACED.test(part)
    const characters = [...part]
    yield { piece: unspaced ? characters : characters.slice(0, MAX_TOKEN_CHARS), unspaced }
  }
}

export function pairs(characters: string[]): string[] {
  return characters.slice(1).map((character, i) => `${characters[i]}${character}`)
}

/** A text as tokens have it: two texts that differ in case or compatible forms only are equal. */
export function foldText(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : fold(text)
}

/** Upper case first: only that unifies `ß` with `ss`. A final sigma is that of other places too, so that the beginning of a word is found. */
function fold(text: string): string {
  return nfkc(text).toUpperCase().toLowerCase().normalize('NFKC').replaceAll('ς', 'σ')
}
