/** A moment of a daemon, as `restante top` is told of it. */
import type { Now } from '../../../src/observe/day/now.js'
import { COUNT_NAMES, forEach, LATENCY_NAMES, LEVEL_NAMES } from '../../../src/observe/day/series.js'

export function aMoment(change: Partial<Now> = {}): Now {
  return {
    at: '2026-01-01T12:00:00.000Z',
    version: '1.2.3',
    started_at: '2026-01-01T09:00:00.000Z',
    totals: { ...forEach(COUNT_NAMES, () => 0), mail_accepted: 1200, delivered: 34 },
    recent: { minutes: 10, counts: { ...forEach(COUNT_NAMES, () => 0), mail_accepted: 50, bounced: 2 } },
    levels: {
      ...forEach(LEVEL_NAMES, () => 1),
      queue_waiting: 17,
      memory_bytes: 200 * 1024 * 1024,
      http_waiting: null,
    },
    latency: forEach(LATENCY_NAMES, () => ({ count: 3, p50_seconds: 0.012, p95_seconds: 1.5, p99_seconds: null })),
    last_hour: {
      mail_accepted: [...new Array<number | null>(57).fill(null), 0, 4, 8],
      delivered: new Array<number | null>(60).fill(0),
    },
    slowest: [{ name: 'slow.example', attempts: 12, at_work: 1, mean_seconds: 2.5, p95_seconds: 30 }],
    paused: [{ name: 'dead.example', until: '2026-01-01T12:05:00.000Z', answer: '4.4.1 connection timed out' }],
    ...change,
  }
}
