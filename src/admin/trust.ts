/** Trust levels over the admin listener: outcomes by day, the level with its reason, setting or pinning it. */
import { z } from 'zod'
import { within } from '../accounts/outcomes.js'
import { changedOn, MAX_LEVEL, progressOf, RAISE } from '../accounts/trust.js'
import type { Trust } from '../accounts/types.js'
import { lastChangeOf, suspensionLines } from '../accounts/usage.js'
import { DAY, utcDay } from '../lib/clock.js'
import { timeSchema } from '../mailbox/objects/objects.js'

const counts = z.object({
  sent: z.int(),
  delivered: z.int(),
  bounced: z.int(),
  complaints: z.int(),
  blocks: z.int(),
})

export const trustSchema = z.object({
  level: z.int(),
  is_pinned: z.boolean(),
  last_change: z
    .object({ at: timeSchema, from: z.int(), to: z.int(), by: z.enum(['service', 'operator']), reason: z.string() })
    .nullable(),
  days: z.array(counts.extend({ date: z.iso.date() })).describe('Days of the last 30 with any counts'),
  /** Null on the highest level. */
  next_level: z
    .object({
      active_days: z.int(),
      delivered: z.int(),
      bounce_percent: z.number(),
      complaints: z.int(),
      blocks: z.int(),
    })
    .nullable(),
  suspension_lines: z.object({
    days: z.int(),
    recipients: z.int(),
    min_recipients: z.int(),
    bounce_percent: z.number(),
    max_bounce_percent: z.number(),
    complaint_percent: z.number(),
    max_complaint_percent: z.number(),
  }),
})

/** The settings of an operator; at least one is required. */
export const trustChangeSchema = {
  level: z.int().min(0).max(MAX_LEVEL).optional(),
  pinned: z.boolean().optional(),
}

export function shownTrust(trust: Trust): z.infer<typeof trustSchema> {
  const { level, state, days, today } = trust
  return {
    level,
    is_pinned: state.pinned,
    last_change: lastChangeOf(trust),
    days: within(days, today, RAISE.days).map((each) => ({
      date: utcDay(each.day * DAY),
      sent: each.sent,
      delivered: each.delivered,
      bounced: each.bounced,
      complaints: each.complaints,
      blocks: each.blocks,
    })),
    next_level: level === MAX_LEVEL ? null : progressOf(days, changedOn(state), today),
    suspension_lines: suspensionLines(trust),
  }
}
