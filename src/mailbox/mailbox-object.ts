/** A mailbox as its agent and its owner see it: over the API, and in an export. */
import { z } from 'zod'
import { timestamp } from '../lib/clock.js'
import { timeSchema } from './objects.js'
import type { MailboxRecord } from './types.js'

export const mailboxSchema = z
  .object({
    id: z.string(),
    object: z.literal('mailbox'),
    address: z.string(),
    display_name: z.string(),
    agent_name: z.string().nullable(),
    status: z.enum(['pending', 'claimed']),
    message_count: z.int().describe('Those in the trash too'),
    received_count: z.int(),
    sent_count: z.int(),
    used_bytes: z.int().describe('What is in the trash counts until it is gone'),
    last_event_seq: z.int().describe('`after` for GET /v1/events to see only what comes from now on'),
    created_at: timeSchema,
    claimed_at: timeSchema.nullable(),
  })
  .meta({ id: 'Mailbox' })

export function toMailboxObject(mailbox: MailboxRecord): z.infer<typeof mailboxSchema> {
  return {
    id: mailbox.id,
    object: 'mailbox' as const,
    address: mailbox.address,
    display_name: mailbox.displayName,
    agent_name: mailbox.agentName,
    status: mailbox.status,
    message_count: mailbox.messageCount,
    received_count: mailbox.receivedCount,
    sent_count: mailbox.sentCount,
    used_bytes: mailbox.usedBytes,
    last_event_seq: mailbox.seq,
    created_at: timestamp(mailbox.createdAt),
    claimed_at: mailbox.claimedAt === null ? null : timestamp(mailbox.claimedAt),
  }
}
