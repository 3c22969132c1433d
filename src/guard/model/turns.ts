/**
 * Turns of phrase: a word with one of the words up to five before it, whatever stands between, and three words in a row. What a message asks of its
 * reader is in them rather than in single words. A change needs a new training and a new `VERSION` (features.ts).
 */
import { isLess, noted, spread } from './hashes.js'

/** Size of their table, a power of two. */
export const TURN_PLACES = 512 * 1024

const REACH = 5
const APART_SEED = 0x1b873593
const TRIPLE_SEED = 0x3c6ef372
/** Odd factors, so that the same words in another order are another turn. */
const APART_FACTOR = 37
const TRIPLE_FACTOR = 31

export interface Turns {
  /** Forgets the message before. */
  clear(): void
  /** Adds those of words in order, by their hashes. `name` is called with the indices of the words of each new one. */
  add(words: Int32Array, count: number, name?: (place: number, ...indices: number[]) => void): void
  /** Places, each once; valid until the next call of `clear`. */
  places(): Uint32Array
}

/** @param most words in all */
export function createTurns(most: number): Turns {
  const places = new Uint32Array(most * (REACH + 1))
  const seen = new Uint32Array(TURN_PLACES / 32)
  let count = 0

  return {
    clear() {
      for (let i = 0; i < count; i++) seen[(places[i] ?? 0) >>> 5] = 0
      count = 0
    },

    add(words, many, name) {
      let at = count
      for (let i = 1; i < many; i++) {
        const word = words[i] ?? 0
        const before = words[i - 1] ?? 0
        for (let j = Math.max(0, i - REACH); j < i - 1; j++) {
          const place = placeOf(Math.imul(words[j] ?? 0, APART_FACTOR) ^ word ^ APART_SEED)
          places[at] = place
          const isNew = noted(seen, place, 1)
          at += isNew
          if (name && isNew === 1) name(place, j, i)
        }
        const first = words[i - 2] ?? 0
        const place = placeOf(Math.imul(Math.imul(first, TRIPLE_FACTOR) ^ before, TRIPLE_FACTOR) ^ word ^ TRIPLE_SEED)
        places[at] = place
        const isNew = noted(seen, place, isLess(1, i))
        at += isNew
        if (name && isNew === 1) name(place, i - 2, i - 1, i)
      }
      count = at
    },

    places: () => places.subarray(0, count),
  }
}

function placeOf(hash: number): number {
  return spread(hash) & (TURN_PLACES - 1)
}
