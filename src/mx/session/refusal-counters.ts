/** Metrics of what the receiver refuses. */
import type { Meter } from '../../observe/metrics.js'
import type { RefusalCounters } from '../../smtp/server/refusal-log.js'

export function refusalCounters(metrics: Meter | undefined): RefusalCounters | undefined {
  if (!metrics) return undefined
  return {
    connections: metrics.counter(
      'mx_connections_refused_total',
      'Connections that were turned away, or ended before their client was done, by the cause.',
      ['reason'],
    ),
    recipients: metrics.counter('mx_recipients_refused_total', 'Recipients that were refused, by the cause.', [
      'reason',
    ]),
    replies: metrics.counter('mx_replies_total', 'Replies of the receiver, by their code.', ['code']),
  }
}
