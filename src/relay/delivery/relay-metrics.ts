/** Metrics of the relay: queue, deliveries, results. */
import { type Clock, SECOND } from '../../lib/clock.js'
import { DELIVERY_BUCKETS, type Metrics } from '../../observe/metrics.js'
import type { WorkQueue } from '../../queue/types.js'
import { createDestinationMetrics } from './destination-metrics.js'
import type { Destinations } from './destinations.js'
import type { countStatuses } from './results.js'
import type { Slots } from './slots.js'

export type RelayMetrics = ReturnType<typeof createRelayMetrics>

interface Measured {
  queue: Pick<WorkQueue, 'counts'>
  clock: Clock
  destinations: Pick<Destinations, 'paused'>
  slots: Pick<Slots, 'atWork'>
}

export function createRelayMetrics(metrics: Metrics, { queue, clock, destinations, slots }: Measured) {
  const recipients = metrics.counter('relay_recipients_total', 'Attempts at a recipient, by how they went.', ['status'])
  const seconds = metrics.histogram(
    'relay_delivery_seconds',
    'From the moment a message may go (accepted, approved, or its time come) to its delivery, for each recipient.',
    DELIVERY_BUCKETS,
  )
  metrics.gauges('relay_queue_tasks', 'Tasks of the relay, one for each message and domain.', 'state', async () =>
    Object.entries(await queue.counts('relay')),
  )
  metrics.gauge('relay_destinations_paused', 'Destinations that are left alone because they failed.', () =>
    destinations.paused(),
  )
  metrics.gauges('relay_deliveries', 'Deliveries at work.', 'pace', () => {
    const { all, slow } = slots.atWork
    return Object.entries({ normal: all - slow, slow })
  })
  const { begin } = createDestinationMetrics({ metrics, clock })
  return {
    begin,
    /** @param ms since the message was released; undefined without an attempt */
    count(counts: ReturnType<typeof countStatuses>, ms?: number): void {
      for (const [status, count] of Object.entries(counts)) recipients.inc({ status }, count)
      if (ms === undefined) return
      for (let left = counts.delivered ?? 0; left > 0; left--) seconds.observe(Math.max(0, ms) / SECOND)
    },
  }
}
