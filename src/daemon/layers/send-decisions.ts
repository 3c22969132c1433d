/** Logs and counts decisions about submitted messages. */
import type { DecisionMade, OnDecision } from '../../mailbox/decisions/decision.js'
import type { Log } from '../../observe/log.js'
import type { Metrics } from '../../observe/metrics.js'

/** Other statuses are reported again once decided. */
const DECISIONS: Partial<Record<DecisionMade['status'], string>> = { queued: 'send', held: 'hold', blocked: 'block' }

export function recordDecisions({ metrics, log }: { metrics: Metrics; log: Pick<Log, 'info'> }): OnDecision {
  const decisions = metrics.counter(
    'guard_decisions_total',
    'Messages handed in to be sent, by what was decided about them: send, hold, block.',
    ['decision'],
  )
  return ({ messageId, mailboxId, status, recipients, check, requestId }) => {
    const decision = DECISIONS[status]
    if (decision !== undefined) decisions.inc({ decision })
    log.info(
      { message_id: messageId, mailbox_id: mailboxId, request_id: requestId, status, recipients, ...check },
      'message to be sent',
    )
  }
}
