/** Receipts over the admin listener. */
import { z } from 'zod'
import { adminRoutesWith } from './define.js'
import { wholeNumber } from '../http/whole-number.js'
import { receiptSchema, type Receipts } from '../receipts/types.js'
import { address } from './fields.js'

export interface ReceiptParts {
  receipts: Pick<Receipts, 'list'>
}

const defineRoute = adminRoutesWith<ReceiptParts>()
const receiptTime = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))

export const receiptRoutes = [
  defineRoute({
    method: 'GET',
    path: '/receipts',
    operationId: 'listReceipts',
    summary: 'Receipts of delivery attempts, the newest first',
    query: z.strictObject({
      id: z.string().min(1).max(64).describe('The one receipt of this id; nothing else counts then').optional(),
      address: address.optional(),
      since: receiptTime.optional(),
      until: receiptTime.optional(),
      limit: wholeNumber(1, 500).default(100),
      cursor: z.string().min(1).max(1000).optional(),
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
