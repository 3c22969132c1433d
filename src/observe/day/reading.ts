/** Reads all recorded values: totals since the start of the process, levels, and histograms. */
import { PREFIX, type Metrics, type Sample } from '../metrics.js'
import {
  COUNT_NAMES,
  COUNTS,
  forEach,
  LATENCIES,
  LATENCY_NAMES,
  LEVEL_NAMES,
  LEVELS,
  type LatencyName,
  type LevelName,
  type OWN_LEVELS,
  type Source,
} from './series.js'
import { type Minute, noneOf } from './minute.js'

/** Totals since the start. */
export type Reading = Omit<Minute, 'at'>

export type OwnLevels = Record<(typeof OWN_LEVELS)[number], number>

/** Each metric is read once, however many values use it. */
export async function readAll(metrics: Pick<Metrics, 'read'>, own: OwnLevels): Promise<Reading> {
  const sources: Source[] = [...Object.values(COUNTS), ...Object.values(LEVELS), ...Object.values(LATENCIES)]
  const names = [...new Set(sources.map(({ metric }) => metric))]
  const samples = new Map(
    await Promise.all(names.map(async (name) => [name, await metrics.read(name)] as [string, Sample[]])),
  )
  const of = ({ metric }: Source): Sample[] => samples.get(metric) ?? []
  const sum = (source: Source): number => of(source).filter(counted(source)).reduce(add, 0)
  const levels = forEach(LEVEL_NAMES, (name) => levelOf(name, (source) => (of(source).length > 0 ? sum(source) : null)))
  return {
    counts: forEach(COUNT_NAMES, (name) => sum(COUNTS[name])),
    levels: { ...levels, ...own },
    latency: forEach(LATENCY_NAMES, (name) => bucketsOf(name, of(LATENCIES[name]))),
  }
}

function levelOf(name: LevelName, read: (source: Source) => number | null): number | null {
  const value = name in LEVELS ? read(LEVELS[name as keyof typeof LEVELS]) : null
  return value !== null && Number.isFinite(value) ? value : null
}

const add = (sum: number, { value }: Sample): number => sum + value

const counted =
  ({ where }: Source) =>
  ({ labels }: Sample): boolean =>
    where?.(labels) ?? true

/** The buckets of a histogram are cumulative, and its last one is for all. */
function bucketsOf(name: LatencyName, samples: Sample[]): number[] {
  const { metric, buckets } = LATENCIES[name]
  const upTo = (bound: number | string): number =>
    samples.find(
      (sample) => sample.name === `${PREFIX}${metric}_bucket` && String(sample.labels['le']) === String(bound),
    )?.value ?? 0
  const totals = [...buckets, '+Inf'].map(upTo)
  if (totals.length === 0) return noneOf(name)
  return totals.map((total, at) => total - (totals[at - 1] ?? 0))
}

/** The difference to an earlier reading; the whole reading where the metric was reset. */
export function since(earlier: Reading | undefined, now: Reading): Reading {
  if (!earlier) return now
  const grown = (before: number, after: number): number => (after >= before ? after - before : after)
  return {
    counts: forEach(COUNT_NAMES, (name) => grown(earlier.counts[name], now.counts[name])),
    levels: now.levels,
    latency: forEach(LATENCY_NAMES, (name) =>
      now.latency[name].map((after, at) => grown(earlier.latency[name][at] ?? 0, after)),
    ),
  }
}
