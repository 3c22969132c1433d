/** The current state of the daemon for `restante top`, read once per interval. */
import { z } from 'zod'
import { type Clock, MINUTE, timestamp } from '../../lib/clock.js'
import { type Metrics, type Sample, PREFIX } from '../metrics.js'
import { type Minute, added } from './minute.js'
import { quantile } from './quantile.js'
import type { Day } from './recorder.js'
import { COUNT_NAMES, forEach, LATENCY_NAMES } from './series.js'
import { countsSchema, latencySchema, levelsSchema, quantilesOf, stepsOf } from './view.js'

const destinationSchema = z.strictObject({
  /** A domain; `other` for those with few attempts. */
  name: z.string(),
  attempts: z.int(),
  at_work: z.int(),
  mean_seconds: z.number(),
  p95_seconds: z.number(),
})
export type SlowDestination = z.infer<typeof destinationSchema>

const pausedSchema = z.strictObject({
  /** A domain, or the host that receives its mail. */
  name: z.string(),
  until: z.iso.datetime(),
  /** Its last reply. */
  answer: z.string(),
})
export type PausedDestination = z.infer<typeof pausedSchema>

export const nowSchema = z.strictObject({
  at: z.iso.datetime(),
  version: z.string(),
  started_at: z.iso.datetime(),
  /** Since the start. */
  totals: countsSchema,
  levels: levelsSchema,
  /** The last ten minutes, and the number of recorded ones among them. */
  recent: z.strictObject({ minutes: z.int(), counts: countsSchema }),
  /** For the same minutes. */
  latency: latencySchema,
  /** One number per minute of the last hour; null for minutes without a running daemon. The last one is incomplete. */
  last_hour: z.strictObject({
    mail_accepted: z.array(z.int().nullable()),
    delivered: z.array(z.int().nullable()),
  }),
  /** Destinations with the longest attempts, since the start. */
  slowest: z.array(destinationSchema),
  /** Destinations paused after failures, and until when. */
  paused: z.array(pausedSchema),
})
export type Now = z.infer<typeof nowSchema>

export interface NowDeps {
  day: Day
  metrics: Pick<Metrics, 'read'>
  version: string
  startedAt: number
  clock: Clock
  /** Returns at most `limit`. */
  paused: (limit: number) => PausedDestination[]
}

const RECENT_MINUTES = 10
const LAST_HOUR_MINUTES = 60
const MAX_DESTINATIONS = 20

export function createNow({ day, metrics, version, startedAt, clock, paused }: NowDeps): () => Promise<Now> {
  return async () => {
    const [reading, minutes, slowest] = await Promise.all([day.now(), day.minutes(), slowestOf(metrics)])
    const now = clock.now()
    const hour = stepsOf(minutes, { now, stepMs: MINUTE, count: LAST_HOUR_MINUTES })
    const last = minutes.filter(({ at }) => at > now - RECENT_MINUTES * MINUTE)
    const recent = sumOf(last)
    return {
      at: timestamp(now),
      version,
      started_at: timestamp(startedAt),
      totals: reading.counts,
      levels: reading.levels,
      recent: { minutes: last.length, counts: forEach(COUNT_NAMES, (name) => recent?.counts[name] ?? 0) },
      latency: forEach(LATENCY_NAMES, (name) => quantilesOf(name, recent?.latency[name] ?? [])),
      last_hour: {
        mail_accepted: hour.map(({ minutes: there, counts }) => (there > 0 ? counts.mail_accepted : null)),
        delivered: hour.map(({ minutes: there, counts }) => (there > 0 ? counts.delivered : null)),
      },
      slowest,
      paused: paused(MAX_DESTINATIONS),
    }
  }
}

function sumOf([first, ...others]: Minute[]): Minute | undefined {
  return first && others.reduce(added, first)
}

const ATTEMPT_SECONDS = 'relay_destination_attempt_seconds'

/** The metric has fifty destinations at most. */
async function slowestOf(metrics: Pick<Metrics, 'read'>): Promise<SlowDestination[]> {
  const [times, active] = await Promise.all([metrics.read(ATTEMPT_SECONDS), metrics.read('relay_destination_active')])
  const atWork = new Map(active.map(({ labels, value }) => [String(labels['destination']), value]))
  const byName = new Map<string, Sample[]>()
  for (const sample of times) {
    const name = String(sample.labels['destination'])
    byName.set(name, [...(byName.get(name) ?? []), sample])
  }
  return [...byName]
    .map(([name, samples]) => destinationOf(name, samples, atWork.get(name) ?? 0))
    .filter(({ attempts }) => attempts > 0)
    .sort((a, b) => b.mean_seconds - a.mean_seconds)
    .slice(0, MAX_DESTINATIONS)
}

function destinationOf(name: string, samples: Sample[], atWork: number): SlowDestination {
  const part = (end: string): Sample[] =>
    samples.filter((sample) => sample.name === `${PREFIX}${ATTEMPT_SECONDS}_${end}`)
  const attempts = part('count')[0]?.value ?? 0
  const buckets = part('bucket')
    .map(({ labels, value }) => ({ upper: labels['le'] === '+Inf' ? Infinity : Number(labels['le']), value }))
    .sort((a, b) => a.upper - b.upper)
  const bounds = buckets.map(({ upper }) => upper).filter(Number.isFinite)
  const counts = buckets.map(({ value }, at) => value - (buckets[at - 1]?.value ?? 0))
  return {
    name,
    attempts,
    at_work: atWork,
    mean_seconds: attempts === 0 ? 0 : (part('sum')[0]?.value ?? 0) / attempts,
    p95_seconds: quantile(0.95, bounds, counts) ?? 0,
  }
}
