/** One's own mailbox and account. */
import { z } from 'zod'
import { notFound } from '../../lib/errors.js'
import { timestamp } from '../../lib/clock.js'
import { timeSchema } from '../../mailbox/objects.js'
import { defineRoute } from './parts.js'

const usageSchema = z
  .object({
    plan: z.string(),
    trust_level: z.int(),
    mailboxes: z.int(),
    storage: z.object({ used_bytes: z.int(), limit_bytes: z.int() }),
    new_recipients: z
      .object({ used: z.int(), limit: z.int(), left: z.int(), resets_at: timeSchema })
      .describe('Addresses written to for the first time today. Answering somebody who wrote first costs nothing'),
    messages: z.object({ sent: z.int(), received: z.int(), sent_today: z.int(), received_today: z.int() }),
    complaints: z.object({ last_30_days: z.int() }).describe('Recipients who called a message of this account spam'),
    requests_per_minute: z.int(),
    limits: z.object({
      recipients_per_message: z.int(),
      message_bytes: z.int(),
      attachments_per_message: z.int(),
      long_poll_seconds: z.int(),
    }),
    next_level: z
      .object({ level: z.int(), new_recipients_per_day: z.int(), requires: z.string() })
      .nullable()
      .describe('What earns the next level of trust; null on the highest'),
  })
  .meta({ id: 'Usage' })

const mailboxSchema = z
  .object({
    id: z.string(),
    object: z.literal('mailbox'),
    address: z.string(),
    display_name: z.string(),
    agent_name: z.string().nullable(),
    status: z.enum(['pending', 'claimed']),
    message_count: z.int(),
    received_count: z.int(),
    sent_count: z.int(),
    used_bytes: z.int(),
    last_event_seq: z.int().describe('`after` for GET /v1/events to see only what comes from now on'),
    created_at: timeSchema,
    claimed_at: timeSchema.nullable(),
  })
  .meta({ id: 'Mailbox' })

export const accountRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/mailbox',
    operationId: 'getMailbox',
    summary: "See one's own mailbox",
    tag: 'Account',
    auth: 'mailbox',
    responses: { 200: { description: 'The mailbox of this key', schema: mailboxSchema } },
    async handler({ caller }, { mailboxes }) {
      const mailbox = await mailboxes.get(caller.mailboxId)
      if (!mailbox) throw notFound('mailbox')
      return {
        status: 200,
        json: {
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
        },
      }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/account/usage',
    operationId: 'getUsage',
    summary: 'Read limits and usage',
    tag: 'Account',
    auth: 'mailbox',
    responses: { 200: { description: 'What is used, what is left, and when it resets', schema: usageSchema } },
    async handler({ caller }, { accounts }) {
      if (!caller.account) throw new Error(`Mailbox ${caller.mailboxId} is claimed and has no account`)
      return { status: 200, json: await accounts.usage(caller.account.id) }
    },
  }),
]
