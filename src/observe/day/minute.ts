/** What is kept of one minute, and how minutes are added up. */
import { z } from 'zod'
import { COUNT_NAMES, forEach, LATENCIES, LATENCY_NAMES, LEVEL_NAMES } from './series.js'
import type { CountName, LatencyName, LevelName } from './series.js'

export interface Minute {
  /** When it began, in milliseconds since the epoch. */
  at: number
  counts: Record<CountName, number>
  /** As they stood at its end; null what was not known. */
  levels: Record<LevelName, number | null>
  /** How many fell into each bucket, the last one being for all above. */
  latency: Record<LatencyName, number[]>
}

const count = z.number().min(0).default(0)
const level = z.number().nullable().default(null)

/** A minute as it is stored. What is missing was not recorded yet when it was written; what is there and not known is left out. */
export const minuteSchema: z.ZodType<Minute> = z.object({
  at: z.int().min(0),
  counts: z.object(forEach(COUNT_NAMES, () => count)),
  levels: z.object(forEach(LEVEL_NAMES, () => level)),
  latency: z.object(
    forEach(LATENCY_NAMES, (name) => {
      const none = noneOf(name)
      // Other buckets than those of today can't be added to them.
      return z
        .array(z.int().min(0))
        .catch(none)
        .transform((counts) => (counts.length === none.length ? counts : none))
    }),
  ),
})

export function noneOf(name: LatencyName): number[] {
  return new Array<number>(LATENCIES[name].buckets.length + 1).fill(0)
}

/** Two parts of one stretch of time; how things stand is told by the later one. */
export function added(earlier: Minute, later: Minute): Minute {
  return {
    at: earlier.at,
    counts: forEach(COUNT_NAMES, (name) => earlier.counts[name] + later.counts[name]),
    levels: forEach(LEVEL_NAMES, (name) => later.levels[name] ?? earlier.levels[name]),
    latency: forEach(LATENCY_NAMES, (name) =>
      earlier.latency[name].map((counted, at) => counted + (later.latency[name][at] ?? 0)),
    ),
  }
}
