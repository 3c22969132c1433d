/**
 * Features of the text model: words, pairs of words, pieces of words and turns of phrase of a message, each hashed to a place in a table. Training and
 * inference share this file; a change needs a new training and a new `VERSION`.
 */
import { grown, isLess, noted, spread } from './hashes.js'
import { createTokens, MAX_WORD_CHARS, readTokens, tokenAt, type Tokens } from './tokens.js'
import { createTurns } from './turns.js'

/** Version of the features; a model that was trained with another one is not loaded. */
export const VERSION = 2

/** Sizes of the tables: for words and pairs of words, and for pieces of words. */
const WORDS = 380 * 1024
const PIECES = 64 * 1024
export const WORD_PLACES = WORDS
export const PIECE_PLACES = PIECES

/** Max tokens read per message, which bounds the time. */
const MAX_TOKENS = 1200
const MAX_TITLE_TOKENS = 60
/**
 * Beginnings of a message, in words, that are scored separately: padding below them must not improve the score. A beginning that is nearly the whole
 * message is left out.
 */
const BEGINNINGS = [50, 100, 200]
const NEARLY_ALL = 1.2

const REPLY_MARKS = /^(?:\s{0,3}(?:re|fwd?|aw|wg|tr|rv|sv|vs|odp|res|enc)\s{0,2}:\s{0,3}){1,5}/

const WORD_SEED = 0x811c9dc5 | 0
const PAIR_SEED = 0x5bd1e995
const PIECE_SEED = 0x27d4eb2f
const SPACE = 0x20
/** `^` precedes the first word. */
const START = 0x5e
const WORD_START = 0x3c
const WORD_END = 0x3e

/** Readable text (text.ts): the subject, and all that is readable below it. */
export interface ReadableMessage {
  title: string
  words: string
}

/** Called once per feature; `spell` must be called at once or never. */
export type Namer = (kind: 'word' | 'piece' | 'turn', place: number, spell: () => string) => void

/** Places of the features, each once. */
export interface Features {
  words: Uint32Array
  pieces: Uint32Array
  turns: Uint32Array
  /** Number of features in each beginning, the shortest first. */
  beginnings: Beginning[]
}

export interface Beginning {
  words: number
  pieces: number
}

export interface Extractor {
  /** Returns features that are valid until the next call. */
  extract(message: ReadableMessage, name?: Namer): Features
}

/** Reuses its tables between messages. */
export function createExtractor(): Extractor {
  const titleTokens = createTokens(MAX_TITLE_TOKENS)
  const bodyTokens = createTokens(MAX_TOKENS)
  const mostTokens = MAX_TITLE_TOKENS + MAX_TOKENS
  const words = new Uint32Array(2 * mostTokens)
  const pieces = new Uint32Array(mostTokens * MAX_WORD_CHARS)
  const seenWords = new Uint32Array(WORD_PLACES / 32)
  const seenPieces = new Uint32Array(PIECE_PLACES / 32)
  const hashes = new Int32Array(Math.max(MAX_TOKENS, MAX_TITLE_TOKENS))
  const turns = createTurns(mostTokens)
  let wordCount = 0
  let pieceCount = 0

  /**
   * Hashes of a word and of its two pairs grow together, so no pair is concatenated for its hash. New places are counted without a branch: they are
   * unpredictable, and a mispredicted branch costs more than all else here.
   */
  const add = (tokens: Tokens, from: number, to: number, name: Namer | undefined): void => {
    const { units, starts, ends } = tokens
    let begun = PAIR_SEED
    if (from === 0) begun = grown(begun, START)
    else for (let i = starts[from - 1] ?? 0; i < (ends[from - 1] ?? 0); i++) begun = grown(begun, units[i] ?? 0)
    begun = grown(begun, SPACE)
    let [wordAt, pieceAt] = [wordCount, pieceCount]
    for (let index = from; index < to; index++) {
      const start = starts[index] ?? 0
      const end = ends[index] ?? 0
      let word = WORD_SEED
      let pair = begun
      begun = PAIR_SEED
      let first = 0
      let second = 0
      let third = WORD_START
      for (let i = start; i <= end; i++) {
        const code = i < end ? (units[i] ?? 0) : WORD_END
        // The first piece of a word ends with its third character, and shorter words have none.
        const place = placeOfPiece(first, second, third, code)
        pieces[pieceAt] = place
        const isNew = noted(seenPieces, place, isLess(start + 1, i) & isLess(start + 2, end))
        pieceAt += isNew
        if (name && isNew === 1) namePiece(name, place, first, second, third, code)
        if (i === end) break
        word = grown(word, code)
        pair = grown(pair, code)
        begun = grown(begun, code)
        first = second
        second = third
        third = code
      }
      begun = grown(begun, SPACE)
      hashes[index] = word
      const wordPlace = spread(word) % (WORDS >>> 0)
      words[wordAt] = wordPlace
      const isNewWord = noted(seenWords, wordPlace, 1)
      wordAt += isNewWord
      const pairPlace = spread(pair) % (WORDS >>> 0)
      words[wordAt] = pairPlace
      const isNewPair = noted(seenWords, pairPlace, 1)
      wordAt += isNewPair
      if (name && isNewWord === 1) nameWord(name, wordPlace, tokens, index)
      if (name && isNewPair === 1) namePair(name, pairPlace, tokens, index)
    }
    wordCount = wordAt
    pieceCount = pieceAt
  }

  return {
    extract({ title, words: body }, name) {
      for (let i = 0; i < wordCount; i++) seenWords[(words[i] ?? 0) >>> 5] = 0
      for (let i = 0; i < pieceCount; i++) seenPieces[(pieces[i] ?? 0) >>> 5] = 0
      wordCount = 0
      pieceCount = 0
      turns.clear()
      const titleCount = readTokens(title.replace(REPLY_MARKS, ''), titleTokens)
      add(titleTokens, 0, titleCount, name)
      turns.add(hashes, titleCount, name && nameTurns(name, titleTokens))
      const bodyCount = readTokens(body, bodyTokens)
      const beginnings: Beginning[] = []
      let from = 0
      for (const to of [...BEGINNINGS.filter((most) => bodyCount >= NEARLY_ALL * most), bodyCount]) {
        add(bodyTokens, from, to, name)
        if (to < bodyCount) beginnings.push({ words: wordCount, pieces: pieceCount })
        from = to
      }
      turns.add(hashes, bodyCount, name && nameTurns(name, bodyTokens))
      return {
        words: words.subarray(0, wordCount),
        pieces: pieces.subarray(0, pieceCount),
        turns: turns.places(),
        beginnings,
      }
    },
  }
}

// Separate functions, since a loop whose variables are captured by a closure is slow.
function nameWord(name: Namer, place: number, tokens: Tokens, index: number): void {
  name('word', place, () => tokenAt(tokens, index))
}

function namePair(name: Namer, place: number, tokens: Tokens, index: number): void {
  const before = (): string => (index === 0 ? String.fromCharCode(START) : tokenAt(tokens, index - 1))
  name('word', place, () => `${before()} ${tokenAt(tokens, index)}`)
}

function nameTurns(name: Namer, tokens: Tokens): (place: number, ...indices: number[]) => void {
  return (place, ...indices) =>
    name('turn', place, () => indices.map((index) => tokenAt(tokens, index)).join(indices.length === 2 ? ' … ' : ' '))
}

function namePiece(name: Namer, place: number, ...codes: number[]): void {
  name('piece', place, () => String.fromCharCode(...codes))
}

function placeOfPiece(first: number, second: number, third: number, fourth: number): number {
  return spread(grown(grown(grown(grown(PIECE_SEED, first), second), third), fourth)) & (PIECES - 1)
}
