import { z } from 'zod'
import { addressSchema, timeSchema } from './objects.js'

export const draftReviewSchema = z
  .object({
    status: z.enum(['waiting', 'returned']).describe('returned: it was sent back, and is an ordinary draft again'),
    asked_at: timeSchema,
    expires_at: timeSchema.nullable().describe('When it is returned if nobody decides'),
    requested_by: z
      .object({ type: z.enum(['key', 'connection']), key_id: z.string() })
      .nullable()
      .describe('Who wanted to send it'),
    reason: z.enum(['sent_back', 'expired']).nullable().describe('Why it was returned'),
    note: z.string().nullable().describe('What the human wrote when returning it'),
  })
  .meta({ id: 'DraftReview' })

const summaryFields = {
  id: z.string(),
  object: z.literal('draft'),
  mailbox_id: z.string(),
  thread_id: z.string().nullable().describe('The conversation that it answers in'),
  in_reply_to: z.string().nullable().describe('msg_… that it answers'),
  to: z.array(addressSchema),
  cc: z.array(addressSchema),
  bcc: z.array(addressSchema),
  reply_to: z.array(addressSchema),
  from: addressSchema
    .nullable()
    .describe('Its author, once the draft was sent for approval; null: as for `POST /v1/send`'),
  subject: z.string(),
  preview: z.string(),
  labels: z.array(z.string()),
  attachments: z.array(
    z.object({
      id: z.string().describe('att_…; name it in `attachments` of a change to keep the file'),
      object: z.literal('attachment'),
      filename: z.string(),
      content_type: z.string(),
      size_bytes: z.int(),
      content_id: z.string().nullable(),
    }),
  ),
  require_tls: z.boolean(),
  send_at: timeSchema.nullable().describe('When it is to go once it is sent'),
  revision: z.int().describe('Grows with every change'),
  composed_by: z.enum(['agent', 'human']),
  review: draftReviewSchema.nullable(),
  size_bytes: z.int().describe('What it counts for in the storage of the mailbox'),
  created_at: timeSchema,
  updated_at: timeSchema,
}

export const draftSummarySchema = z.object(summaryFields)
export const draftSchema = z.object({ ...summaryFields, text: z.string(), html: z.string().nullable() })

export type DraftSummary = z.infer<typeof draftSummarySchema>
export type Draft = z.infer<typeof draftSchema>
export type ShownReview = z.infer<typeof draftReviewSchema>
