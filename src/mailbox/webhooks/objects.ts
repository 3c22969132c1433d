/** Webhooks and deliveries as shown in the API. One declaration gives type, validation and description. */
import { z } from 'zod'
import { timestamp } from '../../lib/clock.js'
import { eventSchema, eventTypeSchema, timeSchema } from '../objects/objects.js'
import { shownText } from '../message.js'
import { webhookScheduleWords } from './schedule.js'
import {
  DELIVERY_STATES,
  DISABLED_REASONS,
  type Attempt,
  type DeliveryRecord,
  type DeliveryState,
  type SentRequest,
  type WebhookRecord,
} from './types.js'

const nullableTime = timeSchema.nullable()

/** All types, including future ones. */
export const ALL_EVENTS = '*'

export const webhookEventsSchema = z
  .union([z.tuple([z.literal(ALL_EVENTS)]), z.array(eventTypeSchema).min(1).max(100)])
  .describe('Types of events it gets; `["*"]` is all but `message.imported`, also those that are added later')

export const webhookSchema = z
  .object({
    id: z.string(),
    object: z.literal('webhook'),
    mailbox_id: z.string(),
    url: z.string(),
    events: webhookEventsSchema,
    include_spam: z.boolean().describe('Whether it gets events about spam too'),
    description: z.string().nullable(),
    enabled: z.boolean(),
    disabled: z
      .object({
        at: timeSchema,
        reason: z
          .enum(DISABLED_REASONS)
          .describe(
            'asked: with a key; failing: nothing was taken for 3 days and a delivery was given up; gone: it answered with 410; operator: the operator of this server did it',
          ),
      })
      .nullable()
      .describe('Why it gets nothing; null while it is enabled'),
    public_keys: z
      .array(z.object({ key: z.string(), signs_until: nullableTime }))
      .describe(
        'Ed25519 keys (`whpk_…`) that check the `v1a` signatures, the newest first. One that was rotated away signs for a while more',
      ),
    deliveries: z
      .object({
        last_seq: z
          .int()
          .describe('Events up to this `seq` were delivered, wait for another attempt, or are none of its types'),
        events_waiting: z.int().describe('Events of its types past that; counted up to 1,000'),
        retries_waiting: z.int().describe('Deliveries that failed and are tried again'),
        failing_since: nullableTime.describe('First of the failed attempts since something was taken last'),
        paused_until: nullableTime.describe('No attempt is made before: the receiver answered with Retry-After'),
        last_success_at: nullableTime,
        last_failure_at: nullableTime,
        missed: z
          .object({ from_seq: z.int(), to_seq: z.int() })
          .nullable()
          .describe('Events that were older than what is kept before they could be delivered; the last such gap'),
      })
      .describe('How far it is'),
    created_by: z.string().describe('Id of the key with which it was made'),
    created_at: timeSchema,
    updated_at: timeSchema,
  })
  .meta({ id: 'Webhook' })

export const webhookWithSecretSchema = webhookSchema
  .extend({
    secret: z
      .string()
      .describe('`whsec_…` for the `v1` signatures (HMAC-SHA256). Shown this once: store it with the receiver'),
  })
  .meta({ id: 'WebhookWithSecret' })

const attemptSchema = z.object({
  at: timeSchema,
  took_ms: z.int(),
  status_code: z.int().nullable().describe('Of the answer; null when there was none'),
  problem: z.string().nullable().describe('Why it counts as failed; null when it was taken'),
  response_body: z.string().nullable().describe('The first 512 characters of the answer; null when there was none'),
  by_hand: z.boolean().describe('Somebody asked for it; it was none of the schedule'),
})

const requestSchema = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.string()).describe('Those of Standard Webhooks, and Content-Type'),
  body_bytes: z.int(),
  body_sha256: z.string(),
})

export const deliverySchema = z
  .object({
    id: z.string(),
    object: z.literal('webhook_delivery'),
    webhook_id: z.string(),
    event: z.object({ id: z.string(), object: z.literal('event'), seq: z.int(), type: eventTypeSchema }),
    status: z
      .enum(DELIVERY_STATES)
      .describe(
        `waiting: an attempt failed, and the next is at next_attempt_at, after waits of ${webhookScheduleWords()}; failed: given up; skipped: left out when the webhook was enabled with skip_missed`,
      ),
    attempts: z.int().describe('Attempts of which something is kept'),
    last_attempt: attemptSchema.nullable(),
    next_attempt_at: nullableTime,
    created_at: timeSchema,
  })
  .meta({ id: 'WebhookDelivery' })

export const deliveryDetailsSchema = deliverySchema
  .extend({
    request: requestSchema.nullable().describe('What was sent last'),
    body: eventSchema.nullable().describe('The body of the request, an Event; null when its event is kept no longer'),
    attempt_log: z.array(attemptSchema).describe('The last 20, the oldest first'),
  })
  .meta({ id: 'WebhookDeliveryDetails' })

export const webhookTestSchema = z
  .object({
    taken: z.boolean().describe('Whether it would count as delivered'),
    event: z.object({ id: z.string(), object: z.literal('event'), type: z.literal('webhook.test') }),
    request: requestSchema.nullable().describe('Null when nothing could be sent'),
    attempt: attemptSchema,
  })
  .meta({ id: 'WebhookTest' })

export type WebhookObject = z.output<typeof webhookSchema>
export type DeliveryObject = z.output<typeof deliverySchema>
export type DeliveryDetails = z.output<typeof deliveryDetailsSchema>
export type WebhookTest = z.output<typeof webhookTestSchema>

const timeOf = (ms: number | null): string | null => (ms === null ? null : timestamp(ms))

export function toWebhookObject(
  mailboxId: string,
  webhook: WebhookRecord,
  state: DeliveryState,
  eventsWaiting: number,
  now: number,
): WebhookObject {
  return {
    id: webhook.id,
    object: 'webhook',
    mailbox_id: mailboxId,
    url: webhook.url,
    events: webhook.events ?? [ALL_EVENTS],
    include_spam: webhook.includeSpam === true,
    description: shownText(webhook.description),
    enabled: webhook.disabled === null,
    disabled: webhook.disabled && { at: timestamp(webhook.disabled.at), reason: webhook.disabled.reason },
    public_keys: webhook.secrets
      .filter(({ endsAt }) => endsAt === null || endsAt > now)
      .map(({ publicKey, endsAt }) => ({ key: publicKey, signs_until: timeOf(endsAt) })),
    deliveries: {
      last_seq: state.cursor,
      events_waiting: eventsWaiting,
      retries_waiting: state.waiting,
      failing_since: timeOf(state.failingSince),
      paused_until: state.pausedUntil > now ? timestamp(state.pausedUntil) : null,
      last_success_at: timeOf(state.lastSuccessAt),
      last_failure_at: timeOf(state.lastFailureAt),
      missed: state.missed && { from_seq: state.missed.from, to_seq: state.missed.to },
    },
    created_by: webhook.createdBy,
    created_at: timestamp(webhook.createdAt),
    updated_at: timestamp(webhook.updatedAt),
  }
}

export function toDeliveryObject(webhookId: string, delivery: DeliveryRecord): DeliveryObject {
  const last = delivery.attempts.at(-1)
  const { id: eventId, seq, type } = delivery.event
  return {
    id: delivery.id,
    object: 'webhook_delivery',
    webhook_id: webhookId,
    event: { id: eventId, object: 'event', seq, type },
    status: delivery.status,
    attempts: delivery.attempts.length,
    last_attempt: last ? toAttemptObject(last) : null,
    next_attempt_at: timeOf(delivery.dueAt),
    created_at: timestamp(delivery.createdAt),
  }
}

export function toAttemptObject({
  at,
  tookMs,
  status,
  problem,
  answer,
  byHand,
}: Attempt): z.output<typeof attemptSchema> {
  return {
    at: timestamp(at),
    took_ms: tookMs,
    status_code: status,
    problem,
    response_body: status === null ? null : answer,
    by_hand: byHand === true,
  }
}

export function toRequestObject(eventId: string, request: SentRequest): z.output<typeof requestSchema> {
  return {
    url: request.url,
    headers: {
      'content-type': 'application/json',
      'webhook-id': eventId,
      'webhook-timestamp': String(request.seconds),
      'webhook-signature': request.signature,
    },
    body_bytes: request.bytes,
    body_sha256: request.sha256,
  }
}
