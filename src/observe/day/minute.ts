/** The record of one minute, and the addition of minutes. */
import { z } from 'zod'
import {
  COUNT_NAMES,
  forEach,
  LATENCIES,
  LATENCY_NAMES,
  LEVEL_NAMES,
  type CountName,
  type LatencyName,
  type LevelName,
} from './series.js'

export interface Minute {
  /** Its start, in milliseconds since the epoch. */
  at: number
  counts: Record<CountName, number>
  /** Values at its end; null for unknown. */
  levels: Record<LevelName, number | null>
  /** Count per bucket; the last bucket is for all greater values. */
  latency: Record<LatencyName, number[]>
}

const count = z.number().min(0).default(0)
const level = z.number().nullable().default(null)

/** A stored minute. Fields missing at the time of writing get defaults; unknown values are left out. */
export const minuteSchema: z.ZodType<Minute> = z.object({
  at: z.int().min(0),
  counts: z.object(forEach(COUNT_NAMES, () => count)),
  levels: z.object(forEach(LEVEL_NAMES, () => level)),
  latency: z.object(
    forEach(LATENCY_NAMES, (name) => {
      const none = noneOf(name)
      // Other buckets than the current ones can't be added.
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

/** Adds two parts of one period; levels are those of the later one. */
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
