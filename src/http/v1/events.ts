/** The mailbox's history, and waiting for what comes next. */
import { z } from 'zod'
import { invalidRequest } from '../../lib/errors.js'
import { eventSchema } from '../../mailbox/objects.js'
import { defineRoute } from './parts.js'

const eventListSchema = z
  .object({
    data: z.array(eventSchema).describe('Oldest first'),
    has_more: z.boolean(),
    next_after: z.int().describe('`after` for the next call'),
  })
  .meta({ id: 'EventList' })

export const eventRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/events',
    operationId: 'listEvents',
    summary: 'Read events, or wait for one',
    description:
      'Events after `after`. With `wait` the request is held open until there is one or so many seconds have passed; then `data` is empty and the call is simply made again. Events are kept for 30 days.',
    tag: 'Events',
    auth: 'mailbox',
    scope: 'mail:read',
    query: z.strictObject({
      after: z.coerce
        .number()
        .int()
        .min(0)
        .default(0)
        .describe('`seq` of the last event you have; 0 reads from the beginning'),
      wait: z.coerce
        .number()
        .int()
        .min(0)
        .default(0)
        .describe('Seconds to wait for an event; at most 60 unless the operator has set less'),
      limit: z.coerce.number().int().min(1).max(100).default(25).describe('Events in one answer'),
    }),
    responses: { 200: { description: 'Events, or none', schema: eventListSchema } },
    async handler({ query, caller, request }, { mailboxes, holds, limits }) {
      const { after, wait, limit } = query
      if (wait > limits.longPollSeconds) {
        throw invalidRequest('The wait is too long.', 'Wait shorter, and ask again when the answer is empty.', [
          { field: 'wait', problem: `It must be at most ${limits.longPollSeconds}.` },
        ])
      }
      const read = (signal: AbortSignal) =>
        mailboxes.events(caller.mailboxId, { after, limit, waitMs: wait * 1000 }, signal)
      const held = request.holdSignal
      return { status: 200, json: await (wait > 0 ? holds.hold(caller, held, read) : read(held)) }
    },
  }),
]
