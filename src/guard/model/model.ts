/**
 * The text model: the probability that a message is unwanted mail, its kind and its class of abuse. Logistic regressions over hashed features with
 * 8-bit weights. One knows the words of corpora of mail; another learned from pairs of honest and abusive messages of one topic how abuse asks. Either
 * suspicion is enough. `training/` builds it, and its manifest describes the data and the quality.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createExtractor, PIECE_PLACES, WORD_PLACES, type Features, type ReadableMessage } from './features.js'
import { ABUSE_CLASSES, KINDS, parseManifest, type AbuseClass, type Kind, type ModelManifest } from './manifest.js'
import {
  certaintyOf,
  eitherOf,
  featuresIn,
  knownScore,
  normOf,
  phrasingScore,
  type KnownTables,
  type PhrasingTables,
} from './scores.js'
import { TURN_PLACES } from './turns.js'

export { KINDS, type Kind, type ModelManifest } from './manifest.js'
export { sigmoid } from './scores.js'

/** Size of the table of each kind and class, a power of two: the low bits of a word's place. */
export const KIND_PLACES = 16 * 1024

export const PHRASING_PLACES = WORD_PLACES + PIECE_PLACES + TURN_PLACES

export interface Opinion {
  /** Log odds that it is unwanted, by its words. */
  score: number
  /** Shares of spam, phishing and scam if it is unwanted, summing to 1. The share of bulk is independent. */
  kinds: Record<Kind, number>
  /** What it is after if it is abusive, where one class is likelier than all others together. */
  abuse: AbuseClass | undefined
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
  /** The features with the greatest weight in the suspicion that counted, strongest first. */
  telling(message: ReadableMessage, count: number): TellingFeature[]
}

export const WEIGHTS_BYTES =
  WORD_PLACES + PIECE_PLACES + PHRASING_PLACES + (KINDS.length + ABUSE_CLASSES.length) * KIND_PLACES

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
  const { calibration } = manifest
  const { known, phrasing, kinds, classes } = tablesOf(manifest, bytes)
  const { extract } = createExtractor()

  const partsOf = (features: Features): { known: number; phrasing: number } => ({
    known: calibration.known.scale * knownScore(features, known) + calibration.known.offset,
    phrasing: calibration.phrasing.scale * phrasingScore(features, phrasing) + calibration.phrasing.offset,
  })
  const scoreOf = (features: Features): number => {
    const parts = partsOf(features)
    return eitherOf(parts.known, parts.phrasing)
  }

  const kindsOf = ({ words }: Features): Record<Kind, number> => {
    const shares = sharesOf([kinds.spam, kinds.phishing, kinds.scam].map((table) => logitOf(table, words)))
    const [spam = 0, phishing = 0, scam = 0] = shares
    return { spam, phishing, scam, bulk: 1 / (1 + Math.exp(-logitOf(kinds.bulk, words))) }
  }

  const abuseOf = ({ words }: Features): AbuseClass | undefined => {
    const shares = sharesOf(ABUSE_CLASSES.map((name) => logitOf(classes[name], words)))
    return ABUSE_CLASSES.find((_, i) => (shares[i] ?? 0) > 0.5)
  }

  /** Weights of features as they moved the log odds of the greater suspicion. */
  const weighedIn = (features: Features): Weighed[] => {
    const { words, pieces, turns } = features
    const parts = partsOf(features)
    const certainty = certaintyOf(words.length)
    if (parts.known >= parts.phrasing) {
      const factor = certainty * calibration.known.scale
      return [
        ...weighed('word', words, known.words, factor * normOf(words.length)),
        ...weighed('piece', pieces, known.pieces, factor * normOf(pieces.length)),
      ]
    }
    const factor = certainty * calibration.phrasing.scale * normOf(featuresIn(features))
    return [
      ...weighed('word', words, phrasing.words, factor),
      ...weighed('piece', pieces, phrasing.pieces, factor),
      ...weighed('turn', turns, phrasing.turns, factor),
    ]
  }

  return {
    calibration,
    version: sha256.slice(0, 8),

    opinion(message) {
      const features = extract(message)
      if (features.words.length === 0) return undefined
      return { score: scoreOf(features), kinds: kindsOf(features), abuse: abuseOf(features) }
    },

    score(message) {
      const features = extract(message)
      return features.words.length === 0 ? undefined : scoreOf(features)
    },

    telling(message, count) {
      const strongest = strongestOf(weighedIn(extract(message)), count)
      const names = new Map(strongest.map(({ kind, place }) => [`${kind} ${place}`, '']))
      extract(message, (kind, place, spell) => {
        const key = `${kind} ${place}`
        if (names.has(key)) names.set(key, spell())
      })
      return strongest.map(({ kind, place, weight }) => {
        const name = names.get(`${kind} ${place}`) ?? ''
        return { feature: kind === 'piece' ? `…${name}…` : name, weight }
      })
    },
  }
}

interface KindTable {
  weights: Int8Array
  scale: number
  bias: number
}

interface AllTables {
  known: KnownTables
  phrasing: PhrasingTables
  kinds: Record<Kind, KindTable>
  classes: Record<AbuseClass, KindTable>
}

function tablesOf(manifest: ModelManifest, bytes: Buffer): AllTables {
  const weights = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = 0
  const next = (places: number): Int8Array => weights.subarray(at, (at += places))
  const table = (places: number, scale: number) => ({ weights: next(places), scale })
  const each = <K extends string>(names: readonly K[], given: Record<K, { scale: number; bias: number }>) =>
    Object.fromEntries(names.map((name) => [name, { weights: next(KIND_PLACES), ...given[name] }])) as Record<
      K,
      KindTable
    >
  return {
    known: {
      words: table(WORD_PLACES, manifest.words.scale),
      pieces: table(PIECE_PLACES, manifest.pieces.scale),
      bias: manifest.words.bias + manifest.pieces.bias,
    },
    phrasing: {
      words: table(WORD_PLACES, manifest.phrasing.scale),
      pieces: table(PIECE_PLACES, manifest.phrasing.scale),
      turns: table(TURN_PLACES, manifest.phrasing.scale),
      bias: manifest.phrasing.bias,
    },
    kinds: each(KINDS, manifest.kinds),
    classes: each(ABUSE_CLASSES, manifest.classes),
  }
}

function logitOf({ weights, scale, bias }: KindTable, places: Uint32Array): number {
  let sum = 0
  for (let i = 0; i < places.length; i++) sum += weights[(places[i] ?? 0) & (KIND_PLACES - 1)] ?? 0
  return sum * scale * normOf(places.length) + bias
}

function sharesOf(logits: number[]): number[] {
  const greatest = Math.max(...logits)
  const odds = logits.map((logit) => Math.exp(logit - greatest))
  const total = odds.reduce((sum, one) => sum + one, 0)
  return odds.map((one) => one / total)
}

interface Weighed {
  kind: 'word' | 'piece' | 'turn'
  place: number
  weight: number
}

function weighed(
  kind: Weighed['kind'],
  places: Uint32Array,
  { weights, scale }: KnownTables['words'],
  factor: number,
): Weighed[] {
  return Array.from(places, (place) => ({ kind, place, weight: (weights[place] ?? 0) * scale * factor }))
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
