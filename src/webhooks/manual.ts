/** Manual requests to a receiver, with an immediate result: a test, and a redelivery. */
import { ServiceError } from '../lib/errors.js'
import { MINUTE, SECOND, timestamp, type Clock } from '../lib/clock.js'
import { newId } from '../lib/ids.js'
import { createWindowCounter } from '../lib/window-counter.js'
import { NOT_SHARED, type SharedCounts } from '../store/nodes/shared-counts.js'
import type { Deliveries } from '../mailbox/webhooks/deliveries.js'
import {
  toAttemptObject,
  toRequestObject,
  type DeliveryDetails,
  type WebhookTest,
} from '../mailbox/webhooks/objects.js'
import { isTaken, type WebhookRecord } from '../mailbox/webhooks/types.js'
import type { Webhooks } from '../mailbox/webhooks/webhooks.js'
import type { Sender, Sent } from './sender.js'

/** Per mailbox. */
const PER_MINUTE = 30
/** Including the wait for a place. */
const TIMEOUT_MS = MINUTE

export type ByHand = ReturnType<typeof createByHand>

export function createByHand({
  webhooks,
  deliveries,
  sender,
  clock,
  shared = NOT_SHARED,
}: {
  webhooks: Webhooks
  deliveries: Pick<Deliveries, 'event' | 'record'>
  sender: Pick<Sender, 'send'>
  clock: Clock
  shared?: SharedCounts | undefined
}) {
  const requests = createWindowCounter(MINUTE)
  const tell = shared.join('webhook tests of a mailbox', (mailboxId, count) => void requests.add(mailboxId, count))

  async function send(mailboxId: string, webhook: WebhookRecord, id: string, body: Uint8Array): Promise<Sent> {
    tell(mailboxId, 1)
    const { count, msLeft } = requests.add(mailboxId, 1)
    if (count > PER_MINUTE) throw tooOften(Math.ceil(msLeft / SECOND))
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    try {
      return await sender.send(webhook, id, body, signal)
    } catch (cause) {
      if (signal.aborted)
        throw new ServiceError('unavailable', 'Too many webhooks are being delivered now.', 'Try again in a moment.', {
          retryAfterSeconds: 30,
          cause,
        })
      throw cause
    }
  }

  return {
    /** Sends a `webhook.test` event, which is in no log; nothing is recorded. Works for disabled webhooks. */
    async test(mailboxId: string, webhookId: string): Promise<WebhookTest> {
      const { webhook } = await webhooks.record(mailboxId, webhookId)
      const now = clock.now()
      const id = newId('evt', now)
      const event = {
        seq: 0,
        id,
        object: 'event' as const,
        type: 'webhook.test' as const,
        timestamp: timestamp(now),
        mailbox_id: mailboxId,
        data: { webhook_id: webhookId },
      }
      const { attempt, request } = await send(mailboxId, webhook, id, Buffer.from(JSON.stringify(event)))
      return {
        taken: isTaken(attempt),
        event: { id, object: 'event' as const, type: event.type },
        request: request && toRequestObject(id, request),
        attempt: toAttemptObject({ ...attempt, byHand: true }),
      }
    },

    /** Sends a delivery again, whatever its state; a failure does not change its schedule. */
    async redeliver(mailboxId: string, webhookId: string, deliveryId: string): Promise<DeliveryDetails> {
      const { webhook, state } = await webhooks.record(mailboxId, webhookId)
      const { event } = await webhooks.deliveryRecord(mailboxId, webhookId, deliveryId)
      const stored = await deliveries.event(mailboxId, event.seq)
      if (!stored)
        throw new ServiceError(
          'not_found',
          'The event of this delivery is no longer kept.',
          'Its message may still be there: see GET /v1/messages/{id}.',
        )
      const { attempt, request } = await send(mailboxId, webhook, event.id, stored.body)
      const result = { event, request, attempt: { ...attempt, byHand: true as const } }
      await deliveries.record(mailboxId, webhookId, { epoch: state.epoch, results: [result] })
      return webhooks.delivery(mailboxId, webhookId, deliveryId)
    },
  }
}

function tooOften(retryAfterSeconds: number): ServiceError {
  return new ServiceError(
    'rate_limited',
    `More than ${PER_MINUTE} tests and redeliveries in a minute.`,
    'Wait a moment. To have many events delivered again, use POST /v1/webhooks/{id}/replay.',
    { retryAfterSeconds },
  )
}
