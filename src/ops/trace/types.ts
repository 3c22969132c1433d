/** The trace of one message for the operator: ids, times and outcomes, no content. */
import { z } from 'zod'
import { messageStatusSchema, timeSchema } from '../../mailbox/objects/objects.js'
import { reviewLogEntrySchema } from '../../mailbox/review/objects.js'
import { DELIVERY_STATES } from '../../mailbox/webhooks/types.js'
import { receiptSchema } from '../../receipts/types.js'
import { detailsSchema } from '../../relay/operator/types.js'

const time = timeSchema.nullable()

const tracedReceiptSchema = receiptSchema
  .pick({
    id: true,
    at: true,
    outcome: true,
    protocol: true,
    auth: true,
    virus: true,
    spam: true,
    labels: true,
    reply: true,
    duration_ms: true,
  })
  .extend({ client_network: z.string(), tls: z.string().nullable() })

const tracedDeliverySchema = z.object({
  id: z.string().nullable().describe('Null before the first attempt'),
  webhook_id: z.string(),
  event_id: z.string(),
  event_type: z.string(),
  status: z.enum([...DELIVERY_STATES, 'not_begun']),
  next_attempt_at: time,
  attempts: z.array(
    z.object({
      at: timeSchema,
      took_ms: z.int(),
      status_code: z.int().nullable(),
      problem: z.string().nullable().describe('Null if accepted'),
      by_hand: z.boolean(),
    }),
  ),
})

const stepSchema = z.object({
  at: timeSchema,
  kind: z.enum(['receipt', 'event', 'review', 'webhook', 'next']).describe('`next` is in the future'),
  id: z.string(),
  text: z.string(),
})

export const traceSchema = z.object({
  message_id: z.string(),
  mailbox_id: z.string(),
  direction: z.enum(['inbound', 'outbound']),
  status: messageStatusSchema,
  size_bytes: z.int(),
  created_at: timeSchema,
  send_at: time.describe('Time of sending, for scheduled mail'),
  sent_at: time,
  in_trash: z.boolean(),
  receipt: tracedReceiptSchema.nullable(),
  recipients: detailsSchema.shape.recipients,
  tasks: detailsSchema.shape.tasks,
  check: z
    .object({ decision: z.enum(['send', 'hold', 'block']), category: z.string(), codes: z.array(z.string()) })
    .nullable(),
  review: z
    .object({
      waits_as: z.enum(['held', 'blocked']).nullable().describe('The review list on which it waits'),
      at: time.describe('When it was held or blocked'),
      decision: reviewLogEntrySchema.pick({ id: true, at: true, decision: true, by: true }).nullable(),
    })
    .nullable(),
  events: z.array(
    z.object({ id: z.string(), seq: z.int(), at: timeSchema, type: z.string(), status: z.string().nullable() }),
  ),
  deliveries: z.array(tracedDeliverySchema),
  steps: z.array(stepSchema).describe('All of the above that has a time, in order'),
  missing: z.array(z.string()).describe('Missing parts, with reasons'),
})

export type Trace = z.infer<typeof traceSchema>
export type TracedReceipt = z.infer<typeof tracedReceiptSchema>
export type TracedDelivery = z.infer<typeof tracedDeliverySchema>
export type TraceStep = z.infer<typeof stepSchema>
