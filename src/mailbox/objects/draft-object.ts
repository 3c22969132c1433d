import { z } from 'zod'
import { addressSchema, timeSchema } from './objects.js'

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
  size_bytes: z.int().describe('What it counts for in the storage of the mailbox'),
  created_at: timeSchema,
  updated_at: timeSchema,
}

export const draftSummarySchema = z.object(summaryFields).meta({ id: 'DraftSummary' })
export const draftSchema = z
  .object({ ...summaryFields, text: z.string(), html: z.string().nullable() })
  .meta({ id: 'Draft' })

export type DraftSummary = z.infer<typeof draftSummarySchema>
export type Draft = z.infer<typeof draftSchema>
