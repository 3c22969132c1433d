/** Limits and usage of an account. */
import { z } from 'zod'
import { timeSchema } from '../../../mailbox/objects/objects.js'
import { usageExample } from './account-examples.js'
import { accountOf } from '../../../http/limits/authorize.js'
import { ok } from '../../../http/routing/route.js'
import { defineAccountRoute, forKeys } from '../parts.js'

export const periodSchema = z.object({
  sent: z.int().describe('Recipients on other servers whose delivery has ended, with any outcome'),
  delivered: z.int(),
  bounced: z.int().describe('Of those, addresses that do not exist or are disabled'),
  complaints: z.int().describe('Recipients who reported a message as spam'),
  blocks: z.int().describe('Messages that the check blocked, or staff rejected'),
  active_days: z.int().describe('Days (UTC) on which something was sent'),
})

export const levelChangeSchema = z
  .object({ at: timeSchema, from: z.int(), to: z.int(), by: z.enum(['service', 'operator']), reason: z.string() })
  .nullable()

export const progressSchema = z.object({
  active_days: z.int(),
  delivered: z.int(),
  bounce_percent: z.number(),
  complaints: z.int(),
  blocks: z.int(),
})

export const suspensionSchema = z.object({
  days: z.int(),
  recipients: z.int().describe('Recipients on these days; with fewer than `min_recipients` nobody is suspended'),
  min_recipients: z.int(),
  bounce_percent: z.number(),
  max_bounce_percent: z.number(),
  complaint_percent: z.number(),
  max_complaint_percent: z.number(),
})

export const usageSchema = z
  .object({
    plan: z.string(),
    trust_level: z.int(),
    mailboxes: z.int(),
    storage: z.object({ used_bytes: z.int(), limit_bytes: z.int() }),
    new_recipients: z
      .object({ used: z.int(), limit: z.int(), left: z.int(), resets_at: timeSchema })
      .describe('Addresses written to for the first time today. Replies to people who wrote first do not count'),
    messages: z.object({ sent: z.int(), received: z.int(), sent_today: z.int(), received_today: z.int() }),
    complaints: z
      .object({ last_30_days: z.int() })
      .describe('Recipients who reported a message of this account as spam'),
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
        is_pinned: z.boolean().describe('Set by the operator; it does not change automatically'),
        last_change: levelChangeSchema,
      })
      .describe('The reason for the trust level'),
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
        progress: progressSchema.describe(
          'How far it has come. Days, deliveries and bounces count since the last change of level, complaints and blocks of all 30 days',
        ),
      })
      .nullable()
      .describe('Requirements for the next trust level; null on the highest'),
    suspension_lines: suspensionSchema.describe(
      'How close the account is to suspension; exceeding a `max_…` value suspends it automatically',
    ),
  })
  .meta({ id: 'Usage' })

export const accountRoutes = [
  defineAccountRoute({
    method: 'GET',
    path: '/v1/account/usage',
    operationId: 'getUsage',
    summary: 'Read limits and usage',
    ...forKeys('Account', 'mail:read'),
    responses: {
      200: { description: 'Usage, limits, and when they reset', schema: usageSchema, example: usageExample },
    },
    handler: ({ caller }, { accounts }) => ok(accounts.usage(accountOf(caller).id)),
  }),
]
