/** The operator's queue over the admin listener. */
import { z } from 'zod'
import { ok } from '../http/routing/route.js'
import {
  changeSchema,
  detailsSchema,
  holdSchema,
  pageSchema,
  statsSchema,
  type OperatorQueue,
} from '../relay/operator/types.js'
import { STATES } from '../relay/operator/waiting.js'
import { pageFields } from './fields.js'
import { adminRoutesWith } from './define.js'

export interface QueueParts {
  queue: OperatorQueue
}

const defineRoute = adminRoutesWith<QueueParts>()

const MAX_REASON_CHARACTERS = 500
const id = z.string().min(1).max(400)
const mailbox = z.string().min(1).max(320).describe('Address or id')
const domain = z.string().min(1).max(255).describe('A recipient domain, including its subdomains')
/** Actor for the log; the holder of the admin token is trusted to name it. */
const by = z.string().min(1).max(64).optional()
const target = { id: id.optional(), mailbox: mailbox.optional(), domain: domain.optional() }
const changed = { 200: { description: 'What was changed', schema: changeSchema } }

export const queueRoutes = [
  defineRoute({
    method: 'GET',
    path: '/queue',
    operationId: 'listQueue',
    summary: 'Outbound queue: mail being delivered first, then by next attempt, held mail last',
    query: z.strictObject({
      mailbox: mailbox.optional(),
      domain: domain.optional(),
      state: z.enum(STATES).optional(),
      ...pageFields(1000),
    }),
    responses: { 200: { description: 'A page of it', schema: pageSchema } },
    handler: async ({ query }, { queue }) => ({ status: 200, json: await queue.list(query) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/queue/message',
    operationId: 'showQueued',
    summary: 'The delivery of one message, without its content',
    query: z.strictObject({ id, mailbox: mailbox.optional() }),
    responses: { 200: { description: 'It', schema: detailsSchema } },
    handler: async ({ query }, { queue }) => ({ status: 200, json: await queue.show(query.id, query.mailbox) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/queue/stats',
    operationId: 'countQueue',
    summary: 'Number of queued deliveries by state and destination',
    query: z.strictObject({ mailbox: mailbox.optional(), domain: domain.optional() }),
    responses: { 200: { description: 'Counts', schema: statsSchema } },
    handler: async ({ query }, { queue }) => ({ status: 200, json: await queue.stats(query) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/queue/holds',
    operationId: 'listHolds',
    summary: 'Queue holds, oldest first',
    responses: { 200: { description: 'Rules', schema: z.object({ data: z.array(holdSchema) }) } },
    handler: async (_input, { queue }) => ({ status: 200, json: { data: await queue.holds() } }),
  }),
  defineRoute({
    method: 'POST',
    path: '/queue/hold',
    operationId: 'holdQueued',
    summary: 'Hold a message, or all mail of a mailbox or to a domain, until it is released',
    body: z.strictObject({ ...target, reason: z.string().min(1).max(MAX_REASON_CHARACTERS).optional(), by }),
    responses: changed,
    handler: ({ body: { reason, by, ...named } }, { queue }) => ok(queue.hold(named, { reason, by })),
  }),
  defineRoute({
    method: 'POST',
    path: '/queue/release',
    operationId: 'releaseQueued',
    summary: 'Release held mail',
    body: z.strictObject({ ...target, by }),
    responses: changed,
    handler: async ({ body: { by, ...named } }, { queue }) => ({ status: 200, json: await queue.release(named, by) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/queue/retry',
    operationId: 'retryQueued',
    summary: 'Try deferred mail now; all of it when nothing is named',
    body: z.strictObject({ ...target, by }),
    responses: changed,
    handler: async ({ body: { by, ...named } }, { queue }) => ({ status: 200, json: await queue.retry(named, by) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/queue/delete',
    operationId: 'deleteQueued',
    summary: 'Remove mail from the queue and bounce it',
    body: z.strictObject({ ...target, by }),
    responses: changed,
    handler: async ({ body: { by, ...named } }, { queue }) => ({ status: 200, json: await queue.delete(named, by) }),
  }),
]
