/** Log fields of a webhook attempt: ids and result, without URL and content. */
import { deliveryIdOf } from '../mailbox/webhooks/rows.js'
import { isTaken, type AttemptResult } from '../mailbox/webhooks/types.js'
import type { AboutAttempt } from './lane.js'

export function attemptLine(
  { event, attempt }: AttemptResult,
  { mailboxId, webhookId, messageId }: AboutAttempt,
): Record<string, unknown> {
  return {
    message_id: messageId,
    mailbox_id: mailboxId,
    webhook_id: webhookId,
    event_id: event.id,
    delivery_id: deliveryIdOf(event.id),
    type: event.type,
    taken: isTaken(attempt),
    status: attempt.status ?? undefined,
    ms: attempt.tookMs,
  }
}
