/** The trace of a message, over the admin listener. */
import { z } from 'zod'
import type { TraceMessage } from '../ops/trace/trace.js'
import { traceSchema } from '../ops/trace/types.js'
import { adminRoutesWith } from './define.js'

export interface TraceParts {
  trace: TraceMessage
}

const defineRoute = adminRoutesWith<TraceParts>()

export const traceRoutes = [
  defineRoute({
    method: 'GET',
    path: '/trace',
    operationId: 'traceMessage',
    summary: 'The path of one message through the server, without its content',
    query: z.strictObject({
      id: z.string().min(1).max(400),
      mailbox: z.string().min(1).max(320).describe('Address or id').optional(),
    }),
    responses: { 200: { description: 'It', schema: traceSchema } },
    handler: async ({ query }, { trace }) => ({ status: 200, json: await trace(query.id, query.mailbox) }),
  }),
]
