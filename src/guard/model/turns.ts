/**
 * Turns of phrase: a word with one of the words up to four before it, whatever stands between, and three words in a row, each by its beginning, so that
 * forms of a word are one. What a message asks of its reader is in them rather than in single words. A change needs a new training and a new `VERSION`
 * (features.ts).
 */
import { spread } from './hashes.js'

/** Size of their table, a power of two. */
export const TURN_PLACES = 512 * 1024

/** Characters of a word that count. */
export const STEM_CHARS = 5

const REACH = 4
/** Turns that end with a word: with the fourth word before it, the third and the second, and with both before it. */
export const TURNS_EACH = REACH
const APART_SEED = 0x1b873593
const TRIPLE_SEED = 0x3c6ef372
/** Odd factors, so that the same words in another order are another turn. */
const APART_FACTOR = 37
const TRIPLE_FACTOR = 31

/**
 * The places of the turns that end with each word, `TURNS_EACH` of them; those of words before the first mean nothing.
 *
 * @param stems hashes of the beginnings of the words
 */
export function placesOfTurns(stems: Int32Array, count: number, places: Uint32Array): void {
  let [fourth, third, second, before] = [0, 0, 0, 0]
  for (let i = 0, at = 0; i < count; i++, at += TURNS_EACH) {
    const word = stems[i] ?? 0
    const end = word ^ APART_SEED
    places[at] = placeOf(Math.imul(fourth, APART_FACTOR) ^ end)
    places[at + 1] = placeOf(Math.imul(third, APART_FACTOR) ^ end)
    places[at + 2] = placeOf(Math.imul(second, APART_FACTOR) ^ end)
    places[at + 3] = placeOf(Math.imul(Math.imul(second, TRIPLE_FACTOR) ^ before, TRIPLE_FACTOR) ^ word ^ TRIPLE_SEED)
    fourth = third
    third = second
    second = before
    before = word
  }
}

/** The first turn that ends with a word before which `before` words stand; each after it is one too. */
export function firstTurn(before: number): number {
  return before < 2 ? TURNS_EACH : Math.max(0, REACH - before)
}

/** Which words before the last one are those of a turn, by how far before. */
export function wordsOfTurn(turn: number): number[] {
  return turn === TURNS_EACH - 1 ? [2, 1, 0] : [REACH - turn, 0]
}

function placeOf(hash: number): number {
  return spread(hash) & (TURN_PLACES - 1)
}
