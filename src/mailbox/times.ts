/**
 * When messages came, by their places: for each stretch of places the time of its oldest and of its newest message, and the same for stretches of 64
 * such, and so on. A search for mail of some time passes over whole stretches by it, and need not believe that later places have later times.
 */
import { decode, encode } from '../store/keys.js'
import type { Transaction } from '../store/types.js'
import { stretchKey } from './keys.js'

/** Places of a stretch, the longest first. */
export const LENGTHS = [16_777_216, 262_144, 4_096, 64]

/** Milliseconds since the epoch; from the first one on, before the second. */
export interface Times {
  after: number
  before: number
}

type Span = [oldest: number, newest: number]

/** Writes down when messages came. What is known already only gets wider. */
export async function saveTimes(tx: Transaction, messages: readonly { seq: number; at: number }[]): Promise<void> {
  const spans = new Map<string, { length: number; stretch: number; span: Span }>()
  for (const { seq, at } of messages) {
    for (const length of LENGTHS) {
      const stretch = Math.floor(seq / length)
      const name = `${length} ${stretch}`
      const known = spans.get(name)?.span ?? [at, at]
      spans.set(name, { length, stretch, span: wider(known, [at, at]) })
    }
  }
  for (const { length, stretch, span } of spans.values()) {
    const key = stretchKey(length, stretch)
    const bytes = await tx.get(key)
    const before = bytes && decode<Span>(bytes)
    const after = before ? wider(before, span) : span
    if (!before || before.join() !== after.join()) tx.put(key, encode(after))
  }
}

const wider = (a: Span, b: Span): Span => [Math.min(a[0], b[0]), Math.max(a[1], b[1])]

/**
 * The first place, from `atMost` down, around which there may be mail of some time; undefined when there is none.
 *
 * @param read the row of a stretch
 * @param newestUpTo the place of the newest message at or before a place; leads over the gap that a restore leaves in the numbers
 */
export async function reachTimes(
  atMost: number,
  times: Times,
  read: (key: Uint8Array) => Promise<Uint8Array | undefined>,
  newestUpTo: (place: number) => Promise<number | undefined>,
): Promise<number | undefined> {
  let at = atMost
  for (let i = 0; i < LENGTHS.length;) {
    const length = LENGTHS[i] ?? 1
    const stretch = Math.floor(at / length)
    const bytes = await read(stretchKey(length, stretch))
    const [oldest, newest] = bytes ? decode<Span>(bytes) : [Infinity, -Infinity]
    if (newest >= times.after && oldest < times.before) {
      i++
      continue
    }
    const before = stretch * length - 1
    if (before < 0) return undefined
    const next = bytes || i > 0 ? before : await newestUpTo(before)
    if (next === undefined) return undefined
    at = next
    i = 0
  }
  return at
}
