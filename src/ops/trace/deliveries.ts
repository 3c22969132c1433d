/** Webhook deliveries of a message's events. */
import { timestamp } from '../../lib/clock.js'
import { webhooksPartition } from '../../mailbox/keys.js'
import type { Event } from '../../mailbox/objects/objects.js'
import { deliveryKey, ulidOf } from '../../mailbox/webhooks/keys.js'
import { isWanted } from '../../mailbox/webhooks/rows.js'
import type { DeliveryRecord } from '../../mailbox/webhooks/types.js'
import { readAll } from '../../mailbox/webhooks/webhooks.js'
import { decode } from '../../store/keys.js'
import type { Store } from '../../store/types.js'
import type { TracedDelivery } from './types.js'

export async function deliveriesOf(
  store: Store,
  mailboxId: string,
  events: readonly Event[],
): Promise<TracedDelivery[]> {
  const traced: TracedDelivery[] = []
  for (const { webhook, state } of await readAll(store, mailboxId)) {
    const rows = await store.read(webhooksPartition(mailboxId), (view) =>
      view.getMany(events.map(({ id }) => deliveryKey(webhook.id, ulidOf(id)))),
    )
    for (const [i, event] of events.entries()) {
      const row = rows[i]
      if (row) traced.push(tracedDelivery(webhook.id, decode<DeliveryRecord>(row)))
      else if (!webhook.disabled && isWanted(webhook, event) && event.seq > state.cursor)
        traced.push({
          id: null,
          webhook_id: webhook.id,
          event_id: event.id,
          event_type: event.type,
          status: 'not_begun',
          next_attempt_at: null,
          attempts: [],
        })
    }
  }
  return traced
}

/** Without the receiver's response, which only its owner may see. */
function tracedDelivery(webhookId: string, { id, event, status, dueAt, attempts }: DeliveryRecord): TracedDelivery {
  return {
    id,
    webhook_id: webhookId,
    event_id: event.id,
    event_type: event.type,
    status,
    next_attempt_at: dueAt === null ? null : timestamp(dueAt),
    attempts: attempts.map((attempt) => ({
      at: timestamp(attempt.at),
      took_ms: attempt.tookMs,
      status_code: attempt.status,
      problem: attempt.problem,
      by_hand: attempt.byHand === true,
    })),
  }
}
