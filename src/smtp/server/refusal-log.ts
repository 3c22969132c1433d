/** Log and metrics of refused connections and replies. */
import type { Log } from '../../observe/log.js'
import type { Meter } from '../../observe/metrics.js'
import type { ConnectionsDeps } from './connections.js'
import { replyCodes, type Reply } from '../replies.js'

/** A flood of connections must not flood the log: this many per cause are logged, then every hundredth. */
const LOGGED_AT_ONCE = 20
const THEN_EVERY = 100

export interface RefusalLogDeps {
  /** Of the names of its metrics. */
  prefix: string
  /** For their descriptions: `the receiver`. */
  server: string
  log: Pick<Log, 'info'>
  metrics: Meter | undefined
}

export function reportRefusals({
  prefix,
  server,
  log,
  metrics,
}: RefusalLogDeps): Pick<ConnectionsDeps, 'onRefused' | 'onReply'> & { onRecipientRefused: (refusal: Reply) => void } {
  const refused = metrics?.counter(
    `${prefix}_connections_refused_total`,
    `Connections to ${server} that were turned away, or ended before their client was done, by the cause.`,
    ['reason'],
  )
  const recipients = metrics?.counter(
    `${prefix}_recipients_refused_total`,
    `Recipients that ${server} refused, by the cause.`,
    ['reason'],
  )
  const replies = metrics?.counter(`${prefix}_replies_total`, `Replies of ${server}, by their code.`, ['code'])
  /** Label look-ups are hashed, and every command has a reply. */
  const byCode = new Map<number, { inc(): void }>()
  const times = new Map<string, number>()

  return {
    onRefused(refusal, client) {
      const { reason = 'other' } = refusal
      refused?.inc({ reason })
      const count = (times.get(reason) ?? 0) + 1
      times.set(reason, count)
      if (count > LOGGED_AT_ONCE && count % THEN_EVERY !== 0) return
      log.info({ client, reply: replyCodes(refusal), reason, times: count }, refusal.text)
    },
    onRecipientRefused: ({ reason = 'other' }) => recipients?.inc({ reason }),
    onReply(code) {
      if (!replies) return
      let counter = byCode.get(code)
      if (!counter) byCode.set(code, (counter = replies.labels({ code })))
      counter.inc()
    },
  }
}
