/** The operator's view of other domains' MTA-STS policies. */
import { z } from 'zod'
import { timestamp } from '../../lib/clock.js'
import { timeSchema } from '../../mailbox/objects/objects.js'
import { endOf, type KeptPolicy } from './store.js'

export const stsEntrySchema = z.object({
  domain: z.string(),
  policy: z
    .object({
      id: z.string(),
      mode: z.enum(['enforce', 'testing', 'none']),
      mx: z.array(z.string()),
      max_age_seconds: z.int(),
      fetched_at: timeSchema,
      expires_at: timeSchema,
      used_at: timeSchema.nullable().describe('To about a day'),
    })
    .nullable()
    .describe('Null when none is kept'),
  problem: z
    .object({ detail: z.string(), at: timeSchema })
    .nullable()
    .describe('Why it could not be fetched the last time; null when it could, or nobody tried since the start'),
})
export type StsEntry = z.infer<typeof stsEntrySchema>

export const stsListSchema = z.object({ data: z.array(stsEntrySchema), has_more: z.boolean() })
export type StsList = z.infer<typeof stsListSchema>

export interface FetchProblem {
  detail: string
  at: number
}

export function entryOf(domain: string, kept: KeptPolicy | undefined, problem: FetchProblem | undefined): StsEntry {
  return {
    domain,
    policy: kept
      ? {
          id: kept.policy.id,
          mode: kept.policy.mode,
          mx: kept.policy.mx,
          max_age_seconds: kept.policy.maxAgeSeconds,
          fetched_at: timestamp(kept.fetchedAt),
          expires_at: timestamp(endOf(kept)),
          used_at: kept.usedAt === undefined ? null : timestamp(kept.usedAt),
        }
      : null,
    problem: problem ? { detail: problem.detail, at: timestamp(problem.at) } : null,
  }
}
