/** The day as shown: minutes grouped into steps, each with its counts, levels and quantiles. */
import { z } from 'zod'
import { MINUTE, SECOND, timestamp } from '../../lib/clock.js'
import { type Minute, added } from './minute.js'
import { quantile } from './quantile.js'
import { COUNT_NAMES, forEach, LATENCIES, LATENCY_NAMES, LEVEL_NAMES, type LatencyName } from './series.js'

export const RESOLUTIONS = {
  /** The last two hours. */
  '1m': { minutes: 1, steps: 120 },
  /** The last day. */
  '10m': { minutes: 10, steps: 144 },
} as const
export type Resolution = keyof typeof RESOLUTIONS

const seconds = z.number().nullable()
export const quantilesSchema = z.strictObject({
  /** Number of values. */
  count: z.int(),
  p50_seconds: seconds,
  p95_seconds: seconds,
  p99_seconds: seconds,
})
export type Quantiles = z.infer<typeof quantilesSchema>

export const countsSchema = z.strictObject(forEach(COUNT_NAMES, () => z.int()))
export const levelsSchema = z.strictObject(forEach(LEVEL_NAMES, () => z.number().nullable()))
export const latencySchema = z.strictObject(forEach(LATENCY_NAMES, () => quantilesSchema))

const stepSchema = z.strictObject({
  /** Start of the step. */
  at: z.iso.datetime(),
  /** Number of its recorded minutes; 0 while nothing ran. */
  minutes: z.int(),
  counts: countsSchema,
  levels: levelsSchema,
  latency: latencySchema,
})
export type Step = z.infer<typeof stepSchema>

export const daySchema = z.strictObject({
  resolution: z.enum(['1m', '10m']),
  step_seconds: z.int(),
  /** The earliest first; the last one is incomplete. */
  steps: z.array(stepSchema),
})
export type DayView = z.infer<typeof daySchema>

export function dayView(minutes: readonly Minute[], now: number, resolution: Resolution): DayView {
  const { minutes: length, steps: count } = RESOLUTIONS[resolution]
  return {
    resolution,
    step_seconds: (length * MINUTE) / SECOND,
    steps: stepsOf(minutes, { now, stepMs: length * MINUTE, count }),
  }
}

/** @returns the steps up to the current one; a step without minutes is empty */
export function stepsOf(
  minutes: readonly Minute[],
  { now, stepMs, count }: { now: number; stepMs: number; count: number },
): Step[] {
  const byStep = new Map<number, Minute[]>()
  for (const minute of minutes) {
    const at = minute.at - (minute.at % stepMs)
    byStep.set(at, [...(byStep.get(at) ?? []), minute])
  }
  const last = now - (now % stepMs)
  return Array.from({ length: count }, (_, index) => {
    const at = last - (count - 1 - index) * stepMs
    return stepOf(at, byStep.get(at) ?? [])
  })
}

function stepOf(at: number, [first, ...others]: Minute[]): Step {
  const all = first && others.reduce(added, first)
  return {
    at: timestamp(at),
    minutes: first ? 1 + others.length : 0,
    counts: forEach(COUNT_NAMES, (name) => all?.counts[name] ?? 0),
    levels: forEach(LEVEL_NAMES, (name) => all?.levels[name] ?? null),
    latency: forEach(LATENCY_NAMES, (name) => quantilesOf(name, all?.latency[name] ?? [])),
  }
}

export function quantilesOf(name: LatencyName, counts: readonly number[]): Quantiles {
  const at = (share: number): number | null => quantile(share, LATENCIES[name].buckets, counts)
  return {
    count: counts.reduce((sum, each) => sum + each, 0),
    p50_seconds: at(0.5),
    p95_seconds: at(0.95),
    p99_seconds: at(0.99),
  }
}
