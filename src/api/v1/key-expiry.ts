/** Things that an expiring key creates expire with it: otherwise the expiry that its owner set could be evaded. */
import type { Caller } from '../../accounts/types.js'
import { timestamp } from '../../lib/clock.js'
import { invalidRequest, ServiceError } from '../../lib/errors.js'

/**
 * Expiry of a new key: as requested, else that of the caller's key.
 *
 * @param asked milliseconds since the epoch
 * @returns undefined: never
 * @throws ServiceError `invalid_request` if later than the caller's
 */
export function expiryOfNewKey({ endsAt }: Caller, asked?: number): number | undefined {
  if (endsAt === undefined || (asked !== undefined && asked <= endsAt)) return asked
  if (asked === undefined) return endsAt
  const latest = timestamp(endsAt)
  throw invalidRequest(
    `The key of this request ends at ${latest}, and can't make one that expires later.`,
    'Give an earlier `expires_at`, or leave it out: then the new key ends with this one.',
    [{ field: 'expires_at', problem: `It must be at most ${latest}.` }],
  )
}

/**
 * @param end expiry of the requested thing, in milliseconds since the epoch; null: never
 * @param what for the message: `a webhook`
 * @throws ServiceError `insufficient_scope`
 */
export function refuseOutliving({ endsAt }: Caller, end: number | null, what: string): void {
  if (endsAt === undefined || (end !== null && end <= endsAt)) return
  throw new ServiceError(
    'insufficient_scope',
    `The key of this request ends at ${timestamp(endsAt)}, and ${what} would continue after that.`,
    'Use a key that lasts as long, or ask your human for one; they create it on their account page.',
  )
}
