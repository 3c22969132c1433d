/**
 * What the text model sees of a message: which words, pairs of words and pieces of words are in it, each as a place in a table. Training and
 * running share this file; a change of it needs a new training, and `VERSION` makes old weights unfit.
 */
import { createTokens, MAX_WORD_CHARS, readTokens, tokenAt } from './tokens.js'
import type { Tokens } from './tokens.js'

/** Of the features; a model that was trained with another one is not loaded. */
export const VERSION = 1

/** Places in the tables of features: of words and pairs of words, and of pieces of words. */
export const WORD_PLACES = 380 * 1024
export const PIECE_PLACES = 64 * 1024

/** Enough to know a message by, and a bound on the time it takes. */
const MAX_TOKENS = 1200
const MAX_TITLE_TOKENS = 60
const PIECE_CHARS = 4
/**
 * Beginnings of so many words are looked at by themselves: what stands below them makes them no better. One that is nearly all of the message is
 * left out.
 */
const BEGINNINGS = [50, 100, 200]
const NEARLY_ALL = 1.2

const REPLY_MARKS = /^(?:\s{0,3}(?:re|fwd?|aw|wg|tr|rv|sv|vs|odp|res|enc)\s{0,2}:\s{0,3}){1,5}/

const WORD_SEED = 0x811c9dc5
const PAIR_SEED = 0x5bd1e995
const PIECE_SEED = 0x27d4eb2f
const FNV_PRIME = 0x01000193
const SPACE = 0x20
/** Before the first word stands `^`. */
const START = 0x5e
const WORD_START = 0x3c
const WORD_END = 0x3e

/** Readable text (text.ts): of the subject, and of all that is read below it. */
export interface ReadableMessage {
  title: string
  words: string
}

/** What a feature stands for, where somebody asks. */
export type Namer = (kind: 'word' | 'piece', place: number, name: string) => void

/** Places of the features, each once. */
export interface Features {
  words: Uint32Array
  pieces: Uint32Array
  /** How many of them its beginnings have, the shortest first. */
  beginnings: Beginning[]
}

export interface Beginning {
  words: number
  pieces: number
}

export interface Extractor {
  /** What it gives is valid until the next call. */
  extract(message: ReadableMessage, name?: Namer): Features
}

/** Keeps its tables between messages. */
export function createExtractor(): Extractor {
  const titleTokens = createTokens(MAX_TITLE_TOKENS)
  const bodyTokens = createTokens(MAX_TOKENS)
  const mostTokens = MAX_TITLE_TOKENS + MAX_TOKENS
  const words = createPlaces(WORD_PLACES, 2 * mostTokens)
  const pieces = createPlaces(PIECE_PLACES, mostTokens * MAX_WORD_CHARS)

  // The hashes of a word, of the pair that it ends and of the one that it begins grow together, so no pair is put together for its hash.
  const addWords = (tokens: Tokens, from: number, to: number, name: Namer | undefined): void => {
    const { units, ends } = tokens
    let at = from === 0 ? 0 : (ends[from - 1] ?? 0)
    let begun = PAIR_SEED
    if (from === 0) begun = grown(begun, START)
    else for (let i = from === 1 ? 0 : (ends[from - 2] ?? 0); i < at; i++) begun = grown(begun, units[i] ?? 0)
    begun = grown(begun, SPACE)
    for (let index = from; index < to; index++) {
      const end = ends[index] ?? 0
      let word = WORD_SEED
      let pair = begun
      begun = PAIR_SEED
      for (; at < end; at++) {
        const code = units[at] ?? 0
        word = grown(word, code)
        pair = grown(pair, code)
        begun = grown(begun, code)
      }
      begun = grown(begun, SPACE)
      const place = words.add(word)
      const pairPlace = words.add(pair)
      if (name) {
        const token = tokenAt(tokens, index)
        const before = index === 0 ? String.fromCharCode(START) : tokenAt(tokens, index - 1)
        if (place >= 0) name('word', place, token)
        if (pairPlace >= 0) name('word', pairPlace, `${before} ${token}`)
      }
    }
  }

  const addPieces = ({ units, ends }: Tokens, from: number, to: number, name: Namer | undefined): void => {
    let start = from === 0 ? 0 : (ends[from - 1] ?? 0)
    for (let index = from; index < to; index++) {
      const end = ends[index] ?? 0
      let at = start
      start = end
      if (end - at < PIECE_CHARS - 1) continue
      let first = WORD_START
      let second = units[at++] ?? 0
      let third = units[at++] ?? 0
      for (; at <= end; at++) {
        const fourth = at < end ? (units[at] ?? 0) : WORD_END
        const place = pieces.add(grown(grown(grown(grown(PIECE_SEED, first), second), third), fourth))
        if (name && place >= 0) name('piece', place, String.fromCharCode(first, second, third, fourth))
        first = second
        second = third
        third = fourth
      }
    }
  }

  return {
    extract({ title, words: body }, name) {
      words.begin()
      pieces.begin()
      const titleCount = readTokens(title.replace(REPLY_MARKS, ''), titleTokens)
      addWords(titleTokens, 0, titleCount, name)
      addPieces(titleTokens, 0, titleCount, name)
      const bodyCount = readTokens(body, bodyTokens)
      const beginnings: Beginning[] = []
      let from = 0
      for (const to of [...BEGINNINGS.filter((most) => bodyCount >= NEARLY_ALL * most), bodyCount]) {
        addWords(bodyTokens, from, to, name)
        addPieces(bodyTokens, from, to, name)
        if (to < bodyCount) beginnings.push({ words: words.count(), pieces: pieces.count() })
        from = to
      }
      return { words: words.all(), pieces: pieces.all(), beginnings }
    },
  }
}

/** Collects places, each once. A bit tells of each whether it is there, so that all of them stay in the cache of the processor. */
function createPlaces(
  size: number,
  most: number,
): {
  begin(): void
  /** @returns the place, -1 when it was there already */
  add(hash: number): number
  count(): number
  all(): Uint32Array
} {
  const seen = new Uint32Array(Math.ceil(size / 32))
  const found = new Uint32Array(most)
  let count = 0
  return {
    begin() {
      for (let i = 0; i < count; i++) seen[(found[i] ?? 0) >>> 5] = 0
      count = 0
    },
    add(hash) {
      // Told that both are whole and without sign, the remainder is taken as of such, and not as of fractions.
      const place = spread(hash) % (size >>> 0)
      const bits = seen[place >>> 5] ?? 0
      const bit = 1 << (place & 31)
      if ((bits & bit) !== 0) return -1
      seen[place >>> 5] = bits | bit
      found[count++] = place
      return place
    },
    count: () => count,
    all: () => found.subarray(0, count),
  }
}

function grown(hash: number, code: number): number {
  return Math.imul(hash ^ code, FNV_PRIME)
}

/** The last step of MurmurHash3: near hashes come far apart. */
function spread(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
