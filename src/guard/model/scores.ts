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
    wordSum += sumOf(words.weights, features.words, from.words, end.words)
    pieceSum += sumOf(pieces.weights, features.pieces, from.pieces, end.pieces)
    const score = wordSum * words.scale * normOf(end.words) + pieceSum * pieces.scale * normOf(end.pieces) + bias
    greatest = Math.max(greatest, score * certaintyOf(end.words))
    from = end
  }
  return greatest
}

/** By how it asks. */
export function phrasingScore(features: Pick<Features, 'words' | 'turns'>, tables: PhrasingTables): number {
  const sum =
    sumOf(tables.words.weights, features.words) * tables.words.scale +
    sumOf(tables.turns.weights, features.turns) * tables.turns.scale
  return (
    (sum * normOf(features.words.length + features.turns.length) + tables.bias) * certaintyOf(features.words.length)
  )
}

/** In whole steps of eight bits it is a sum of integers, which takes a fourth of the time. */
function sumOf(weights: Table['weights'], places: Uint32Array, from = 0, to = places.length): number {
  let sum = 0
  for (let i = from; i < to; i++) sum += weights[places[i] ?? 0] ?? 0
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

/** What the tables say of a message, before calibration. */
export interface Scores {
  known: number
  phrasing: number
  /** Log odds that it is of the kind of mail that the corpora have, of which the known words can tell. */
  familiar: number
}

/** Log odds that a message is unwanted, as a line over its scores. */
export interface Line {
  known: number
  phrasing: number
  offset: number
}

export interface Calibration {
  /** For mail of the kind that the corpora have, and for other mail. */
  familiar: Line
  other: Line
  /** The log odds of being familiar, as a line over its score. */
  gate: { scale: number; offset: number }
  /** How much a finding counts. */
  findings: number
}

/** Log odds of unwanted mail, by the text alone. */
export function textLogit(scores: Scores, { familiar, other, gate }: Calibration): number {
  const share = familiarShare(scores, gate)
  return share * alongLine(scores, familiar) + (1 - share) * alongLine(scores, other)
}

/** How much each score counts for a message. */
export function scalesFor(scores: Scores, { familiar, other, gate }: Calibration): { known: number; phrasing: number } {
  const share = familiarShare(scores, gate)
  const between = (name: 'known' | 'phrasing'): number => share * familiar[name] + (1 - share) * other[name]
  return { known: between('known'), phrasing: between('phrasing') }
}

export function familiarShare({ familiar }: Scores, { scale, offset }: Calibration['gate']): number {
  return sigmoid(scale * familiar + offset)
}

function alongLine({ known, phrasing }: Scores, line: Line): number {
  return line.known * known + line.phrasing * phrasing + line.offset
}

export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}
