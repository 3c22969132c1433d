/** The operator's view of the queue, for the admin listener and the commands. */
import { z } from 'zod'
import { messageStatusSchema, recipientStatusSchema, timeSchema } from '../../mailbox/objects/objects.js'
import { STATES } from './waiting.js'

const time = timeSchema.nullable()
const stateSchema = z.enum(STATES)

export const holdSchema = z.object({
  kind: z.enum(['message', 'mailbox', 'domain', 'account']),
  value: z.string().describe('Id of a message, a task, a mailbox or a suspended account, or a domain'),
  name: z.string().describe('The same for people: the address of a mailbox, the owner of an account'),
  reason: z.string().nullable(),
  by: z.string().nullable(),
  at: timeSchema,
})

export const entrySchema = z.object({
  id: z.string().describe('`msg_…:domain`, or `tsk_…` of a notice of this server itself'),
  kind: z.enum(['message', 'notice']),
  message_id: z.string().nullable(),
  state: stateSchema,
  sender: z.string().nullable().describe('Null when the message is gone'),
  domain: z.string(),
  recipients_left: z.int(),
  size_bytes: z.int().nullable(),
  attempts: z.int(),
  queued_at: timeSchema,
  next_attempt_at: time.describe('Null while it is at work or held'),
  held_by: holdSchema.nullable(),
  last_answer: z.string().nullable(),
})

export const pageSchema = z.object({
  data: z.array(entrySchema),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
})

const countsSchema = z.object({ sending: z.int(), queued: z.int(), deferred: z.int(), held: z.int() })

export const statsSchema = z.object({
  tasks: z.int(),
  notices: z.int(),
  states: countsSchema,
  oldest_queued_at: time,
  destinations: z.array(countsSchema.extend({ domain: z.string(), tasks: z.int(), oldest_queued_at: timeSchema })),
  tasks_elsewhere: z.int().describe('At destinations that are not listed'),
})

export const detailsSchema = z.object({
  id: z.string(),
  kind: z.enum(['message', 'notice']),
  mailbox_id: z.string().nullable(),
  sender: z.string(),
  status: messageStatusSchema.nullable(),
  size_bytes: z.int(),
  created_at: timeSchema,
  sent_at: time,
  recipients: z.array(
    z.object({
      address: z.string(),
      status: recipientStatusSchema,
      smtp_code: z.int().nullable(),
      detail: z.string().nullable(),
      attempts: z.int(),
      next_attempt_at: time,
      at: timeSchema,
    }),
  ),
  tasks: z.array(
    z.object({
      id: z.string(),
      domain: z.string(),
      state: stateSchema,
      queued_at: timeSchema,
      next_attempt_at: time,
      held_by: holdSchema.nullable(),
      route: z.object({ hosts: z.array(z.string()), problem: z.string().nullable() }),
    }),
  ),
  history: z.array(
    z.object({
      at: timeSchema,
      status: z.string(),
      recipients: z.array(z.object({ address: z.string(), status: z.string(), detail: z.string().nullable() })),
    }),
  ),
  history_complete: z.boolean().describe('False when there were too many events of the mailbox to look through'),
})

export const changeSchema = z.object({
  changed: z.int().describe('Tasks changed so far'),
  busy: z.int().describe('Tasks left alone because they were being delivered'),
  finished: z.boolean().describe('False when the rest is done in the background'),
})

export type QueueHold = z.infer<typeof holdSchema>
export type QueueEntry = z.infer<typeof entrySchema>
export type QueuePage = z.infer<typeof pageSchema>
export type QueueStats = z.infer<typeof statsSchema>
export type QueueDetails = z.infer<typeof detailsSchema>
export type QueueChange = z.infer<typeof changeSchema>

/** One of these, or nothing for everything. */
export interface Target {
  id?: string | undefined
  mailbox?: string | undefined
  domain?: string | undefined
}

export interface QueueQuery extends Omit<Target, 'id'> {
  state?: (typeof STATES)[number] | undefined
  limit: number
  cursor?: string | undefined
}

/** Methods throw ServiceError for errors the operator can fix. */
export interface OperatorQueue {
  /** Running first, then by next attempt, held last. Bounded memory for any queue. */
  list(query: QueueQuery): Promise<QueuePage>
  /** One message or notice. With `mailbox`, also finished ones. */
  show(id: string, mailbox?: string): Promise<QueueDetails>
  stats(target?: Target): Promise<QueueStats>
  holds(): Promise<QueueHold[]>
  hold(target: Target, why: { reason?: string | undefined; by?: string | undefined }): Promise<QueueChange>
  release(target: Target, by?: string): Promise<QueueChange>
  retry(target: Target, by?: string): Promise<QueueChange>
  delete(target: Target, by?: string): Promise<QueueChange>
}
