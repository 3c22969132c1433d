/** Trust levels over the admin listener: outcomes by day, the level with its reason, setting or pinning it. */
import { z } from 'zod'
import { within } from '../accounts/outcomes.js'
import { changedOn, MAX_LEVEL, progressOf, RAISE } from '../accounts/trust.js'
import type { Trust } from '../accounts/types.js'
import { lastChangeOf, suspensionLines } from '../accounts/usage.js'
import { DAY, utcDay } from '../lib/clock.js'
import { levelChangeSchema, periodSchema, progressSchema, suspensionSchema } from '../api/v1/account/account.js'

export const trustSchema = z.object({
  level: z.int(),
  is_pinned: z.boolean(),
  last_change: levelChangeSchema,
  days: z
    .array(periodSchema.omit({ active_days: true }).extend({ date: z.iso.date() }))
    .describe('Days of the last 30 with any counts'),
  /** Null on the highest level. */
  next_level: progressSchema.nullable(),
  suspension_lines: suspensionSchema,
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
