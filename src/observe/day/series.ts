/** The recorded values of a day, and the metrics that they come from. Only metrics are recorded, so both always agree. */
import { DELIVERY_BUCKETS, DURATION_BUCKETS } from '../metrics.js'

type Labels = Readonly<Record<string, string | number>>

export interface Source {
  /** Without the `restante_` prefix. */
  metric: string
  /** Selects samples by label; all when missing. */
  where?: (labels: Labels) => boolean
}

const whose =
  (label: string, ...values: string[]) =>
  (labels: Labels): boolean =>
    values.includes(String(labels[label]))

const begins =
  (label: string, start: string) =>
  (labels: Labels): boolean =>
    String(labels[label]).startsWith(start)

const isElse =
  (than: (labels: Labels) => boolean) =>
  (labels: Labels): boolean =>
    !than(labels)

/** Counters: the increase in each minute. */
export const COUNTS = {
  mail_accepted: { metric: 'mx_messages_total', where: begins('reply', '2') },
  mail_refused: { metric: 'mx_messages_total', where: isElse(begins('reply', '2')) },
  recipients_refused: { metric: 'mx_recipients_refused_total' },
  connections_refused: { metric: 'mx_connections_refused_total' },
  sent: { metric: 'guard_decisions_total', where: whose('decision', 'send') },
  held: { metric: 'guard_decisions_total', where: whose('decision', 'hold') },
  blocked: { metric: 'guard_decisions_total', where: whose('decision', 'block') },
  delivered: { metric: 'relay_recipients_total', where: whose('status', 'delivered') },
  deferred: { metric: 'relay_recipients_total', where: whose('status', 'deferred') },
  bounced: { metric: 'relay_recipients_total', where: whose('status', 'bounced') },
  webhooks_taken: { metric: 'webhook_attempts_total', where: whose('outcome', 'taken') },
  webhooks_failed: { metric: 'webhook_attempts_total', where: isElse(whose('outcome', 'taken')) },
  requests: { metric: 'http_responses_total' },
  request_faults: { metric: 'http_responses_total', where: begins('status', '5') },
} as const satisfies Record<string, Source>

/** Gauges: the value at the end of each minute. */
export const LEVELS = {
  queue_waiting: { metric: 'relay_queue_tasks', where: whose('state', 'waiting') },
  queue_ready: { metric: 'relay_queue_tasks', where: whose('state', 'ready') },
  queue_at_work: { metric: 'relay_queue_tasks', where: whose('state', 'leased') },
  queue_held: { metric: 'relay_queue_tasks', where: whose('state', 'held') },
  destinations_paused: { metric: 'relay_destinations_paused' },
  review_held: { metric: 'review_messages', where: whose('status', 'held') },
  smtp_connections: { metric: 'mx_connections' },
  http_requests: { metric: 'http_requests_open' },
  http_waiting: { metric: 'http_requests_waiting' },
  webhook_retries: { metric: 'webhook_retries_waiting' },
  disk_free_bytes: { metric: 'disk_free_bytes' },
} as const satisfies Record<string, Source>

/** Values of the process itself. */
export const OWN_LEVELS = ['memory_bytes', 'loop_delay_ms'] as const

/** Durations: the count per bucket in each minute. */
export const LATENCIES = {
  reply: { metric: 'mx_message_seconds', buckets: DURATION_BUCKETS },
  delivery: { metric: 'relay_delivery_seconds', buckets: DELIVERY_BUCKETS },
  request: { metric: 'http_request_seconds', buckets: DURATION_BUCKETS },
} as const satisfies Record<string, Source & { buckets: readonly number[] }>

export type CountName = keyof typeof COUNTS
export type LevelName = keyof typeof LEVELS | (typeof OWN_LEVELS)[number]
export type LatencyName = keyof typeof LATENCIES

/** `Object.keys` for an object known to have no other keys. */
function namesOf<K extends string>(table: Readonly<Record<K, unknown>>): K[] {
  const names: K[] = []
  for (const name in table) names.push(name)
  return names
}

export const COUNT_NAMES = namesOf(COUNTS)
export const LEVEL_NAMES: readonly LevelName[] = [...namesOf(LEVELS), ...OWN_LEVELS]
export const LATENCY_NAMES = namesOf(LATENCIES)

/** The same value for each name. */
export function forEach<K extends string, V>(names: readonly K[], of: (name: K) => V): Record<K, V> {
  // The type of fromEntries does not keep the keys.
  return Object.fromEntries(names.map((name) => [name, of(name)])) as Record<K, V>
}
