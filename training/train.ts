/** From examples to the model: its tables, their form of eight bits, and the calibration on sources that it was not trained on. */
import { createHash } from 'node:crypto'
import { ABUSE_CLASSES, type AbuseClass } from '../src/guard/abuse-classes.js'
import { PIECE_PLACES, VERSION, WORD_PLACES } from '../src/guard/model/features.js'
import { KIND_PLACES, KINDS, PHRASING_PLACES, type Kind, type ModelManifest } from '../src/guard/model/model.js'
import {
  knownScore,
  normOf,
  phrasingScore,
  type KnownTables,
  type PhrasingTables,
  type Scores,
} from '../src/guard/model/scores.js'
import { FAMILIES, isOfCorpora, isOfScenes, type Example } from './examples.js'
import { fit, type Linear } from './logistic.js'

export interface Tables {
  words: Linear
  pieces: Linear
  phrasing: Linear
  familiar: Linear
}

/** How much the word lists count beside a family of real mail: the English ones, and those of all other languages together. */
const LIST_WEIGHTS = { english: 5, others: 3 }
/** Each label of each family counts as many messages. */
const FAMILY_WEIGHT = 1000
/** Each label of each style and language of scenes counts as the root of its messages, times this. */
const STYLE_WEIGHT = 25
/** What shall tell mail of the corpora from other mail: each side counts as many messages, its sources alike. */
const SIDE_WEIGHT = 8000
/** Of the other side. The corpora are all in English: weighed by its sources, English itself would tell them apart. */
const ENGLISH_SHARE = 0.6
/** Pieces of words only help: where words say nothing, or are misspelt. */
const PIECE_SHARE = 0.25

const groupOf = ({ family, isUnwanted, language }: Example): string =>
  family === 'lists' ? `lists ${language === 'en'} ${isUnwanted}` : `${family} ${isUnwanted}`

const sourcesOf = (examples: Example[]): string =>
  `${examples.length} ${[...new Set(examples.map(({ family, source }) => `${family}/${source}`))].sort().join(' ')}`

function remembered<T>(make: (examples: Example[]) => T): (examples: Example[]) => T {
  const made = new Map<string, T>()
  return (examples) => {
    const key = sourcesOf(examples)
    const known = made.get(key) ?? make(examples)
    made.set(key, known)
    return known
  }
}

/** Once for each choice of sources: what leaves out one and then another has the tables of what leaves out the other and then the one. */
export function trainTables(examples: Example[]): Tables {
  return {
    ...trainKnown(examples),
    phrasing: trainPhrasing(examples.filter((example) => isOfScenes(example) || example.family === 'generated')),
    familiar: trainFamiliar(examples.filter(({ family }) => family !== 'lists')),
  }
}

/** The words of corpora, templates and lists; and of scenes, from which it learns that words of their topics stand in honest mail too. */
const trainKnown = remembered((examples): Pick<Tables, 'words' | 'pieces'> => {
  const weights = weightsOf(examples, groupOf)
  const of = (places: 'words' | 'pieces', size: number): Linear =>
    fit(
      examples.map((example, i) => ({
        places: example[places],
        target: example.isUnwanted ? 1 : 0,
        weight: weights[i] ?? 0,
      })),
      { size },
    )
  const pieces = of('pieces', PIECE_PLACES)
  return {
    words: rounded(of('words', WORD_PLACES)),
    pieces: rounded({ weights: pieces.weights.map((weight) => weight * PIECE_SHARE), bias: pieces.bias * PIECE_SHARE }),
  }
})

/** How abuse asks, from pairs of messages of one topic. Half of the features are left out at each look, so that no telling word is enough. */
const trainPhrasing = remembered((examples): Linear => {
  if (examples.length === 0) return { weights: new Float32Array(PHRASING_PLACES), bias: 0 }
  const nameOf = ({ source, language, isUnwanted }: Example): string => `${source} ${language} ${isUnwanted}`
  const counts = countsOf(examples, nameOf)
  const weighted = examples.map((example) => ({
    places: placesOf(example),
    target: example.isUnwanted ? (1 as const) : (0 as const),
    weight: STYLE_WEIGHT / Math.sqrt(counts.get(nameOf(example)) ?? 1),
  }))
  return rounded(fit(weighted, { size: PHRASING_PLACES, passes: 10, leaveOut: 0.5, isAdaptive: true }))
})

/** Mail of the corpora, of some companies and lists twenty years ago, from mail as templates and scenes have it. */
const trainFamiliar = remembered((examples): Linear => {
  const nameOf = ({ source, language }: Example): string => `${source} ${language}`
  const sideOf = (example: Example): string =>
    isOfCorpora(example) ? 'corpora' : example.language === 'en' ? 'English' : 'others'
  const counts = countsOf(examples, nameOf)
  const sources = new Map<string, Set<string>>()
  for (const example of examples) {
    const names = sources.get(sideOf(example)) ?? new Set()
    sources.set(sideOf(example), names.add(nameOf(example)))
  }
  const shares: Record<string, number> = { corpora: 1, English: ENGLISH_SHARE, others: 1 - ENGLISH_SHARE }
  return rounded(
    fit(
      examples.map((example) => ({
        places: example.words,
        target: isOfCorpora(example) ? 1 : 0,
        weight:
          (SIDE_WEIGHT * (shares[sideOf(example)] ?? 0)) /
          (sources.get(sideOf(example))?.size ?? 1) /
          (counts.get(nameOf(example)) ?? 1),
      })),
      { size: KIND_PLACES, passes: 8, leaveOut: 0.6 },
    ),
  )
})

/** In the one table of phrasing: words, turns. */
function placesOf({ words, turns }: Example): Uint32Array {
  const places = new Uint32Array(words.length + turns.length)
  places.set(words)
  for (let i = 0; i < turns.length; i++) places[words.length + i] = WORD_PLACES + (turns[i] ?? 0)
  return places
}

/** One table for each kind: unwanted mail of the kind against other unwanted mail, and bulk against other wanted mail. */
export function trainKinds(examples: Example[]): Record<Kind, Linear> {
  const table = (kind: Kind): Linear =>
    tableOf(
      examples.filter(({ isUnwanted }) => isUnwanted === (kind !== 'bulk')),
      ({ label }) => label === kind,
    )
  return { spam: table('spam'), phishing: table('phishing'), scam: table('scam'), bulk: table('bulk') }
}

/** One table for each class of abuse, against the others. */
export function trainClasses(examples: Example[]): Record<AbuseClass, Linear> {
  const abusive = examples.filter(({ isUnwanted, abuse }) => isUnwanted && abuse !== undefined)
  // All classes have a table.
  return Object.fromEntries(
    ABUSE_CLASSES.map((name) => [name, tableOf(abusive, ({ abuse }) => abuse === name)]),
  ) as Record<AbuseClass, Linear>
}

function tableOf(examples: Example[], isOne: (example: Example) => boolean): Linear {
  const weights = weightsOf(examples, (example) => String(isOne(example)))
  return rounded(
    fit(
      examples.map((example, i) => ({
        places: example.words,
        target: isOne(example) ? 1 : 0,
        weight: weights[i] ?? 0,
      })),
      { size: KIND_PLACES },
    ),
  )
}

function countsOf(examples: Example[], nameOf: (example: Example) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const example of examples) counts.set(nameOf(example), (counts.get(nameOf(example)) ?? 0) + 1)
  return counts
}

function weightsOf(examples: Example[], nameOf: (example: Example) => string): number[] {
  const counts = countsOf(examples, nameOf)
  return examples.map((example) => {
    const share = FAMILY_WEIGHT / (counts.get(nameOf(example)) ?? 1)
    if (example.family !== 'lists') return share
    return share * (example.language === 'en' ? LIST_WEIGHTS.english : LIST_WEIGHTS.others)
  })
}

/** As the package has it: steps of eight bits. What is measured is what is shipped. */
function rounded({ weights, bias }: Linear): Linear {
  const step = stepOf(weights)
  return { weights: weights.map((weight) => Math.round(weight / step) * step), bias }
}

function stepOf(weights: Float32Array): number {
  return weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127 || 1
}

export function scoresOf({ words, pieces, phrasing, familiar }: Tables, example: Example): Scores {
  const table = (weights: Float32Array) => ({ weights, scale: 1 })
  const known: KnownTables = {
    words: table(words.weights),
    pieces: table(pieces.weights),
    bias: words.bias + pieces.bias,
  }
  const asks: PhrasingTables = {
    words: table(phrasing.weights.subarray(0, WORD_PLACES)),
    turns: table(phrasing.weights.subarray(WORD_PLACES)),
    bias: phrasing.bias,
  }
  return {
    known: knownScore(example, known),
    phrasing: phrasingScore(example, asks),
    familiar: familiarScore(familiar, example),
  }
}

function familiarScore({ weights, bias }: Linear, { words }: Example): number {
  let sum = 0
  for (const place of words) sum += weights[place % KIND_PLACES] ?? 0
  return sum * normOf(words.length) + bias
}

export interface Measured extends Scores {
  example: Example
}

/** Styles of scenes are left out this many at once. */
const STYLES_AT_ONCE = 4

/** Scores of each family, and of a few styles of scenes at once, by tables that were trained without them. */
export function scoresOfStrangers(examples: Example[], families: readonly string[] = FAMILIES): Measured[] {
  const of = (isStranger: (example: Example) => boolean): Measured[] => {
    const strangers = examples.filter(isStranger)
    if (strangers.length === 0) return []
    const tables = trainTables(examples.filter((example) => !isStranger(example)))
    return strangers.map((example) => ({ example, ...scoresOf(tables, example) }))
  }
  const styles = [...new Set(examples.filter(isOfScenes).map(({ source }) => source))].sort()
  const rounds = Math.ceil(styles.length / STYLES_AT_ONCE)
  return families.flatMap((family) =>
    family === 'scenes'
      ? Array.from({ length: rounds }, (_, round) => {
          const out = new Set(styles.filter((_, i) => i % rounds === round))
          return of(({ source }) => out.has(source))
        }).flat()
      : of((example) => example.family === family),
  )
}

/** The model as it is shipped. */
export function packed(
  tables: Tables,
  kinds: Record<Kind, Linear>,
  classes: Record<AbuseClass, Linear>,
  calibration: ModelManifest['calibration'],
): { weights: Buffer; manifest: ModelManifest } {
  const parts = [
    ...[tables.words, tables.pieces, tables.phrasing, tables.familiar],
    ...KINDS.map((kind) => kinds[kind]),
    ...ABUSE_CLASSES.map((name) => classes[name]),
  ]
  const weights = Buffer.concat(
    parts.map(({ weights }) => {
      const step = stepOf(weights)
      return Buffer.from(Int8Array.from(weights, (weight) => Math.round(weight / step)).buffer)
    }),
  )
  const table = ({ weights, bias }: Linear): { scale: number; bias: number } => ({ scale: stepOf(weights), bias })
  const tablesOf = <K extends string>(names: readonly K[], of: Record<K, Linear>) =>
    Object.fromEntries(names.map((name) => [name, table(of[name])])) as Record<K, ReturnType<typeof table>>
  return {
    weights,
    manifest: {
      features: VERSION,
      sha256: createHash('sha256').update(weights).digest('hex'),
      words: table(tables.words),
      pieces: table(tables.pieces),
      phrasing: table(tables.phrasing),
      familiar: table(tables.familiar),
      kinds: tablesOf(KINDS, kinds),
      classes: tablesOf(ABUSE_CLASSES, classes),
      calibration,
    },
  }
}
