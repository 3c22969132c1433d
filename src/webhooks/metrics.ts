/** Metrics of webhooks in total, without content or URLs. */
import { SECOND } from '../lib/clock.js'
import { type AttemptResult, isTaken } from '../mailbox/webhooks/types.js'
import { DURATION_BUCKETS, type Metrics } from '../observe/metrics.js'
import type { Dispatcher } from './dispatcher.js'

/** @returns called for each scheduled attempt */
export function measureWebhooks(
  metrics: Metrics,
  dispatcher: () => Dispatcher | undefined,
): (result: AttemptResult) => void {
  const attempts = metrics.counter(
    'webhook_attempts_total',
    'Attempts to deliver an event to a webhook: taken (2xx), refused (any other status), unreached (no whole answer).',
    ['outcome'],
  )
  const seconds = metrics.histogram(
    'webhook_attempt_seconds',
    'How long attempts to deliver to a webhook took.',
    DURATION_BUCKETS,
  )
  const sum = (of: (view: { running: number; waiting: number }) => number): number =>
    [...(dispatcher()?.lanes ?? [])].reduce((all, { lane }) => all + of(lane.view), 0)
  metrics.gauge('webhook_requests_running', 'Requests to webhooks on their way, or waiting for room.', () =>
    sum(({ running }) => running),
  )
  metrics.gauge('webhook_retries_waiting', 'Deliveries to webhooks that failed and wait for another attempt.', () =>
    sum(({ waiting }) => waiting),
  )
  metrics.gauge('webhooks_active', 'Webhooks that deliveries are made to.', () => sum(() => 1), {
    formerly: 'webhooks_followed',
  })
  return ({ attempt }) => {
    attempts.inc({ outcome: isTaken(attempt) ? 'taken' : attempt.status === null ? 'unreached' : 'refused' })
    seconds.observe(attempt.tookMs / SECOND)
  }
}
