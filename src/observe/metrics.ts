/**
 * Counters for operators, in the Prometheus text format. Every part declares its own metrics, with the sentence that explains them, on the
 * one registry it is handed; there is no global one.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  /** A number that only grows. Names are given without the `restante_` prefix and end in `_total`. */
  counter<L extends string>(name: string, help: string, labels?: readonly L[]): Counter<L>
  /** Where values fall. Names end in their unit (`_seconds`, `_bytes`); buckets are in that unit. */
  histogram<L extends string>(
    name: string,
    help: string,
    buckets: readonly number[],
    labels?: readonly L[],
  ): Histogram<L>
  /** A number that is read when somebody asks. */
  gauge(name: string, help: string, read: () => number | Promise<number>): Gauge
  /** Several such numbers by the value of one label. What is not told of any more is not shown. */
  gauges(name: string, help: string, label: string, read: () => Numbers | Promise<Numbers>): Gauge
  /** One of them as it stands, in its parts; nothing of one that was not declared. Of a histogram there are buckets, sum and count. */
  read(name: string): Promise<Sample[]>
  /** Everything as text, and its content type. */
  render(): Promise<{ contentType: string; body: string }>
}

export interface Sample {
  /** As it is scraped: with the prefix, and of a histogram with `_bucket`, `_sum` or `_count`. */
  name: string
  labels: Readonly<Record<string, string | number>>
  value: number
}

type Numbers = Iterable<readonly [string, number]>

/** Buckets for what takes from a millisecond to half a minute, in seconds. */
export const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

/** Buckets for what goes by the retry schedule: from a delivery at once to the last try, in seconds. */
export const DELIVERY_BUCKETS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 7200, 43_200, 172_800] as const

export const PREFIX = 'restante_'

/** A fresh registry, with the usual metrics of a process on it (memory, CPU, event loop, open files). */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  return {
    counter: <L extends string>(name: string, help: string, labels: readonly L[] = []) =>
      new Counter<L>({ name: PREFIX + name, help, labelNames: labels, registers: [registry] }),
    histogram: <L extends string>(name: string, help: string, buckets: readonly number[], labels: readonly L[] = []) =>
      new Histogram<L>({ name: PREFIX + name, help, labelNames: labels, buckets: [...buckets], registers: [registry] }),
    gauge: (name, help, read) =>
      new Gauge({
        name: PREFIX + name,
        help,
        registers: [registry],
        async collect() {
          this.set(await read())
        },
      }),
    gauges: (name, help, label, read) =>
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
    async read(name) {
      const metric = registry.getSingleMetric(PREFIX + name)
      if (!metric) return []
      const { values } = await metric.get()
      return values.map((part: ReadPart) => ({
        name: part.metricName ?? PREFIX + name,
        labels: definedIn(part.labels),
        value: part.value,
      }))
    },
    render: async () => ({ contentType: registry.contentType, body: await registry.metrics() }),
  }
}

/** The types of the library leave the name out, which is there in parts of histograms. */
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
