/**
 * Arithmetic of corrections: a message is the set of its words and finding codes, each hashed to one of 4,096 places. A review adds its share to the
 * places of its message, and similar messages are shifted by the sum over their places. Shares halve every 30 days, a place counts at most
 * `MAX_WEIGHT`, and all together at most `MAX_SHIFT`.
 */
import { DAY } from '../../lib/clock.js'

export const PLACES = 4096
/** Largest change to the logit of the risk: 0.5 becomes 0.18 or 0.82. */
export const MAX_SHIFT = 1.5
/** Shift of a message with the same words by one review, within the bounds. */
const STEP = 0.5
const MAX_WEIGHT = 0.25
export const HALF_LIFE_MS = 30 * DAY
/** Max features of one message; later words add little. */
export const MAX_FEATURES = 400
/** Shorter words are in every message. */
const MIN_WORD_CHARS = 3
const WORD = /[\p{L}\p{N}]+/gu

export type Decision = 'approve' | 'reject'

export interface Lesson {
  decision: Decision
  /** Distinct places. */
  places: number[]
  /** Milliseconds since the epoch. */
  at: number
}

/**
 * The places of a message.
 *
 * @param words as `wordsOf` of the findings returns them
 * @param codes of the findings
 * @param seed of this installation, so that nobody can choose words for their places
 */
export function placesOf(words: string, codes: string[], seed: number): number[] {
  const places = new Set<number>()
  for (const code of codes.slice(0, MAX_FEATURES)) places.add(placeOf(`finding ${code}`, seed))
  for (const [word] of words.matchAll(WORD)) {
    if (places.size >= MAX_FEATURES) break
    if (word.length >= MIN_WORD_CHARS) places.add(placeOf(word, seed))
  }
  return [...places]
}

/** FNV-1a, and the finish of MurmurHash3, since the places are its low bits. */
function placeOf(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ seed) >>> 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) & (PLACES - 1)
}

export interface Weights {
  /** Adds a lesson, or removes it with `sign` -1. */
  add(lesson: Lesson, sign?: 1 | -1): void
  /** Shift of the logit of a message's risk, within ±MAX_SHIFT. */
  shift(places: number[], now: number): number
  /** The greatest weight of a place at `now`. */
  strongest(now: number): number
}

export function createWeights(): Weights {
  const sums = new Float64Array(PLACES)
  /** Time that `sums` refer to. */
  let since: number | undefined

  const faded = (from: number, to: number): number => 2 ** (-Math.max(0, to - from) / HALF_LIFE_MS)

  return {
    add({ decision, places, at }, sign = 1) {
      since ??= at
      if (at > since) {
        const rest = faded(since, at)
        for (let i = 0; i < PLACES; i++) sums[i] = (sums[i] ?? 0) * rest
        since = at
      }
      const share = (STEP / Math.sqrt(Math.max(1, places.length))) * faded(at, since)
      const toRisk = decision === 'reject' ? 1 : -1
      for (const place of places) sums[place] = (sums[place] ?? 0) + sign * toRisk * share
    },
    shift(places, now) {
      if (since === undefined || places.length === 0) return 0
      const rest = faded(since, now)
      const sum = places.reduce((total, place) => total + bounded((sums[place] ?? 0) * rest, MAX_WEIGHT), 0)
      return bounded(sum / Math.sqrt(places.length), MAX_SHIFT)
    },
    strongest(now) {
      const rest = since === undefined ? 0 : faded(since, now)
      return sums.reduce((most, sum) => Math.max(most, bounded(Math.abs(sum) * rest, MAX_WEIGHT)), 0)
    },
  }
}

function bounded(value: number, limit: number): number {
  return Number.isFinite(value) ? Math.max(-limit, Math.min(limit, value)) : 0
}
