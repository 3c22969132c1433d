/** State of a mailbox's claim. */
import { DAY } from '../lib/clock.js'

/** Time that a mailbox waits for its approval. */
export const CLAIM_LIFE_MS = DAY

/** State of a mailbox's claim. */
export type ClaimState = 'pending' | 'claimed' | 'declined' | 'expired'

export function claimStateOf(
  mailbox: { status: 'pending' | 'claimed'; declinedAt?: number; createdAt: number },
  now: number,
): ClaimState {
  if (mailbox.status === 'claimed') return 'claimed'
  if (now >= mailbox.createdAt + CLAIM_LIFE_MS) return 'expired'
  return mailbox.declinedAt === undefined ? 'pending' : 'declined'
}
