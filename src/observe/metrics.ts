/**
 * Metrics for operators, in the Prometheus text format. Every part declares its metrics, with their help, on the one registry it is given; there is
 * no global one.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

export interface Renamed {
  /** Earlier name of the metric, which is still exported with the same values. */
  formerly: string
}

export interface Sample {
  /** The full name: with the prefix, and for histograms with `_bucket`, `_sum` or `_count`. */
  name: string
  labels: Readonly<Record<string, string | number>>
  value: number
}

type Numbers = Iterable<readonly [string, number]>

type Labels = Record<string, string | number>

/** Counts and measures; the metrics of this process, or those forwarded to another (observe/forwarded.ts). */
export interface Meter {
  counter(
    name: string,
    help: string,
    labels?: readonly string[],
  ): { inc(labels: Labels): void; labels(labels: Labels): { inc(): void } }
  histogram(name: string, help: string, buckets: readonly number[]): { observe(value: number): void }
  gauge(name: string, help: string, read: () => number | Promise<number>, options?: GaugeOptions): unknown
}

export interface GaugeOptions extends Partial<Renamed> {
  /** How the numbers of several processes become one; their sum by default. */
  across?: 'sum' | 'least'
}

/** Buckets for durations from a millisecond to half a minute, in seconds. */
export const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

/** Buckets for the retry schedule: from an immediate delivery to the last attempt, in seconds. */
export const DELIVERY_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 43_200, 172_800] as const

export const PREFIX = 'restante_'

/** A new registry with the usual metrics of a process (memory, CPU, event loop, open files). */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const contributors = new Set<() => Promise<Record<string, number>>>()
  /** The numbers of other processes. */
  const contributed = async (name: string): Promise<number[]> => {
    const all = await Promise.all([...contributors].map((read) => read()))
    return all.flatMap((numbers) => numbers[name] ?? [])
  }
  return {
    /** A number that only grows. Names omit the prefix `restante_` and end in `_total`. One that exists is returned. */
    counter: <L extends string>(name: string, help: string, labels: readonly L[] = [], renamed?: Renamed) => {
      const known = registry.getSingleMetric(PREFIX + name)
      if (known instanceof Counter) return known as Counter<L>
      const counter = new Counter<L>({ name: PREFIX + name, help, labelNames: labels, registers: [registry] })
      if (renamed) addAlias(registry, counter, name, renamed.formerly, labels)
      return counter
    },
    /** A distribution of values. Names end in their unit (`_seconds`, `_bytes`); buckets are in that unit. */
    histogram: <L extends string>(
      name: string,
      help: string,
      buckets: readonly number[],
      labels: readonly L[] = [],
    ): Histogram<L> => {
      const known = registry.getSingleMetric(PREFIX + name)
      if (known instanceof Histogram) return known as Histogram<L>
      const options = { name: PREFIX + name, help, labelNames: labels, buckets: [...buckets], registers: [registry] }
      return new Histogram<L>(options)
    },
    /** A number that is read on each scrape. */
    gauge: (
      name: string,
      help: string,
      read: () => number | Promise<number>,
      { formerly, across = 'sum' }: GaugeOptions = {},
    ): Gauge => {
      const gauge = new Gauge({
        name: PREFIX + name,
        help,
        registers: [registry],
        async collect() {
          const numbers = [await read(), ...(await contributed(name))]
          this.set(across === 'sum' ? numbers.reduce((sum, number) => sum + number, 0) : Math.min(...numbers))
        },
      })
      if (formerly !== undefined) addAlias(registry, gauge, name, formerly, [])
      return gauge
    },
    /** Reads gauges of another process, by name, whenever they are read. @returns ends it */
    contribute(read: () => Promise<Record<string, number>>): () => void {
      contributors.add(read)
      return () => contributors.delete(read)
    },
    /** Several such numbers by the value of one label. Values that are no longer returned disappear. */
    gauges: (name: string, help: string, label: string, read: () => Numbers | Promise<Numbers>): Gauge =>
      new Gauge({
        name: PREFIX + name,
        help,
        labelNames: [label],
        registers: [registry],
        async collect() {
          const numbers = await read()
          this.reset()
          for (const [value, number] of numbers) this.set({ [label]: value }, number)
        },
      }),
    /** The current samples of a metric; empty for an undeclared one. A histogram has buckets, sum and count. */
    async read(name: string): Promise<Sample[]> {
      const metric = registry.getSingleMetric(PREFIX + name)
      if (!metric) return []
      const { values } = await metric.get()
      return values.map((part: ReadPart) => ({
        name: part.metricName ?? PREFIX + name,
        labels: definedIn(part.labels),
        value: part.value,
      }))
    },
    /** All metrics as text, and the content type. */
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  }
}

/** Exports a metric under its earlier name as well; the values are copied on each scrape. */
function addAlias<L extends string>(
  registry: Registry,
  metric: Counter<L> | Gauge<L>,
  name: string,
  formerly: string,
  labels: readonly L[],
): void {
  const options = { name: PREFIX + formerly, help: `Deprecated: use ${PREFIX}${name}.`, labelNames: labels }
  if (metric instanceof Counter)
    new Counter<L>({
      ...options,
      registers: [registry],
      async collect() {
        this.reset()
        for (const part of (await metric.get()).values) this.inc(part.labels, part.value)
      },
    })
  else
    new Gauge<L>({
      ...options,
      registers: [registry],
      async collect() {
        for (const part of (await metric.get()).values) this.set(part.labels, part.value)
      },
    })
}

/** The library's types lack the name, which parts of histograms have. */
interface ReadPart {
  metricName?: string
  labels: Partial<Record<string, string | number>>
  value: number
}

function definedIn(labels: ReadPart['labels']): Record<string, string | number> {
  const found: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(labels)) if (value !== undefined) found[name] = value
  return found
}
