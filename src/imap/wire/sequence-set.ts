/** Sets of sequence numbers and UIDs (RFC 9051 §9: sequence-set): sorted, merged runs, whatever the client wrote. */
import type { Scanner } from './scanner.js'

const MAX_NUMBER = 2 ** 32 - 1

export interface NumberSet {
  kind: 'numbers'
  /** First and last number of each run, flat: `[1, 3, 7, 7]` is `1:3,7`. Ascending, runs don't touch. */
  runs: readonly number[]
  /**
   * Of all `n:*` the least n; `*` alone is the greatest number there is. With `largest` the largest number in use, the set also has the numbers
   * in use from min(n, largest) on.
   */
  starFrom: number | undefined
}

/** `$`: the saved result of a search (RFC 9051 §6.4.4.1). */
export type SequenceSet = NumberSet | { kind: 'saved' }

/** Positions in a mailbox, from 0: `start` to `end`, without `end`. */
export interface IndexRange {
  start: number
  end: number
}

export function readSequenceSet(scanner: Scanner, what = 'a sequence set'): SequenceSet {
  const text = scanner.set(what)
  if (text === '$') return { kind: 'saved' }
  return parseNumberSet(text) ?? scanner.reject(`${what} is not valid`)
}

/** A set of numbers only: no `*`, no `$` (RFC 7162 §7: known-uids and seq-match-data). */
export function readKnownSet(scanner: Scanner, what: string): NumberSet {
  const set = readSequenceSet(scanner, what)
  if (set.kind === 'saved' || set.starFrom !== undefined) scanner.reject(`${what} has numbers only`)
  return set
}

/** @returns undefined if the text is not a set */
export function parseNumberSet(text: string): NumberSet | undefined {
  const ranges: [number, number][] = []
  let starFrom: number | undefined
  for (const part of text.split(',')) {
    const ends = part.split(':', 3).map(parseEnd)
    const [first, last = first] = ends
    if (first === undefined || last === undefined || ends.length > 2 || ends.includes(undefined)) return undefined
    const [low, high] = first <= last ? [first, last] : [last, first]
    if (high === Infinity) starFrom = Math.min(starFrom ?? MAX_NUMBER, low)
    else ranges.push([low, high])
  }
  return { kind: 'numbers', runs: merged(ranges), starFrom }
}

/** How many numbers the set has, without those of `*`. */
export function countNumbers({ runs }: NumberSet): number {
  let count = 0
  for (let i = 0; i < runs.length; i += 2) count += at(runs, i + 1) - at(runs, i) + 1
  return count
}

/** Whether a number is in the set; of `n:*` all from n on are. */
export function hasNumber({ runs, starFrom }: NumberSet, number: number): boolean {
  if (starFrom !== undefined && number >= starFrom) return true
  let [low, high] = [0, runs.length / 2]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(runs, 2 * middle) <= number) low = middle + 1
    else high = middle
  }
  return low > 0 && number <= at(runs, 2 * low - 1)
}

/** The positions of the messages of a set of sequence numbers, in a mailbox of `count` messages. Numbers beyond are left out. */
export function resolveSequence(set: NumberSet, count: number): IndexRange[] {
  return resolve(set, count, count, (number) => Math.min(count, number - 1))
}

/** The greatest number that is written in the set: larger than the count of messages, a sequence set is not valid (RFC 9051 §9: seq-number). */
export function largestNumber({ runs, starFrom }: NumberSet): number {
  const star = starFrom === undefined || starFrom === MAX_NUMBER ? 0 : starFrom
  return Math.max(runs.at(-1) ?? 0, star)
}

/** The positions of the messages of a set of UIDs. Costs a binary search for each end of a run. @param uids ascending */
export function resolveUids(set: NumberSet, uids: Uint32Array): IndexRange[] {
  return resolve(set, uids.at(-1) ?? 0, uids.length, (uid) => firstNotBelow(uids, uid))
}

/** @param positionOf the position of the first message whose number is not less */
function resolve(set: NumberSet, largest: number, count: number, positionOf: (number: number) => number): IndexRange[] {
  const { runs, starFrom } = set
  const found: IndexRange[] = []
  const add = (start: number, end: number): void => {
    const before = found.at(-1)
    if (start >= end) return
    // Runs that don't touch can do so when numbers between them are not in use.
    if (before && before.end >= start) before.end = Math.max(before.end, end)
    else found.push({ start, end })
  }
  const star = count === 0 || starFrom === undefined ? count : positionOf(Math.min(starFrom, largest))
  for (let i = 0; i < runs.length; i += 2) {
    const start = positionOf(at(runs, i))
    if (start >= star) break
    add(start, positionOf(at(runs, i + 1) + 1))
  }
  add(star, count)
  return found
}

function firstNotBelow(uids: Uint32Array, uid: number): number {
  let low = 0
  let high = uids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(uids, middle) < uid) low = middle + 1
    else high = middle
  }
  return low
}

/** A number from 1 to 2^32-1, Infinity for `*`; undefined if it is neither. */
function parseEnd(text: string): number | undefined {
  if (text === '*') return Infinity
  const number = Number(text)
  return /^[1-9][0-9]{0,9}$/.test(text) && number <= MAX_NUMBER ? number : undefined
}

function merged(ranges: [number, number][]): number[] {
  const runs: number[] = []
  let end = -1
  for (const [low, high] of ranges.sort((a, b) => a[0] - b[0])) {
    if (runs.length > 0 && low <= end + 1) {
      end = Math.max(end, high)
      runs[runs.length - 1] = end
    } else {
      end = high
      runs.push(low, high)
    }
  }
  return runs
}

function at(numbers: ArrayLike<number>, index: number): number {
  const number = numbers[index]
  if (number === undefined) throw new RangeError(`no number at ${index}`)
  return number
}
