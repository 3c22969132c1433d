/** Messages that are handed in to be sent, and what was decided about them: a line in the log and a count for each. */
import type { DecisionMade, OnDecision } from '../../mailbox/decisions/decision.js'
import type { Log } from '../../observe/log.js'
import type { Metrics } from '../../observe/metrics.js'

/** Of other statuses it is told again once it is decided. */
const DECISIONS: Partial<Record<DecisionMade['status'], string>> = { queued: 'send', held: 'hold', blocked: 'block' }

export function tellOfDecisions({ metrics, log }: { metrics: Metrics; log: Pick<Log, 'info'> }): OnDecision {
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
