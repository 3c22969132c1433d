/** Review of held messages over the admin listener. */
import { z } from 'zod'
import {
  reviewDetailsSchema,
  reviewLogSchema,
  reviewOutcomeSchema,
  reviewPageSchema,
} from '../mailbox/review/objects.js'
import { REVIEW_LISTS } from '../mailbox/review/rows.js'
import type { Reviewing } from '../mailbox/review/review.js'
import { pageFields } from './fields.js'
import { adminRoutesWith } from './define.js'

export interface ReviewParts {
  /** Missing from a server that reviews nothing. */
  reviewing?: Pick<Reviewing, 'list' | 'read' | 'log' | 'approve' | 'reject' | 'suspend'> | undefined
}

const defineRoute = adminRoutesWith<ReviewParts>()

const id = z.string().min(1).max(64)
/** Reviewer for the log; the holder of the admin token is trusted to name it. */
const by = z.string().min(1).max(64)
const text = z.string().min(1).max(4000)
const page = pageFields(500)
const outcome = { 200: { description: 'The outcome', schema: reviewOutcomeSchema } }

export const reviewRoutes = [
  defineRoute({
    method: 'GET',
    path: '/review',
    operationId: 'listReview',
    summary: 'Messages that wait for review, the longest waiting first; or recently blocked ones, the newest first',
    query: z.strictObject({ status: z.enum(REVIEW_LISTS).default('held'), ...page }),
    responses: { 200: { description: 'A page of them', schema: reviewPageSchema } },
    handler: async ({ query }, parts) => ({ status: 200, json: await of(parts).list(query) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/review/message',
    operationId: 'showReview',
    summary: 'One message with the findings on it',
    query: z.strictObject({ id }),
    responses: { 200: { description: 'It', schema: reviewDetailsSchema } },
    handler: async ({ query }, parts) => ({ status: 200, json: await of(parts).read(query.id) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/review/log',
    operationId: 'listReviewLog',
    summary: 'Review decisions, newest first',
    query: z.strictObject(page),
    responses: { 200: { description: 'A page of them', schema: reviewLogSchema } },
    handler: async ({ query }, parts) => ({ status: 200, json: await of(parts).log(query) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/review/approve',
    operationId: 'approveMessage',
    summary: 'Approve a message',
    body: z.strictObject({ id, by }),
    responses: outcome,
    handler: async ({ body }, parts) => ({ status: 200, json: await of(parts).approve(body.id, body) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/review/reject',
    operationId: 'rejectMessage',
    summary: 'Reject a message',
    body: z.strictObject({ id, by, note: text.optional() }),
    responses: outcome,
    handler: async ({ body }, parts) => ({ status: 200, json: await of(parts).reject(body.id, body) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/review/suspend',
    operationId: 'rejectMessageAndSuspend',
    summary: 'Reject a message, and suspend the account of its sender',
    body: z.strictObject({ id, by, reason: text }),
    responses: outcome,
    handler: async ({ body }, parts) => ({ status: 200, json: await of(parts).suspend(body.id, body) }),
  }),
]

function of({ reviewing }: ReviewParts): NonNullable<ReviewParts['reviewing']> {
  if (reviewing) return reviewing
  throw new Error('this server has no review')
}
