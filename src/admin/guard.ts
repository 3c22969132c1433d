/** The guard's correction from reviews, for `restante guard correction`. */
import { z } from 'zod'
import { ServiceError } from '../lib/errors.js'
import { timestamp } from '../lib/clock.js'
import type { Correction } from '../guard/verdict/correction.js'
import { timeSchema } from '../mailbox/objects/objects.js'
import { adminRoutesWith } from './define.js'

export const correctionSchema = z.object({
  learns: z.boolean(),
  approvals: z.int(),
  rejections: z.int(),
  oldest_at: timeSchema.nullable(),
  newest_at: timeSchema.nullable(),
  strongest_weight: z.number(),
})

export interface GuardParts {
  /** Present even when learning is off, so that the correction can be shown and reset. */
  correction?: Pick<Correction, 'summary' | 'forget'> | undefined
  /** guard.learn_from_review */
  learnsFromReview?: boolean | undefined
}

const defineRoute = adminRoutesWith<GuardParts>()

export const guardRoutes = [
  defineRoute({
    method: 'GET',
    path: '/guard/correction',
    operationId: 'showCorrection',
    summary: 'The correction of the guard from reviews',
    responses: { 200: { description: 'Its size', schema: correctionSchema } },
    handler: async (_input, parts) => ({ status: 200, json: shown(parts) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/guard/correction/reset',
    operationId: 'resetCorrection',
    summary: 'Reset the correction of the guard from reviews',
    responses: { 200: { description: 'Forgotten', schema: correctionSchema } },
    async handler(_input, parts) {
      await there(parts).forget()
      return { status: 200, json: shown(parts) }
    },
  }),
]

function shown(parts: GuardParts): z.infer<typeof correctionSchema> {
  const { approvals, rejections, oldest, newest, strongest } = there(parts).summary()
  return {
    learns: parts.learnsFromReview ?? false,
    approvals,
    rejections,
    oldest_at: oldest === null ? null : timestamp(oldest),
    newest_at: newest === null ? null : timestamp(newest),
    strongest_weight: Math.round(strongest * 1000) / 1000,
  }
}

function there({ correction }: GuardParts): Pick<Correction, 'summary' | 'forget'> {
  if (correction) return correction
  throw new ServiceError(
    'not_found',
    'The guard of this server has no correction.',
    'It does not learn, so there is nothing to reset.',
  )
}
