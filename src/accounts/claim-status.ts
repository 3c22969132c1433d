/** How a mailbox stands with the human who has to approve it. */
import { DAY } from '../lib/clock.js'

/** How long a mailbox waits for its approval. */
export const CLAIM_LIFE_MS = DAY

/** How a mailbox stands with the human who has to approve it. */
export type ClaimStanding = 'pending' | 'claimed' | 'declined' | 'expired'

export function claimStanding(
  mailbox: { status: 'pending' | 'claimed'; declinedAt?: number; createdAt: number },
  now: number,
): ClaimStanding {
  if (mailbox.status === 'claimed') return 'claimed'
  if (now >= mailbox.createdAt + CLAIM_LIFE_MS) return 'expired'
  return mailbox.declinedAt === undefined ? 'pending' : 'declined'
}
