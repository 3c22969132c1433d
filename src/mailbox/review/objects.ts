/** Objects of the review queue for staff: one declaration for admin listener, commands and pages. */
import { z } from 'zod'
import { addressSchema, messageStatusSchema, reasonSchema, timeSchema } from '../objects/objects.js'

const senderSchema = z.object({
  mailbox_id: z.string(),
  address: z.string(),
  account_id: z.string().nullable(),
  owner: z.string().nullable(),
})

export const reviewItemSchema = z.object({
  id: z.string(),
  status: messageStatusSchema,
  at: timeSchema.describe('When it was held or blocked'),
  sender: senderSchema,
  to: z.array(z.string()).describe('The first 5 recipients'),
  recipient_count: z.int(),
  subject: z.string(),
  category: z.string(),
  reasons: z.array(reasonSchema),
  appeal: z.string().nullable().describe('One line of the owner to the staff'),
})

export const reviewCountsSchema = z.object({ held: z.int(), blocked: z.int() })

export const reviewPageSchema = z.object({
  data: z.array(reviewItemSchema),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
  counts: reviewCountsSchema,
})

export const decisionSchema = z.enum(['approve', 'reject', 'suspend'])

export const reviewLogEntrySchema = z.object({
  id: z.string(),
  at: timeSchema,
  decision: decisionSchema,
  by: z.string(),
  message_id: z.string(),
  mailbox_id: z.string(),
  account_id: z.string().nullable(),
  note: z.string().nullable(),
  category: z.string().describe('As the guard had it'),
  guard_decision: z.enum(['send', 'hold', 'block']),
  codes: z.array(z.string()),
})

export const reviewLogSchema = z.object({
  data: z.array(reviewLogEntrySchema),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
})

export const reviewDetailsSchema = reviewItemSchema.extend({
  guard_decision: z.enum(['send', 'hold', 'block']),
  scores: z.record(z.string(), z.number()),
  reasons: z.array(reasonSchema.extend({ excerpts: z.array(z.string()).describe('What gave it away') })),
  from: addressSchema.nullable(),
  reply_to: z.array(addressSchema),
  recipients: z.array(z.object({ address: z.string(), status: z.string(), is_blind_copy: z.boolean() })),
  text: z.string(),
  html_text: z.string().nullable().describe('The words of its HTML, where they are not those of the text'),
  is_cut: z.boolean(),
  links: z.array(z.object({ text: z.string(), target: z.string() })),
  attachments: z.array(
    z.object({
      filename: z.string(),
      content_type: z.string(),
      size_bytes: z.int(),
      risk: z.array(z.string()),
    }),
  ),
  sender: senderSchema.extend({
    status: z.enum(['active', 'suspended', 'deletion_pending', 'gone']),
    trust_level: z.int().nullable(),
    sent: z.int(),
    sent_today: z.int(),
    received: z.int(),
    since: timeSchema,
  }),
  decided: reviewLogEntrySchema.nullable(),
  obstacle: z.string().nullable().describe('Why it cannot be approved now'),
})

export const reviewOutcomeSchema = z.object({
  message_id: z.string(),
  status: messageStatusSchema.describe('Of the message, as it is now'),
  is_first: z
    .boolean()
    .describe('False when it had been decided before; then decision, by and at are those of that time'),
  decision: decisionSchema,
  by: z.string(),
  at: timeSchema,
  left_out: z
    .array(z.object({ address: z.string(), why: z.string() }))
    .describe('Recipients who do not get it although it was approved'),
  held_by: z.string().nullable().describe('A rule of the operator that keeps it in the queue for now'),
  account_suspended: z.boolean(),
})

export type ReviewItem = z.infer<typeof reviewItemSchema>
export type ReviewPage = z.infer<typeof reviewPageSchema>
export type ReviewDetails = z.infer<typeof reviewDetailsSchema>
export type ReviewLogEntry = z.infer<typeof reviewLogEntrySchema>
export type ReviewLog = z.infer<typeof reviewLogSchema>
export type ReviewOutcome = z.infer<typeof reviewOutcomeSchema>
