/** Random numbers that are the same from the same seed, on every machine. */

export type Random = () => number

/** Numbers in [0, 1) (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A whole number under `end`. */
export function below(random: Random, end: number): number {
  return Math.floor(random() * end)
}

export function pick<T>(random: Random, list: readonly T[]): T {
  const found = list[below(random, list.length)]
  if (found === undefined) throw new Error('nothing to pick from')
  return found
}
