/** What an account may still use. */
import { z } from 'zod'
import { timeSchema } from '../../../mailbox/objects/objects.js'
import { usageExample } from './account-examples.js'
import { defineRoute } from '../parts.js'

const periodSchema = z.object({
  sent: z.int().describe('Recipients outside of this server for whom delivery has ended, however'),
  delivered: z.int(),
  bounced: z.int().describe('Of those, addresses that do not exist or are disabled'),
  complaints: z.int().describe('Recipients who called a message spam'),
  blocks: z.int().describe('Messages that the check blocked, or staff rejected'),
  active_days: z.int().describe('Days (UTC) on which something was sent'),
})

export const usageSchema = z
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
    outcomes: z
      .object({ last_7_days: periodSchema, last_30_days: periodSchema })
      .describe('What became of what was sent. Mail within this server and to the simulator is not counted'),
    requests_per_minute: z.int(),
    limits: z.object({
      recipients_per_message: z.int(),
      message_bytes: z.int(),
      attachments_per_message: z.int(),
      long_poll_seconds: z.int(),
    }),
    trust: z
      .object({
        is_pinned: z.boolean().describe('Set by the operator, and does not move by itself'),
        last_change: z
          .object({
            at: timeSchema,
            from: z.int(),
            to: z.int(),
            by: z.enum(['service', 'operator']),
            reason: z.string(),
          })
          .nullable(),
      })
      .describe('How the level of trust came about'),
    next_level: z
      .object({
        level: z.int(),
        new_recipients_per_day: z.int(),
        requires: z.string(),
        needs: z.object({
          active_days: z.int(),
          delivered: z.int(),
          under_bounce_percent: z.number(),
          complaints: z.int(),
          blocks: z.int(),
          within_days: z.int(),
        }),
        progress: z
          .object({
            active_days: z.int(),
            delivered: z.int(),
            bounce_percent: z.number(),
            complaints: z.int(),
            blocks: z.int(),
          })
          .describe(
            'How far it has come. Days, deliveries and bounces count since the last change of level, complaints and blocks of all 30 days',
          ),
      })
      .nullable()
      .describe('What earns the next level of trust; null on the highest'),
    suspension_lines: z
      .object({
        days: z.int(),
        recipients: z.int().describe('Of these days; nobody is suspended with fewer than `min_recipients`'),
        min_recipients: z.int(),
        bounce_percent: z.number(),
        max_bounce_percent: z.number(),
        complaint_percent: z.number(),
        max_complaint_percent: z.number(),
      })
      .describe('How near the account is to being suspended: past a `max_…` line it is, by itself'),
  })
  .meta({ id: 'Usage' })

export const accountRoutes = [
  defineRoute({
    method: 'GET',
    path: '/v1/account/usage',
    operationId: 'getUsage',
    summary: 'Read limits and usage',
    tag: 'Account',
    auth: 'mailbox',
    scope: 'mail:read',
    responses: {
      200: {
        description: 'What is used, what is left, and when it resets',
        schema: usageSchema,
        example: usageExample,
      },
    },
    async handler({ caller }, { accounts }) {
      if (!caller.account) throw new Error(`Mailbox ${caller.mailboxId} is claimed and has no account`)
      return { status: 200, json: await accounts.usage(caller.account.id) }
    },
  }),
]
