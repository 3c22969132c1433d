/** Receipts over the admin listener. */
import { z } from 'zod'
import { adminRoutesWith } from './define.js'
import { receiptSchema, type Receipts } from '../receipts/types.js'
import { address, pageFields, timeField } from './fields.js'

export interface ReceiptParts {
  receipts: Pick<Receipts, 'list'>
}

const defineRoute = adminRoutesWith<ReceiptParts>()

export const receiptRoutes = [
  defineRoute({
    method: 'GET',
    path: '/receipts',
    operationId: 'listReceipts',
    summary: 'Receipts of delivery attempts, the newest first',
    query: z.strictObject({
      id: z.string().min(1).max(64).describe('The one receipt of this id; nothing else counts then').optional(),
      address: address.optional(),
      since: timeField.optional(),
      until: timeField.optional(),
      ...pageFields(500),
    }),
    responses: {
      200: {
        description: 'Receipts',
        schema: z.object({
          data: z.array(receiptSchema),
          has_more: z.boolean(),
          next_cursor: z.string().nullable(),
          not_kept: z.int(),
        }),
      },
    },
    handler: async ({ query }, { receipts }) => ({ status: 200, json: await receipts.list(query) }),
  }),
]
