/** Log and counts of refused connections and replies. */
import type { Log } from '../../observe/log.js'
import { replyCodes, type Reply } from '../replies.js'
import type { ConnectionsDeps } from './connections.js'

/** A flood of connections must not flood the log: this many per cause are logged, then every hundredth. */
const LOGGED_AT_ONCE = 20
const THEN_EVERY = 100

interface Counter<Label extends string> {
  inc(labels: Record<Label, string | number>): void
  labels(labels: Record<Label, string | number>): { inc(): void }
}

/** Metrics of one server, by the cause of refusals and the code of replies. */
export interface RefusalCounters {
  connections: Counter<'reason'>
  recipients: Counter<'reason'>
  replies: Counter<'code'>
}

export function reportRefusals(
  log: Pick<Log, 'info'>,
  counters: RefusalCounters | undefined,
): Pick<ConnectionsDeps, 'onRefused' | 'onReply'> & { onRecipientRefused: (refusal: Reply) => void } {
  /** Label look-ups are hashed, and every command has a reply. */
  const byCode = new Map<number, { inc(): void }>()
  const times = new Map<string, number>()

  return {
    onRefused(refusal, client) {
      const { reason = 'other' } = refusal
      counters?.connections.inc({ reason })
      const count = (times.get(reason) ?? 0) + 1
      times.set(reason, count)
      if (count > LOGGED_AT_ONCE && count % THEN_EVERY !== 0) return
      log.info({ client, reply: replyCodes(refusal), reason, times: count }, refusal.text)
    },
    onRecipientRefused: ({ reason = 'other' }) => counters?.recipients.inc({ reason }),
    onReply(code) {
      if (!counters) return
      let counter = byCode.get(code)
      if (!counter) byCode.set(code, (counter = counters.replies.labels({ code })))
      counter.inc()
    },
  }
}
