/** From examples to the model: its tables, their form of eight bits, and the calibration on sources that it was not trained on. */
import { createHash } from 'node:crypto'
import { PIECE_PLACES, VERSION, WORD_PLACES } from '../src/guard/model/features.js'
import { KIND_PLACES, KINDS, greatestScore, type Kind, type ModelManifest } from '../src/guard/model/model.js'
import { FAMILIES, type Example } from './examples.js'
import { fit, type Linear } from './logistic.js'

export interface Tables {
  words: Linear
  pieces: Linear
}

export type Calibration = ModelManifest['calibration']

/** How much the word lists count beside a family of real mail: the English ones, and those of all other languages together. */
const LIST_WEIGHTS = { english: 5, others: 3 }
/** Each label of each family counts as many messages. */
const FAMILY_WEIGHT = 1000
/** Pieces of words only help: where words say nothing, or are misspelt. */
const PIECE_SHARE = 0.25

const groupOf = ({ family, isUnwanted, language }: Example): string =>
  family === 'lists' ? `lists ${language === 'en'} ${isUnwanted}` : `${family} ${isUnwanted}`

const trained = new Map<string, Tables>()

/** Once for each choice of sources: what leaves out one and then another has the tables of what leaves out the other and then the one. */
export function trainTables(examples: Example[]): Tables {
  const key = `${examples.length} ${[...new Set(examples.map(({ family, source }) => `${family}/${source}`))].sort().join(' ')}`
  const tables = trained.get(key) ?? tablesOf(examples)
  trained.set(key, tables)
  return tables
}

function tablesOf(examples: Example[]): Tables {
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
}

/** One table for each kind: unwanted mail of the kind against other unwanted mail, and bulk against other wanted mail. */
export function trainKinds(examples: Example[]): Record<Kind, Linear> {
  const table = (kind: Kind): Linear => {
    const among = examples.filter(({ isUnwanted }) => isUnwanted === (kind !== 'bulk'))
    const weights = weightsOf(among, ({ label }) => `${label === kind}`)
    return rounded(
      fit(
        among.map((example, i) => ({
          places: example.words,
          target: example.label === kind ? 1 : 0,
          weight: weights[i] ?? 0,
        })),
        { size: KIND_PLACES },
      ),
    )
  }
  return { spam: table('spam'), phishing: table('phishing'), scam: table('scam'), bulk: table('bulk') }
}

function weightsOf(examples: Example[], nameOf: (example: Example) => string): number[] {
  const counts = new Map<string, number>()
  for (const example of examples) counts.set(nameOf(example), (counts.get(nameOf(example)) ?? 0) + 1)
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

export function scoreOf({ words, pieces }: Tables, example: Example): number {
  return greatestScore(example, {
    words: { weights: words.weights, scale: 1 },
    pieces: { weights: pieces.weights, scale: 1 },
    bias: words.bias + pieces.bias,
  })
}

export interface Measured {
  example: Example
  score: number
}

/** Scores of each family by tables that were trained without it. */
export function scoresOfStrangers(examples: Example[], families: readonly string[] = FAMILIES): Measured[] {
  return families
    .filter((family) => examples.some((example) => example.family === family))
    .flatMap((family) => {
      const tables = trainTables(examples.filter((example) => example.family !== family))
      return examples
        .filter((example) => example.family === family)
        .map((example) => ({ example, score: scoreOf(tables, example) }))
    })
}

/**
 * Platt's: the odds as a line over what tables and rules say, fitted to mail of sources that the tables were not trained on. Rules count as much
 * as words do: free, the fit believes them too much, since the templates of unwanted mail were made to be found.
 */
export function calibrate(measured: Measured[]): Calibration {
  const weights = weightsOf(
    measured.map(({ example }) => example),
    groupOf,
  )
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const said = Float64Array.from(measured, ({ example, score }) => score + example.findings)
  const meant = Float64Array.from(measured, ({ example }) => (example.isUnwanted ? 1 : 0))
  const shares = Float64Array.from(weights, (weight) => weight / total)
  const line = { text: 1, offset: 0 }
  // Plain gradient descent on two numbers.
  for (let round = 0; round < 3000; round++) {
    const slope = { text: 0, offset: 0 }
    for (let i = 0; i < said.length; i++) {
      const logit = line.text * (said[i] ?? 0) + line.offset
      const error = (1 / (1 + Math.exp(-logit)) - (meant[i] ?? 0)) * (shares[i] ?? 0)
      slope.text += error * (said[i] ?? 0)
      slope.offset += error
    }
    line.text -= slope.text
    line.offset -= slope.offset
  }
  return { text: line.text, findings: line.text, offset: line.offset }
}

export function logitOf(calibration: Calibration, { example, score }: Measured): number {
  return calibration.text * score + calibration.findings * example.findings + calibration.offset
}

/** The model as it is shipped. */
export function packed(
  tables: Tables,
  kinds: Record<Kind, Linear>,
  calibration: Calibration,
): { weights: Buffer; manifest: ModelManifest } {
  const parts = [tables.words, tables.pieces, ...KINDS.map((kind) => kinds[kind])]
  const weights = Buffer.concat(
    parts.map(({ weights }) => {
      const step = stepOf(weights)
      return Buffer.from(Int8Array.from(weights, (weight) => Math.round(weight / step)).buffer)
    }),
  )
  const table = ({ weights, bias }: Linear): { scale: number; bias: number } => ({ scale: stepOf(weights), bias })
  return {
    weights,
    manifest: {
      features: VERSION,
      sha256: createHash('sha256').update(weights).digest('hex'),
      words: table(tables.words),
      pieces: table(tables.pieces),
      kinds: {
        spam: table(kinds.spam),
        phishing: table(kinds.phishing),
        scam: table(kinds.scam),
        bulk: table(kinds.bulk),
      },
      calibration,
    },
  }
}
