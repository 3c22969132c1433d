/**
 * Similarity of messages: a 64-bit simhash, in which texts that share most of their words differ in few bits (Charikar 2002, §3). Greetings,
 * recipients' names, numbers and the paths of links are left out, since a mail merge fills them in.
 */
import { unitsOf } from '../../lib/units.js'
import { isAscii } from './plain.js'
import { MAX_CHARS, readable } from './text.js'

/** The two halves of 64 bits, each an unsigned 32-bit number. */
export interface Fingerprint {
  high: number
  low: number
}

/** Max different bits of two messages made from one template. */
export const SIMILAR_BITS = 6

/** Shorter texts are no evidence of a campaign: "Thanks, see you tomorrow" is common. */
const MIN_WORDS = 12
const MAX_WORDS = 2000
/** Max words of a greeting: a first line that ends like one. */
const MAX_GREETING_WORDS = 6
/** Seeds of the two halves. */
const LOW_SEED = 0x811c9dc5 | 0
const HIGH_SEED = 0x9747b28c | 0
const SPACE = 0x20
/** Shorter names are too often ordinary words. */
const MIN_NAME_CHARS = 3

const LINK = /\b(?:https?:\/\/|www\.)([^\s/?#<>"']{1,253})[^\s<>"']*/gi
const ADDRESS = /[^\s@<>"']{1,64}@[^\s@<>"']{1,253}/g
const WORD = /[\p{L}\p{M}\p{N}]+/gu
const HAS_DIGIT = /\p{N}/u
/** ASCII letters in lower case, digits as they are; 0 for all other characters. */
const SIGNS = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code).toLowerCase()
  return /[a-z0-9]/.test(sign) ? sign.charCodeAt(0) : 0
})
/** All small letters have these bits, and no digit has. */
const LETTERS = 0x60
const GREETING_END = /[,!:،，。！]$/

/**
 * @param text the new words of a message
 * @param names display names and local parts of its recipients
 * @returns undefined for a text that is too short
 */
export function fingerprintOf(text: string, names: readonly string[] = []): Fingerprint | undefined {
  const { units, starts, ends } = wordsOf(text, names)
  if (starts.length < MIN_WORDS) return undefined
  const low = createVotes()
  const high = createVotes()
  // Each pair once: repetition adds nothing about the content.
  const pairs = createPairs(starts.length)
  let count = 0
  // The hash of a pair continues that of its first word and a space.
  let lowBegun = LOW_SEED
  let highBegun = HIGH_SEED
  for (let index = 0; index < starts.length; index++) {
    let [ofLow, ofHigh] = [lowBegun, highBegun]
    lowBegun = LOW_SEED
    highBegun = HIGH_SEED
    for (let at = starts[index] ?? 0; at < (ends[index] ?? 0); at++) {
      const code = units[at] ?? 0
      ofLow = grown(ofLow, code)
      ofHigh = grown(ofHigh, code)
      lowBegun = grown(lowBegun, code)
      highBegun = grown(highBegun, code)
    }
    lowBegun = grown(lowBegun, SPACE)
    highBegun = grown(highBegun, SPACE)
    ofLow = spread(ofLow)
    ofHigh = spread(ofHigh)
    if (index === 0 || !pairs.add(ofLow, ofHigh)) continue
    low.add(ofLow)
    high.add(ofHigh)
    count++
  }
  return { high: high.majority(count), low: low.majority(count) }
}

/** Counts of 32 bits, four 8-bit counters per number: a word is added to all in eight steps, without a branch. */
function createVotes() {
  const recent = new Int32Array(8)
  const totals = new Int32Array(32)
  let added = 0
  const settle = (): void => {
    for (let bit = 0; bit < 32; bit++)
      totals[bit] = (totals[bit] ?? 0) + (((recent[bit & 7] ?? 0) >>> (bit & 24)) & 0xff)
    recent.fill(0)
    added = 0
  }
  return {
    add(bits: number): void {
      if (added === 0xff) settle()
      added++
      for (let bit = 0; bit < 8; bit++) recent[bit] = (recent[bit] ?? 0) + ((bits >>> bit) & 0x01010101)
    },
    /** Bits set in more than half of `count` words. */
    majority(count: number): number {
      settle()
      return totals.reduce((bits, votes, bit) => (2 * votes > count ? bits | (1 << bit) : bits), 0) >>> 0
    },
  }
}

/** A set of pairs, identified by their 64-bit hashes. */
function createPairs(most: number): { add(low: number, high: number): boolean } {
  const places = 1 << (33 - Math.clz32(most))
  const lows = new Int32Array(places)
  const highs = new Int32Array(places)
  return {
    /** @returns true the first time; always for zero, which marks a free place */
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

export function distance(a: Fingerprint, b: Fingerprint): number {
  return ones(a.high ^ b.high) + ones(a.low ^ b.low)
}

interface Words {
  units: Uint16Array
  starts: number[]
  ends: number[]
}

function wordsOf(text: string, names: readonly string[]): Words {
  const left = new Set(
    names.flatMap((name) => lettersOf(readable(name)).filter((word) => word.length >= MIN_NAME_CHARS)),
  )
  const linkless = withoutGreeting(text.slice(0, MAX_CHARS)).replace(LINK, ' $1 ')
  // A pattern at every character costs more than all else.
  const written = (linkless.includes('@') ? linkless.replace(ADDRESS, ' ') : linkless).slice(0, MAX_CHARS)
  if (isAscii(written)) return wordsOfAscii(written, left)
  const plain = readable(written)
  const starts: number[] = []
  const ends: number[] = []
  for (const { 0: word, index } of plain.matchAll(WORD)) {
    if (starts.length === MAX_WORDS) break
    if (left.has(word)) continue
    let at = index
    for (const part of isUnspaced(word) ? word : [word]) {
      if (!HAS_DIGIT.test(part)) {
        starts.push(at)
        ends.push(at + part.length)
      }
      at += part.length
    }
  }
  return { units: unitsOf(plain), starts, ends }
}

/** The same for ASCII text, without a pattern and without normalising it first. */
function wordsOfAscii(text: string, left: ReadonlySet<string>): Words {
  const units = unitsOf(text)
  const starts: number[] = []
  const ends: number[] = []
  const isInitial = new Uint8Array(128)
  for (const name of left) isInitial[name.charCodeAt(0)] = 1
  for (let at = 0; at < units.length && starts.length < MAX_WORDS; at++) {
    const from = at
    let all = 0
    for (; at < units.length; at++) {
      const sign = SIGNS[units[at] ?? 0] ?? 0
      if (sign === 0) break
      units[at] = sign
      all |= sign ^ LETTERS
    }
    // Not a word if it contains a digit.
    if (at === from || (all & LETTERS) !== 0) continue
    if (isInitial[units[from] ?? 0] === 1 && left.has(text.slice(from, at).toLowerCase())) continue
    starts.push(from)
    ends.push(at)
  }
  return { units, starts, ends }
}

/** Scripts without spaces between words are read by character. */
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
function grown(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193)
}

/** The finish of MurmurHash3, which spreads the low bits that FNV-1a leaves similar. */
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
