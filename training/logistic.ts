/**
 * Logistic regression over binary features by stochastic gradient descent, plain or with a step of each weight's own (AdaGrad). The same examples and
 * settings make the same weights.
 */
import { normOf } from '../src/guard/model/scores.js'
import { createRandom } from './generated/template.js'

export interface Weighted {
  places: Uint32Array
  target: 0 | 1
  /** How much it counts. */
  weight: number
}

export interface FitOptions {
  /** Of the table; a place beyond it is taken modulo its size. */
  size: number
  passes?: number
  rate?: number
  /** Pull towards 0 of the weights that an example touches. */
  decay?: number
  /** Share of the features that each look at an example leaves out: it can't rely on a few. */
  leaveOut?: number
  /** Weights that moved little move further: rare features, which else hardly learn. */
  isAdaptive?: boolean
}

export interface Linear {
  weights: Float32Array
  bias: number
}

/** The features of a message add up to about this much, so that the weights are near 1. */
const SCALE = 10
/** Of adaptive steps: their size, what each weight is taken to have moved before, and the pull towards 0. */
const ADAPTIVE = { rate: 0.05, moved: 0.1, decay: 1e-3 }

export function fit(examples: Weighted[], options: FitOptions): Linear {
  const { size, passes = 8, rate = 0.03, decay = 1e-4, leaveOut = 0, isAdaptive = false } = options
  const weights = new Float32Array(size)
  const moved = isAdaptive ? new Float32Array(size).fill(ADAPTIVE.moved) : undefined
  let bias = 0
  const random = createRandom('order of the examples')
  const order = Uint32Array.from(examples.keys())
  for (let pass = 0; pass < passes; pass++) {
    shuffle(order, random)
    const step = rate / (1 + pass)
    for (const i of order) {
      const example = examples[i]
      if (!example) continue
      const places = leaveOut > 0 ? example.places.filter(() => random.next() >= leaveOut) : example.places
      if (places.length === 0) continue
      const norm = SCALE * normOf(places.length)
      let sum = 0
      for (const place of places) sum += weights[place % size] ?? 0
      const error = (1 / (1 + Math.exp(-(sum * norm + bias))) - example.target) * example.weight
      bias -= step * error * 0.1
      if (moved) {
        adapt(weights, moved, places, error * norm)
        continue
      }
      const change = step * error * norm
      const keep = 1 - step * decay * 1000
      for (const place of places) weights[place % size] = (weights[place % size] ?? 0) * keep - change
    }
  }
  for (let i = 0; i < weights.length; i++) weights[i] = (weights[i] ?? 0) * SCALE
  return { weights, bias }
}

function adapt(weights: Float32Array, moved: Float32Array, places: Uint32Array, slope: number): void {
  for (const place of places) {
    const weight = weights[place] ?? 0
    const change = slope + ADAPTIVE.decay * weight
    const all = (moved[place] ?? 0) + change * change
    moved[place] = all
    weights[place] = weight - (ADAPTIVE.rate * change) / Math.sqrt(all)
  }
}

function shuffle(order: Uint32Array, random: { int(least: number, most: number): number }): void {
  for (let i = order.length - 1; i > 0; i--) {
    const j = random.int(0, i)
    const kept = order[i] ?? 0
    order[i] = order[j] ?? 0
    order[j] = kept
  }
}
