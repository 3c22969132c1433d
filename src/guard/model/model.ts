/**
 * The text model: the probability that a message is unwanted mail, its kind and its class of abuse. Logistic regressions over hashed features with
 * 8-bit weights. One knows the words of corpora of mail; another learned from pairs of honest and abusive messages of one topic how abuse asks. A third
 * tells how much a message is like those of the corpora, and so which of the two to believe. `training/` builds it, and its manifest describes the data.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  createExtractor,
  PIECE_PLACES,
  WORD_PLACES,
  type Features,
  type Namer,
  type Range,
  type ReadableMessage,
} from './features.js'
import {
  ABUSE_CLASSES,
  KIND_PLACES,
  KINDS,
  parseManifest,
  type AbuseClass,
  type Kind,
  type ModelManifest,
} from './manifest.js'
import {
  certaintyOf,
  familiarShare,
  knownScore,
  normOf,
  phrasingScore,
  scalesFor,
  sigmoid,
  textLogit,
  type KnownTables,
  type PhrasingTables,
  type Scores,
} from './scores.js'
import { TURN_PLACES } from './turns.js'
import { windowShare, worstWindow } from './windows.js'

export { KIND_PLACES, KINDS, type Kind, type ModelManifest } from './manifest.js'
export { sigmoid } from './scores.js'

export const PHRASING_PLACES = WORD_PLACES + TURN_PLACES

export interface Opinion {
  /** Log odds that it is unwanted, by its words. */
  score: number
  /** Shares of spam, phishing and scam if it is unwanted, summing to 1. The share of bulk is independent. */
  kinds: Record<Kind, number>
  /** Class of abuse: only if the message is more likely unwanted than not, and one class is more likely than all others together. */
  abuse: AbuseClass | undefined
}

export interface Scored extends Pick<Opinion, 'score'> {
  /** Places of its words. */
  places: Uint32Array
  /** The window that counts more than the whole. */
  window?: Range | undefined
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
  /** The score of the whole, or of a window of a long message that is worse. */
  worst(message: ReadableMessage): Scored | undefined
  /** The rest of the opinion. */
  opinionOf(scored: Scored): Opinion
  /** The features of a message, or of a window of it, with the greatest weight, strongest first. */
  telling(message: ReadableMessage, count: number, window?: Range): TellingFeature[]
}

/** Nine words and an end of a sentence, each with its pair. Fewer say too little to be held for them: "I am the helper you set up today." */
const MIN_WORD_FEATURES = 20
/** Greatest log odds of a message with fewer. */
const MOST_OF_FEW = 2

export const WEIGHTS_BYTES =
  WORD_PLACES + PIECE_PLACES + PHRASING_PLACES + (1 + KINDS.length + ABUSE_CLASSES.length) * KIND_PLACES

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
  const { known, phrasing, familiar, kinds, classes } = tablesOf(manifest, bytes)
  const { extract, within, title, body } = createExtractor()

  const scoresOf = (features: Features): Scores => ({
    known: knownScore(features, known),
    phrasing: phrasingScore(features, phrasing),
    familiar: logitOf(familiar, features.words),
  })

  const scoreOf = (scores: Scores, { words }: Features): number => {
    const score = textLogit(scores, calibration)
    return words.length < MIN_WORD_FEATURES ? Math.min(score, MOST_OF_FEW) : score
  }

  const scoredOf = (features: Features): Scored | undefined =>
    features.words.length === 0
      ? undefined
      : { score: scoreOf(scoresOf(features), features), places: features.words.slice() }

  const kindsOf = (words: Uint32Array): Record<Kind, number> => {
    const shares = sharesOf([kinds.spam, kinds.phishing, kinds.scam].map((table) => logitOf(table, words)))
    const [spam = 0, phishing = 0, scam = 0] = shares
    return { spam, phishing, scam, bulk: sigmoid(logitOf(kinds.bulk, words)) }
  }

  const abuseOf = (words: Uint32Array): AbuseClass | undefined => {
    const shares = sharesOf(ABUSE_CLASSES.map((name) => logitOf(classes[name], words)))
    return ABUSE_CLASSES.find((_, i) => (shares[i] ?? 0) > 0.5)
  }

  const opinionOf = ({ score, places }: Scored): Opinion => ({
    score,
    kinds: kindsOf(places),
    abuse: score > 0 ? abuseOf(places) : undefined,
  })

  /** The features that moved the log odds most, and by how much. */
  const strongestIn = (features: Features, count: number): Weighed[] => {
    const { words, pieces, turns } = features
    const scales = scalesFor(scoresOf(features), calibration)
    const certainty = certaintyOf(words.length)
    const [ofKnown, ofAsking] = [
      certainty * scales.known,
      certainty * scales.phrasing * normOf(words.length + turns.length),
    ]
    const [wordFactor, pieceFactor] = [ofKnown * normOf(words.length), ofKnown * normOf(pieces.length)]
    const strongest: Weighed[] = []
    addStrongest(strongest, count, 'word', words, [known.words, wordFactor], [phrasing.words, ofAsking])
    addStrongest(strongest, count, 'piece', pieces, [known.pieces, pieceFactor])
    addStrongest(strongest, count, 'turn', turns, [phrasing.turns, ofAsking])
    return strongest
  }

  return {
    calibration,
    version: sha256.slice(0, 8),

    opinion(message) {
      const scored = scoredOf(extract(message))
      return scored && opinionOf(scored)
    },

    worst(message) {
      const whole = scoredOf(extract(message))
      const logit = (scores: Scores): number => textLogit(scores, calibration)
      const window = whole && worstWindow(title, body, { known, phrasing, familiar }, logit)
      if (!window) return whole
      const features = within(window)
      const scores = scoresOf(features)
      const score = windowShare(familiarShare(scores, calibration.gate)) * logit(scores)
      return score > Math.max(0, whole.score) ? { score, places: features.words.slice(), window } : whole
    },

    opinionOf,

    telling(message, count, window) {
      const all = extract(message)
      const strongest = strongestIn(window ? within(window) : all, count)
      const names = new Map(strongest.map(({ kind, place }) => [`${kind} ${place}`, '']))
      const name: Namer = (kind, place, spell) => {
        const key = `${kind} ${place}`
        if (names.has(key)) names.set(key, spell())
      }
      if (window) within(window, name)
      else extract(message, name)
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
  familiar: KindTable
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
      turns: table(TURN_PLACES, manifest.phrasing.scale),
      bias: manifest.phrasing.bias,
    },
    familiar: { weights: next(KIND_PLACES), ...manifest.familiar },
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

/** Keeps the `count` strongest, strongest first; of equal ones the first. */
function addStrongest(
  strongest: Weighed[],
  count: number,
  kind: Weighed['kind'],
  places: Uint32Array,
  ...tables: [table: KnownTables['words'], factor: number][]
): void {
  let least = strongest.length < count ? 0 : Math.abs(strongest.at(-1)?.weight ?? 0)
  for (const place of places) {
    let weight = 0
    for (const [{ weights, scale }, factor] of tables) weight += (weights[place] ?? 0) * scale * factor
    const strength = Math.abs(weight)
    if (strength <= least) continue
    let at = strongest.length
    while (at > 0 && Math.abs(strongest[at - 1]?.weight ?? 0) < strength) at--
    strongest.splice(at, 0, { kind, place, weight })
    if (strongest.length > count) strongest.pop()
    if (strongest.length === count) least = Math.abs(strongest.at(-1)?.weight ?? 0)
  }
}
