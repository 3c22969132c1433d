/** Scores of a message by the tables of the text model; the trainer measures with the same. */
import type { Features } from './features.js'

/** The value of one step of a weight, and the weights by place. */
interface Table {
  weights: Int8Array | Float32Array
  scale: number
}

/** What corpora of known mail say of words: each kind of feature adds its own share. */
export interface KnownTables {
  words: Table
  pieces: Table
  bias: number
}

/** What pairs of honest and abusive messages of one topic say: all features add up. */
export interface PhrasingTables {
  words: Table
  pieces: Table
  turns: Table
  bias: number
}

/** Below this number of word features (half as many words) a message counts half as much as a long one. */
const DOUBTED_WORDS = 8

/** By the known words of a message or of its worst beginning, so that padding hides nothing. */
export function knownScore(features: Omit<Features, 'turns'>, { words, pieces, bias }: KnownTables): number {
  let greatest = -Infinity
  let wordSum = 0
  let pieceSum = 0
  let from = { words: 0, pieces: 0 }
  for (const end of [...features.beginnings, { words: features.words.length, pieces: features.pieces.length }]) {
    wordSum = grownBy(wordSum, words, features.words, from.words, end.words)
    pieceSum = grownBy(pieceSum, pieces, features.pieces, from.pieces, end.pieces)
    const score = wordSum * normOf(end.words) + pieceSum * normOf(end.pieces) + bias
    greatest = Math.max(greatest, score * certaintyOf(end.words))
    from = end
  }
  return greatest
}

/** By how it asks. */
export function phrasingScore(features: Omit<Features, 'beginnings'>, tables: PhrasingTables): number {
  const sum =
    grownBy(0, tables.words, features.words) +
    grownBy(0, tables.pieces, features.pieces) +
    grownBy(0, tables.turns, features.turns)
  return (sum * normOf(featuresIn(features)) + tables.bias) * certaintyOf(features.words.length)
}

export function featuresIn({ words, pieces, turns }: Omit<Features, 'beginnings'>): number {
  return words.length + pieces.length + turns.length
}

function grownBy(sum: number, { weights, scale }: Table, places: Uint32Array, from = 0, to = places.length): number {
  for (let i = from; i < to; i++) sum += (weights[places[i] ?? 0] ?? 0) * scale
  return sum
}

/** Normalizes by length: a long message has more features than a short one. */
export function normOf(features: number): number {
  return 1 / Math.sqrt(Math.max(1, features))
}

/** Certainty by length: a few words are weak evidence. */
export function certaintyOf(words: number): number {
  return words / (words + DOUBTED_WORDS)
}

export interface Line {
  scale: number
  offset: number
}

/** Log odds of two independent suspicions: the words are those of known unwanted mail, or it asks as abusive mail does. */
export function eitherOf(known: number, phrasing: number): number {
  const greater = Math.max(known, phrasing)
  return greater + Math.log1p(Math.exp(Math.min(known, phrasing) - greater))
}

export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}
