/** Retention periods, for `restante retention`. */
import { z } from 'zod'
import { timeSchema } from '../mailbox/objects/objects.js'
import { adminRoutesWith } from './define.js'

export const retentionSchema = z.object({
  data: z.array(
    z.object({
      what: z.string(),
      kept: z.string(),
      setting: z.string().nullable(),
      removed_by: z.string(),
      amount: z.object({ count: z.int(), unit: z.string(), at_least: z.boolean() }).nullable(),
      last_swept_at: timeSchema.nullable(),
      last_removed: z.int().nullable(),
    }),
  ),
})

export interface RetentionParts {
  listRetention: () => Promise<z.infer<typeof retentionSchema>['data']>
}

const defineRoute = adminRoutesWith<RetentionParts>()

export const retentionRoutes = [
  defineRoute({
    method: 'GET',
    path: '/retention',
    operationId: 'listRetention',
    summary: 'Data with a retention period: the period, the amount stored, and the last sweep',
    responses: { 200: { description: 'All of it', schema: retentionSchema } },
    handler: async (_input, { listRetention }) => ({ status: 200, json: { data: await listRetention() } }),
  }),
]
