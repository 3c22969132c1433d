/**
 * How alike two messages read: a simhash of 64 bits, in which texts that share most of their words differ in few bits (Charikar 2002, §3). Greetings,
 * the recipients' own names, numbers and what links carry behind their host are left out, since that is what a mail merge fills in.
 */
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
/** A name of fewer letters is too likely a word of the text. */
const MIN_NAME_CHARS = 3

const LINK = /\b(?:https?:\/\/|www\.)([^\s/?#<>"']{1,253})[^\s<>"']*/gi
const ADDRESS = /[^\s@<>"']{1,64}@[^\s@<>"']{1,253}/g
const WORD = /[\p{L}\p{M}\p{N}]+/gu
const HAS_DIGIT = /\p{N}/u
const GREETING_END = /[,!:،，。！]$/

/**
 * @param text the new words of a message
 * @param names of its recipients, as they are shown and as their addresses begin
 * @returns undefined for a text too short to be told from others
 */
export function fingerprintOf(text: string, names: readonly string[] = []): Fingerprint | undefined {
  const words = wordsOf(text, names)
  if (words.length < MIN_WORDS) return undefined
  const sums = new Int32Array(64)
  // Each pair once: one that is repeated a hundred times says no more about what the message is.
  const pairs = new Set<string>()
  for (let i = 1; i < words.length; i++) pairs.add(`${words[i - 1]} ${words[i]}`)
  for (const pair of pairs) {
    const low = hash(pair, 0x811c9dc5)
    const high = hash(pair, 0x9747b28c)
    for (let bit = 0; bit < 32; bit++) {
      sums[bit] = (sums[bit] ?? 0) + ((low >>> bit) & 1 ? 1 : -1)
      sums[bit + 32] = (sums[bit + 32] ?? 0) + ((high >>> bit) & 1 ? 1 : -1)
    }
  }
  const half = (from: number): number => {
    let bits = 0
    for (let bit = 0; bit < 32; bit++) if ((sums[from + bit] ?? 0) > 0) bits |= 1 << bit
    return bits >>> 0
  }
  return { high: half(32), low: half(0) }
}

/** Bits in which they differ, 0 to 64. */
export function distance(a: Fingerprint, b: Fingerprint): number {
  return ones(a.high ^ b.high) + ones(a.low ^ b.low)
}

function wordsOf(text: string, names: readonly string[]): string[] {
  const left = new Set(
    names.flatMap((name) => lettersOf(readable(name)).filter((word) => word.length >= MIN_NAME_CHARS)),
  )
  const plain = readable(withoutGreeting(text.slice(0, MAX_CHARS)).replace(LINK, ' $1 ').replace(ADDRESS, ' '))
  const words: string[] = []
  for (const [word] of plain.matchAll(WORD)) {
    if (words.length === MAX_WORDS) break
    if (left.has(word)) continue
    for (const part of isUnspaced(word) ? word : [word]) if (!HAS_DIGIT.test(part)) words.push(part)
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

/** FNV-1a with the last steps of MurmurHash3, which spread what it leaves in the lower bits. */
function hash(text: string, seed: number): number {
  let h = seed
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  h ^= h >>> 16
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

function ones(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
