/** Metrics of a process that has no registry: changes are collected, and added to those of the process that has one. */
import type { Meter, Metrics } from './metrics.js'

type Labels = Record<string, string | number>

export type MetricChange =
  | { kind: 'counter'; name: string; help: string; labels: readonly string[]; counts: [Labels, number][] }
  | { kind: 'histogram'; name: string; help: string; buckets: readonly number[]; values: number[] }

const SEND_MS = 250

/** @param send gets the changes since the last time, four times a second while there are any */
export function createForwardedMetrics(send: (changes: MetricChange[]) => void) {
  const counters = new Map<string, { help: string; labels: readonly string[]; counts: Map<string, [Labels, number]> }>()
  const histograms = new Map<string, { help: string; buckets: readonly number[]; values: number[] }>()
  const gauges = new Map<string, () => number | Promise<number>>()
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    const changes: MetricChange[] = []
    for (const [name, { help, labels, counts }] of counters) {
      if (counts.size === 0) continue
      changes.push({ kind: 'counter', name, help, labels, counts: [...counts.values()] })
      counts.clear()
    }
    for (const [name, { help, buckets, values }] of histograms)
      if (values.length > 0) changes.push({ kind: 'histogram', name, help, buckets, values: values.splice(0) })
    if (changes.length > 0) send(changes)
  }

  const changed = (): void => {
    timer ??= setTimeout(flush, SEND_MS).unref()
  }

  const meter: Meter = {
    counter(name, help, labels = []) {
      const counts = new Map<string, [Labels, number]>()
      counters.set(name, { help, labels, counts })
      const add = (values: Labels): void => {
        const key = Object.values(values).join('\0')
        const known = counts.get(key)
        if (known) known[1]++
        else counts.set(key, [values, 1])
        changed()
      }
      return { inc: add, labels: (values) => ({ inc: () => add(values) }) }
    },
    histogram(name, help, buckets) {
      const values: number[] = []
      histograms.set(name, { help, buckets, values })
      return {
        observe(value) {
          values.push(value)
          changed()
        },
      }
    },
    gauge: (name, _help, read) => void gauges.set(name, read),
  }
  return {
    meter,
    flush,
    async gauges(): Promise<Record<string, number>> {
      const read = [...gauges].map(async ([name, number]) => [name, await number()] as const)
      return Object.fromEntries(await Promise.all(read))
    },
  }
}

/** Adds what such a process sends. */
export function addForwarded(registry: Metrics, changes: MetricChange[]): void {
  for (const change of changes) {
    if (change.kind === 'counter') {
      const counter = registry.counter(change.name, change.help, change.labels)
      for (const [labels, count] of change.counts) counter.inc(labels, count)
    } else {
      const histogram = registry.histogram(change.name, change.help, change.buckets)
      for (const value of change.values) histogram.observe(value)
    }
  }
}
