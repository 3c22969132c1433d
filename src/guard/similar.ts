/**
 * How alike two messages read: a simhash of 64 bits, in which texts that share most of their words differ in few bits (Charikar 2002, §3). Greetings,
 * the recipients' own names, numbers and what links carry behind their host are left out, since that is what a mail merge fills in.
 */
import { unitsOf } from '../lib/units.js'
import { MAX_CHARS, readable } from './text.js'

/** The two halves of 64 bits, each an unsigned 32-bit number. */
export interface Fingerprint {
  high: number
  low: number
}

/** Bits in which two messages made from one template differ at most. */
export const SIMILAR_BITS = 6

/** Of less there is nothing to tell a campaign from: "Thanks, see you tomorrow" is written by everybody. */
const MIN_WORDS = 12
const MAX_WORDS = 2000
/** A first line of so many words that ends as greetings end is one. */
const MAX_GREETING_WORDS = 6
/** Of the two halves. */
const LOW_SEED = 0x811c9dc5
const HIGH_SEED = 0x9747b28c
const SPACE = 0x20
/** A name of fewer letters is too likely a word of the text. */
const MIN_NAME_CHARS = 3

const LINK = /\b(?:https?:\/\/|www\.)([^\s/?#<>"']{1,253})[^\s<>"']*/gi
const ADDRESS = /[^\s@<>"']{1,64}@[^\s@<>"']{1,253}/g
const WORD = /[\p{L}\p{M}\p{N}]+/gu
const HAS_DIGIT = /\p{N}/u
const ASCII = /^[\x00-\x7f]*$/
const GREETING_END = /[,!:،，。！]$/

/**
 * @param text the new words of a message
 * @param names of its recipients, as they are shown and as their addresses begin
 * @returns undefined for a text too short to be told from others
 */
export function fingerprintOf(text: string, names: readonly string[] = []): Fingerprint | undefined {
  const words = wordsOf(text, names)
  if (words.length < MIN_WORDS) return undefined
  const low = createVotes()
  const high = createVotes()
  // Each pair once: one that is repeated a hundred times says no more about what the message is.
  const pairs = createPairs(words.length)
  let count = 0
  // A pair's hash goes on from that of its first word and the space behind it.
  let lowSoFar = LOW_SEED
  let highSoFar = HIGH_SEED
  for (const [index, word] of words.entries()) {
    if (index > 0) {
      const ofLow = spread(grown(lowSoFar, word))
      const ofHigh = spread(grown(highSoFar, word))
      if (pairs.add(ofLow, ofHigh)) {
        low.add(ofLow)
        high.add(ofHigh)
        count++
      }
    }
    lowSoFar = grownBy(grown(LOW_SEED, word), SPACE)
    highSoFar = grownBy(grown(HIGH_SEED, word), SPACE)
  }
  return { high: high.majority(count), low: low.majority(count) }
}

/** Counts of each of 32 bits, as binary numbers whose digits stand in one word for all 32: a word is added to all of them at once. */
interface Votes {
  add(bits: number): void
  /** Bits that more than half of `count` words have. */
  majority(count: number): number
}

/** Enough for a text whose every character is a word. */
const DIGITS = 20

function createVotes(): Votes {
  const digits = new Int32Array(DIGITS)
  return {
    add(bits) {
      let carry = bits
      for (let digit = 0; carry !== 0 && digit < DIGITS; digit++) {
        const before = digits[digit] ?? 0
        digits[digit] = before ^ carry
        carry &= before
      }
    },
    majority(count) {
      let bits = 0
      for (let bit = 0; bit < 32; bit++) {
        let votes = 0
        for (let digit = 0; digit < DIGITS; digit++) votes |= (((digits[digit] ?? 0) >>> bit) & 1) << digit
        if (2 * votes > count) bits |= 1 << bit
      }
      return bits >>> 0
    },
  }
}

/** Pairs that were met, known by the 64 bits of their hashes. */
function createPairs(most: number): { add(low: number, high: number): boolean } {
  const places = 1 << (33 - Math.clz32(most))
  const lows = new Int32Array(places)
  const highs = new Int32Array(places)
  return {
    /** @returns whether it is met for the first time; zero, which no place has, is always taken for new */
    add(low, high) {
      for (let at = low & (places - 1); ; at = (at + 1) & (places - 1)) {
        if (lows[at] === 0 && highs[at] === 0) {
          lows[at] = low
          highs[at] = high
          return true
        }
        if (lows[at] === (low | 0) && highs[at] === (high | 0)) return false
      }
    },
  }
}

/** Bits in which they differ, 0 to 64. */
export function distance(a: Fingerprint, b: Fingerprint): number {
  return ones(a.high ^ b.high) + ones(a.low ^ b.low)
}

function wordsOf(text: string, names: readonly string[]): string[] {
  const left = new Set(
    names.flatMap((name) => lettersOf(readable(name)).filter((word) => word.length >= MIN_NAME_CHARS)),
  )
  const linkless = withoutGreeting(text.slice(0, MAX_CHARS)).replace(LINK, ' $1 ')
  // Tried at each character, the pattern costs more than all else.
  const plain = readable(linkless.includes('@') ? linkless.replace(ADDRESS, ' ') : linkless)
  if (ASCII.test(plain)) return wordsOfAscii(plain, left)
  const words: string[] = []
  for (const [word] of plain.matchAll(WORD)) {
    if (words.length === MAX_WORDS) break
    if (left.has(word)) continue
    for (const part of isUnspaced(word) ? word : [word]) if (!HAS_DIGIT.test(part)) words.push(part)
  }
  return words
}

/** The same of a text in ASCII, in lower case, without a pattern. */
function wordsOfAscii(text: string, left: ReadonlySet<string>): string[] {
  const units = unitsOf(text)
  const words: string[] = []
  for (let at = 0; at < units.length && words.length < MAX_WORDS; at++) {
    const from = at
    let hasDigit = false
    for (; at < units.length; at++) {
      const code = units[at] ?? 0
      if (code >= 0x30 && code <= 0x39) hasDigit = true
      else if (code < 0x61 || code > 0x7a) break
    }
    if (at === from || hasDigit) continue
    const word = text.slice(from, at)
    if (!left.has(word)) words.push(word)
  }
  return words
}

/** Scripts that put no space between words are read by the character. */
function isUnspaced(word: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u.test(
    word,
  )
}

function lettersOf(name: string): string[] {
  return name.match(WORD) ?? []
}

function withoutGreeting(text: string): string {
  const start = text.trimStart()
  const end = start.indexOf('\n')
  const first = (end === -1 ? '' : start.slice(0, Math.min(end, 200))).trim()
  const words = first.match(WORD)?.length ?? 0
  return words > 0 && words <= MAX_GREETING_WORDS && GREETING_END.test(first) ? start.slice(end) : start
}

/** FNV-1a. */
function grown(hash: number, text: string): number {
  let h = hash
  for (let i = 0; i < text.length; i++) h = grownBy(h, text.charCodeAt(i))
  return h
}

function grownBy(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

/** The last steps of MurmurHash3, which spread what FNV-1a leaves in the lower bits. */
function spread(hash: number): number {
  let h = hash ^ (hash >>> 16)
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return h ^ (h >>> 16)
}

function ones(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
