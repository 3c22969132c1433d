/** Webhooks: events of the mailbox, posted to the agent's URL. */
import { z } from 'zod'
import {
  ALL_EVENTS,
  deliveryDetailsSchema,
  deliverySchema,
  webhookEventsSchema,
  webhookSchema,
  webhookTestSchema,
  webhookWithSecretSchema,
} from '../../../mailbox/webhooks/objects.js'
import { webhookScheduleWords } from '../../../mailbox/webhooks/schedule.js'
import { DELIVERY_STATES } from '../../../mailbox/webhooks/types.js'
import { MAX_URL_CHARS } from '../../../mailbox/webhooks/url.js'
import { OLD_SECRET_HOURS } from '../../../mailbox/webhooks/webhooks.js'
import { refuseOutliving } from '../key-expiry.js'
import { ok } from '../../../http/routing/route.js'
import { defineWebhookRoute, forKeys } from '../parts.js'
import { byId, idParams, listResponse, pageQuery, wholeList } from '../schemas.js'
import {
  DELIVERY,
  DELIVERY_DETAILS,
  WEBHOOK,
  WEBHOOK_ID,
  WEBHOOK_TEST,
  WEBHOOK_WITH_SECRET,
} from './webhook-examples.js'

const reading = forKeys('Webhooks', 'mail:read')
const managing = forKeys('Webhooks', 'account:manage')
/** Choosing the URL of events implies reading them. */
const directing = forKeys('Webhooks', ['account:manage', 'mail:read'])

const urlSchema = z
  .string()
  .min(1)
  .max(MAX_URL_CHARS)
  .describe('Where events are posted: https, a host of the public Internet, and a port that the operator allows (443)')
const descriptionSchema = z
  .string()
  .max(200)
  .regex(/^\P{Cc}*$/u, 'It may not hold line breaks or other control characters.')
  .nullable()
  .describe('For you; null (or "") is none')

const typesOf = (events: z.output<typeof webhookEventsSchema>) => (events[0] === ALL_EVENTS ? null : withoutAll(events))
const withoutAll = (events: z.output<typeof webhookEventsSchema>) =>
  [...new Set(events)].filter((type) => type !== ALL_EVENTS)

const webhook = byId(WEBHOOK_ID)
const delivery = {
  params: idParams.extend({ delivery_id: z.string().max(64) }),
  example: { params: { id: WEBHOOK_ID, delivery_id: DELIVERY.id } },
}

export const webhookRoutes = [
  defineWebhookRoute({
    method: 'POST',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    summary: 'Have events posted to a URL',
    description: `Each event of the mailbox from now on, of the types in \`events\`, is posted as the Event object that GET /v1/events gives, signed as Standard Webhooks (standardwebhooks.com): \`webhook-id\` is the id of the event, by which a receiver drops what it has already. Any answer of 2xx within 15 seconds is success; else it is tried again after ${webhookScheduleWords()} (±10 %). Nothing is lost meanwhile, and later events are not delayed. A key that expires cannot create a webhook, since webhooks do not expire. See docs/webhooks.md.`,
    ...directing,
    idempotent: 'secret',
    body: z
      .strictObject({
        url: urlSchema,
        events: webhookEventsSchema.default([ALL_EVENTS]),
        include_spam: z.boolean().default(false).describe('Events about spam too, which are left out otherwise'),
        description: descriptionSchema.default(null),
      })
      .meta({ id: 'WebhookRequest' }),
    example: { body: { url: WEBHOOK.url, events: ['message.received', 'message.status'], description: 'Inbox' } },
    responses: {
      201: {
        description: 'Created; `secret` is shown only this once',
        schema: webhookWithSecretSchema,
        example: WEBHOOK_WITH_SECRET,
      },
    },
    otherProblems: ({ url }, { webhooks }) => url !== undefined && webhooks.checkUrl(url),
    async handler({ body, caller, making }, { webhooks }) {
      refuseOutliving(caller, null, 'a webhook')
      const { url, description, include_spam: includeSpam } = body
      const wanted = { url, events: typesOf(body.events), includeSpam, description: description ?? '' }
      const { webhook, secret } = await webhooks.create(caller.mailboxId, wanted, caller.keyId, making.id('whk'))
      return { status: 201, json: { ...webhook, secret } }
    },
  }),
  defineWebhookRoute({
    method: 'GET',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'All of the mailbox, the oldest first. A webhook stays when the key that made it is revoked.',
    ...reading,
    responses: listResponse('All of them', 'WebhookList', webhookSchema, WEBHOOK),
    handler: async ({ caller }, { webhooks }) => ok(wholeList(await webhooks.list(caller.mailboxId))),
  }),
  defineWebhookRoute({
    method: 'GET',
    path: '/v1/webhooks/{id}',
    operationId: 'getWebhook',
    summary: 'See a webhook, and how far its deliveries are',
    ...reading,
    ...webhook,
    responses: { 200: { description: 'The webhook', schema: webhookSchema, example: WEBHOOK } },
    handler: ({ params, caller }, { webhooks }) => ok(webhooks.get(caller.mailboxId, params.id)),
  }),
  defineWebhookRoute({
    method: 'PATCH',
    path: '/v1/webhooks/{id}',
    operationId: 'updateWebhook',
    summary: 'Change, disable or enable a webhook',
    description:
      'Omitted fields stay. A webhook that is enabled again continues where it stopped: `deliveries.events_waiting` says how many events that is, and `deliveries.missed` which were older than the 30 days that events are kept. With `skip_missed` it continues with the next event instead. A key that expires cannot change the `url`.',
    ...directing,
    params: idParams,
    body: z
      .strictObject({
        url: urlSchema.optional(),
        events: webhookEventsSchema.optional(),
        include_spam: z.boolean().optional(),
        description: descriptionSchema.optional(),
        enabled: z.boolean().optional(),
        skip_missed: z.boolean().optional().describe('Only with `enabled: true`'),
      })
      .refine((body) => Object.values(body).some((value) => value !== undefined), 'Give at least one field to change.')
      .refine((body) => body.skip_missed !== true || body.enabled === true, {
        path: ['skip_missed'],
        message: 'It goes with `enabled: true` only.',
      })
      .meta({ id: 'WebhookChange' }),
    example: { ...webhook.example, body: { enabled: true } },
    responses: { 200: { description: 'The changed webhook', schema: webhookSchema, example: WEBHOOK } },
    otherProblems: ({ url }, { webhooks }) => url !== undefined && webhooks.checkUrl(url),
    async handler({ params, body, caller }, { webhooks }) {
      if (body.url !== undefined) refuseOutliving(caller, null, 'what is posted to another URL')
      const { events, skip_missed: skipMissed, include_spam: includeSpam, description, ...rest } = body
      const change = {
        ...rest,
        description: description === null ? '' : description,
        includeSpam,
        skipMissed,
        events: events && typesOf(events),
      }
      return { status: 200, json: await webhooks.change(caller.mailboxId, params.id, change) }
    },
  }),
  defineWebhookRoute({
    method: 'DELETE',
    path: '/v1/webhooks/{id}',
    operationId: 'deleteWebhook',
    summary: 'Remove a webhook',
    description: 'With the list of its deliveries. Nothing more is posted.',
    ...managing,
    ...webhook,
    responses: {
      200: {
        description: 'Deleted',
        schema: z.object({ id: z.string(), object: z.literal('webhook'), deleted: z.literal(true) }),
        example: { id: WEBHOOK_ID, object: 'webhook', deleted: true },
      },
    },
    async handler({ params, caller }, { webhooks }) {
      await webhooks.remove(caller.mailboxId, params.id)
      return ok({ id: params.id, object: 'webhook' as const, deleted: true as const })
    },
  }),
  defineWebhookRoute({
    method: 'POST',
    path: '/v1/webhooks/{id}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    summary: 'Make a new secret',
    description: `A new secret for \`v1\` and a new key for \`v1a\`. For ${OLD_SECRET_HOURS} hours requests carry the signatures of both, so the receiver can be changed without haste; give \`old_valid_hours\` 0 when the old one is known to others.`,
    ...managing,
    idempotent: 'secret',
    params: idParams,
    body: z
      .strictObject({
        old_valid_hours: z
          .int()
          .min(0)
          .max(OLD_SECRET_HOURS)
          .default(OLD_SECRET_HOURS)
          .describe('How long the previous secret and key still sign'),
      })
      .meta({ id: 'WebhookRotation' }),
    example: { ...webhook.example, body: {} },
    responses: {
      200: {
        description: 'The new one is in use; `secret` is shown this once',
        schema: webhookWithSecretSchema,
        example: WEBHOOK_WITH_SECRET,
      },
    },
    errors: ['rate_limited'],
    async handler({ params, body, caller }, { webhooks }) {
      const { webhook, secret } = await webhooks.rotate(caller.mailboxId, params.id, body.old_valid_hours)
      return { status: 200, json: { ...webhook, secret } }
    },
  }),
  defineWebhookRoute({
    method: 'POST',
    path: '/v1/webhooks/{id}/test',
    operationId: 'testWebhook',
    summary: 'Post a test event now, and see the answer',
    description:
      'An event of the type `webhook.test` with `seq` 0, signed like any other; it is in no log, and its outcome counts for nothing. It can be sent to a disabled webhook too. At most 30 of these and of redeliveries in a minute.',
    ...managing,
    idempotent: 'answer',
    ...webhook,
    responses: { 200: { description: 'The outcome', schema: webhookTestSchema, example: WEBHOOK_TEST } },
    errors: ['rate_limited', 'unavailable'],
    handler: ({ params, caller }, { webhooks }) => ok(webhooks.test(caller.mailboxId, params.id)),
  }),
  defineWebhookRoute({
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries',
    operationId: 'listWebhookDeliveries',
    summary: 'List deliveries',
    description: 'The newest first: the last 1,000 of the last 7 days, and all that wait for another attempt.',
    ...reading,
    ...webhook,
    query: z.strictObject({ ...pageQuery, status: z.enum(DELIVERY_STATES).optional().describe('Only such') }),
    responses: listResponse('A page of deliveries', 'WebhookDeliveryList', deliverySchema, DELIVERY),
    handler: ({ params, query, caller }, { webhooks }) => ok(webhooks.deliveries(caller.mailboxId, params.id, query)),
  }),
  defineWebhookRoute({
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries/{delivery_id}',
    operationId: 'getWebhookDelivery',
    summary: 'See a delivery: what was sent, and what was answered',
    ...reading,
    ...delivery,
    responses: { 200: { description: 'The delivery', schema: deliveryDetailsSchema, example: DELIVERY_DETAILS } },
    handler: ({ params, caller }, { webhooks }) =>
      ok(webhooks.delivery(caller.mailboxId, params.id, params.delivery_id)),
  }),
  defineWebhookRoute({
    method: 'POST',
    path: '/v1/webhooks/{id}/deliveries/{delivery_id}/redeliver',
    operationId: 'redeliverWebhook',
    summary: 'Post an event again now, and see the answer',
    description:
      'Whatever its status. `webhook-id` is the same as before. If it fails, the schedule of a waiting delivery does not change.',
    ...directing,
    idempotent: 'answer',
    ...delivery,
    responses: {
      200: { description: 'The delivery after this attempt', schema: deliveryDetailsSchema, example: DELIVERY_DETAILS },
    },
    errors: ['rate_limited', 'unavailable'],
    handler: ({ params, caller }, { webhooks }) =>
      ok(webhooks.redeliver(caller.mailboxId, params.id, params.delivery_id)),
  }),
  defineWebhookRoute({
    method: 'POST',
    path: '/v1/webhooks/{id}/replay',
    operationId: 'replayWebhook',
    summary: 'Have all events past one delivered again',
    description:
      'Every event of its types past `after`, in their order, with the same `webhook-id` as before. For a receiver that lost what it had.',
    ...directing,
    idempotent: 'answer',
    params: idParams,
    body: z
      .strictObject({
        after: z.int().min(0).describe('`seq` of the last event that is not delivered again; 0 begins with the first'),
      })
      .meta({ id: 'WebhookReplay' }),
    example: { ...webhook.example, body: { after: 40 } },
    responses: { 202: { description: 'Delivery has started', schema: webhookSchema, example: WEBHOOK } },
    handler: async ({ params, body, caller }, { webhooks }) => ({
      status: 202,
      json: await webhooks.replay(caller.mailboxId, params.id, body.after),
    }),
  }),
]
