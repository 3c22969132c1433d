/** Queue metrics. Counting scans the whole queue, so it runs once a minute at most, on request. */
import { type Clock, MINUTE, SECOND } from '../../lib/clock.js'
import type { Metrics } from '../../observe/metrics.js'
import type { OperatorQueue, QueueStats } from './types.js'

const FRESH_MS = MINUTE

export function exposeQueue({
  queue,
  metrics,
  clock,
}: {
  queue: Pick<OperatorQueue, 'stats'>
  metrics: Metrics
  clock: Clock
}): void {
  let counted: { at: number; stats: Promise<QueueStats> } | undefined

  const stats = (): Promise<QueueStats> => {
    const now = clock.now()
    if (!counted || counted.at <= now - FRESH_MS || counted.at > now) {
      const fresh = { at: now, stats: queue.stats() }
      counted = fresh
      // A failed count is repeated on the next request.
      fresh.stats.catch(() => {
        if (counted === fresh) counted = undefined
      })
    }
    return counted.stats
  }

  metrics.gauges(
    'relay_destination_waiting',
    'Messages and notices that wait, at the twenty destinations with most of them.',
    'destination',
    async () => (await stats()).destinations.map(({ domain, tasks }): [string, number] => [domain, tasks]),
  )
  metrics.gauge('relay_queue_oldest_seconds', 'Age of the oldest message or notice that waits.', async () => {
    const { oldest_queued_at: oldest } = await stats()
    return oldest === null ? 0 : Math.max(0, (clock.now() - Date.parse(oldest)) / SECOND)
  })
}
