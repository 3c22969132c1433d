/**
 * The text model: the probability that a message is unwanted mail, and its kind. A logistic regression over hashed features with 8-bit weights;
 * `training/` builds it, and its manifest describes the corpora and the quality.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createExtractor, PIECE_PLACES, WORD_PLACES, type Features, type ReadableMessage } from './features.js'
import { KINDS, parseManifest, type Kind, type ModelManifest } from './manifest.js'

export { KINDS, type Kind, type ModelManifest } from './manifest.js'

/** Size of the table of each kind, a power of two: the low bits of a word's place. */
export const KIND_PLACES = 16 * 1024

export interface Opinion {
  /** Score of the tables, before calibration. */
  score: number
  /** Shares of spam, phishing and scam if it is unwanted, summing to 1. The share of bulk is independent. */
  kinds: Record<Kind, number>
}

/** A feature for or against, and by how much it moves the log odds. */
export interface TellingFeature {
  feature: string
  weight: number
}

export interface TextModel {
  calibration: ModelManifest['calibration']
  /** The first eight hex digits of the weights' hash. */
  version: string
  /** Undefined for a message without words. */
  opinion(message: ReadableMessage): Opinion | undefined
  score(message: ReadableMessage): number | undefined
  /** The features with the greatest weight, strongest first. */
  telling(message: ReadableMessage, count: number): TellingFeature[]
}

/** Below this number of word features (half as many words) a message counts half as much as a long one. */
const DOUBTED_WORDS = 8

export const WEIGHTS_BYTES = WORD_PLACES + PIECE_PLACES + KINDS.length * KIND_PLACES

/**
 * Reads the shipped weights.
 *
 * @throws Error when they do not match the manifest, or were made for other features
 */
export function loadModel(folder: URL = new URL('.', import.meta.url)): TextModel {
  const manifest: unknown = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8'))
  return createModel(parseManifest(manifest), readFileSync(new URL('weights.bin', folder)))
}

/** @throws Error when the weights do not match the manifest */
export function createModel(manifest: ModelManifest, bytes: Buffer): TextModel {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (bytes.length !== WEIGHTS_BYTES || sha256 !== manifest.sha256)
    throw new Error('the weights of the text model do not match its manifest: install the package again')
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  const wordTable = weights.subarray(0, WORD_PLACES)
  const pieceTable = weights.subarray(WORD_PLACES, WORD_PLACES + PIECE_PLACES)
  const kindTables = KINDS.map((_, i) => {
    const from = WORD_PLACES + PIECE_PLACES + i * KIND_PLACES
    return weights.subarray(from, from + KIND_PLACES)
  })
  const { calibration, words, pieces, kinds } = manifest
  const { extract } = createExtractor()
  const tables: Weights = {
    words: { weights: wordTable, scale: words.scale },
    pieces: { weights: pieceTable, scale: pieces.scale },
    bias: words.bias + pieces.bias,
  }

  const kindLogit = (kind: Kind, places: Uint32Array): number => {
    const table = kindTables[KINDS.indexOf(kind)]
    const sum = table ? sumOf(table, places, KIND_PLACES - 1) : 0
    return sum * kinds[kind].scale * normOf(places.length) + kinds[kind].bias
  }

  const kindsOf = ({ words }: Features): Record<Kind, number> => {
    const [spam, phishing, scam] = [kindLogit('spam', words), kindLogit('phishing', words), kindLogit('scam', words)]
    const greatest = Math.max(spam, phishing, scam)
    const shares = [spam, phishing, scam].map((logit) => Math.exp(logit - greatest))
    const total = shares.reduce((sum, share) => sum + share, 0)
    const [ofSpam = 0, ofPhishing = 0, ofScam = 0] = shares.map((share) => share / total)
    return { spam: ofSpam, phishing: ofPhishing, scam: ofScam, bulk: sigmoid(kindLogit('bulk', words)) }
  }

  return {
    calibration,
    version: sha256.slice(0, 8),

    opinion(message) {
      const features = extract(message)
      if (features.words.length === 0) return undefined
      return { score: greatestScore(features, tables), kinds: kindsOf(features) }
    },

    score(message) {
      const features = extract(message)
      return features.words.length === 0 ? undefined : greatestScore(features, tables)
    },

    telling(message, count) {
      const { words: ofWords, pieces: ofPieces } = extract(message)
      const certainty = calibration.text * certaintyOf(ofWords.length)
      const wordFactor = certainty * words.scale * normOf(ofWords.length)
      const pieceFactor = certainty * pieces.scale * normOf(ofPieces.length)
      const weigh = (kind: 'word' | 'piece', places: Uint32Array, table: Int8Array, factor: number) =>
        Array.from(places, (place) => ({ kind, place, weight: (table[place] ?? 0) * factor }))
      const strongest = strongestOf(
        [...weigh('word', ofWords, wordTable, wordFactor), ...weigh('piece', ofPieces, pieceTable, pieceFactor)],
        count,
      )
      const names = { word: new Map<number, string>(), piece: new Map<number, string>() }
      for (const { kind, place } of strongest) names[kind].set(place, '')
      extract(message, (kind, place, spell) => names[kind].has(place) && names[kind].set(place, spell()))
      return strongest.map(({ kind, place, weight }) => ({
        feature: kind === 'word' ? (names.word.get(place) ?? '') : `…${names.piece.get(place) ?? ''}…`,
        weight,
      }))
    },
  }
}

/** The `count` strongest, strongest first; of all others only the weight is read. */
function strongestOf<T extends { weight: number }>(all: T[], count: number): T[] {
  const least =
    Float64Array.from(all, ({ weight }) => Math.abs(weight))
      .sort()
      .at(-count) ?? 0
  return all
    .filter(({ weight }) => weight !== 0 && Math.abs(weight) >= least)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .slice(0, count)
}

/** @param bits mask of a place, where a table is smaller than the places' range */
function sumOf(table: Int8Array, places: Uint32Array, bits = -1): number {
  let sum = 0
  for (let i = 0; i < places.length; i++) sum += table[(places[i] ?? 0) & bits] ?? 0
  return sum
}

/** Normalizes by length: a long message has more features than a short one. */
export function normOf(features: number): number {
  return 1 / Math.sqrt(Math.max(1, features))
}

/** The value of one step of a weight, and the weights by place. */
interface Table {
  weights: Int8Array | Float32Array
  scale: number
}

export interface Weights {
  words: Table
  pieces: Table
  bias: number
}

/** The score of a message or of its worst beginning, so that padding hides nothing. */
export function greatestScore(features: Features, { words, pieces, bias }: Weights): number {
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

function grownBy(sum: number, { weights, scale }: Table, places: Uint32Array, from: number, to: number): number {
  for (let i = from; i < to; i++) sum += (weights[places[i] ?? 0] ?? 0) * scale
  return sum
}

/** Certainty by length: a few words are weak evidence. */
function certaintyOf(words: number): number {
  return words / (words + DOUBTED_WORDS)
}

export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}
