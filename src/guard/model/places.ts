/**
 * Places of the features of a text, in order and as often as they occur. Words are hashed once for the text and for all parts of it that are judged by
 * themselves (features.ts).
 */
import { grown, isLess, spread } from './hashes.js'
import { createTokens, readTokens, type Tokens } from './tokens.js'
import { placesOfTurns, STEM_CHARS, TURNS_EACH } from './turns.js'

/** Sizes of the tables: for words and pairs of words, and for pieces of words. */
const WORDS = 380 * 1024
const PIECES = 64 * 1024
export const WORD_PLACES = WORDS
export const PIECE_PLACES = PIECES

const WORD_SEED = 0x811c9dc5 | 0
const PAIR_SEED = 0x5bd1e995
const PIECE_SEED = 0x27d4eb2f
const SPACE = 0x20
/** `^` precedes the first word. */
const START = 0x5e
const WORD_START = 0x3c
const WORD_END = 0x3e
export const PIECE_CHARS = 4
/** Words that are shorter have no pieces. */
const MIN_WORD_CHARS = 3

export interface Places {
  tokens: Tokens
  /** Number of tokens. */
  count: number
  /** Two of each token: the word, and its pair with the word before. */
  words: Uint32Array
  pieces: Uint32Array
  /** Number of pieces of all tokens up to each, which is counted with them. */
  pieceEnds: Uint32Array
  /** `TURNS_EACH` of each token (turns.ts). */
  turns: Uint32Array
  /** Hashes of the beginnings of the tokens. */
  stems: Int32Array
}

export function createPlaces(): Places {
  return { count: 0, ...roomFor(0), pieces: new Uint32Array() }
}

function roomFor(tokens: number): Omit<Places, 'count' | 'pieces'> {
  return {
    tokens: createTokens(tokens),
    words: new Uint32Array(2 * tokens),
    pieceEnds: new Uint32Array(tokens),
    turns: new Uint32Array(TURNS_EACH * tokens),
    stems: new Int32Array(tokens),
  }
}

/**
 * Replaces the places with those of a text.
 *
 * @param most tokens that are read
 */
export function readPlaces(text: string, places: Places, most: number): void {
  // No text has more tokens than characters, and few have a third as many.
  const room = Math.min(most, text.length)
  if (places.stems.length < room) Object.assign(places, roomFor(room))
  places.count = readTokens(text, places.tokens, room)
  const { units } = places.tokens
  if (places.pieces.length <= units.length) places.pieces = new Uint32Array(2 * units.length + 1)
  hashWords(places)
  placesOfTurns(places.stems, places.count, places.turns)
}

/** Hashes of a word, of its two pairs and of its pieces grow together, so no pair is concatenated for its hash. */
function hashWords({ tokens, count, words, pieces, pieceEnds, stems }: Places): void {
  const { units, starts, ends } = tokens
  let begun = grown(grown(PAIR_SEED, START), SPACE)
  let pieceAt = 0
  for (let index = 0; index < count; index++) {
    const start = starts[index] ?? 0
    const end = ends[index] ?? 0
    const stemEnd = start + STEM_CHARS
    let word = WORD_SEED
    let stem = word
    let pair = begun
    begun = PAIR_SEED
    let first = 0
    let second = 0
    let third = WORD_START
    // The first piece of a word ends with its third character.
    const hasPieces = isLess(start + MIN_WORD_CHARS - 1, end)
    for (let i = start; i < end; i++) {
      const code = units[i] ?? 0
      word = grown(word, code)
      if (i < stemEnd) stem = word
      pair = grown(pair, code)
      begun = grown(begun, code)
      pieces[pieceAt] = placeOfPiece(first, second, third, code)
      pieceAt += isLess(start + 1, i) & hasPieces
      first = second
      second = third
      third = code
    }
    pieces[pieceAt] = placeOfPiece(first, second, third, WORD_END)
    pieceAt += hasPieces
    begun = grown(begun, SPACE)
    stems[index] = stem
    words[2 * index] = spread(word) % (WORDS >>> 0)
    words[2 * index + 1] = spread(pair) % (WORDS >>> 0)
    pieceEnds[index] = pieceAt
  }
}

/** Place of the pair of a token with the beginning, as it is where nothing precedes the token. */
export function placeOfFirst({ tokens: { units, starts, ends } }: Places, index: number): number {
  let pair = grown(grown(PAIR_SEED, START), SPACE)
  for (let i = starts[index] ?? 0; i < (ends[index] ?? 0); i++) pair = grown(pair, units[i] ?? 0)
  return spread(pair) % (WORDS >>> 0)
}

function placeOfPiece(first: number, second: number, third: number, fourth: number): number {
  return spread(grown(grown(grown(grown(PIECE_SEED, first), second), third), fourth)) & (PIECES - 1)
}
