/** Reports decisions to learners after the commit; may repeat. */
import type { Accounts } from '../../accounts/types.js'
import type { Log } from '../../observe/log.js'
import type { Store } from '../../store/types.js'
import type { OwnDomain } from '../decisions/counted-outcomes.js'
import { reviewedOf, type Reviewed } from './decided.js'
import type { ReviewReading, ReviewReadingDeps } from './reading.js'
import { REVIEW_PARTITION, untoldKey, type ReviewRow } from './rows.js'

export interface ReviewEndsDeps {
  store: Store
  accounts: Pick<Accounts, 'get'>
  reading: Pick<ReviewReading, 'find'>
  subjectOf: ReviewReadingDeps['subjectOf']
  isLocalDomain: OwnDomain
  onReviewed?: ((review: Reviewed) => Promise<void>) | undefined
  log: Pick<Log, 'error'>
}

export type ReviewEnds = ReturnType<typeof createReviewEnds>

export function createReviewEnds(deps: ReviewEndsDeps) {
  const { store, accounts, reading, subjectOf, isLocalDomain, onReviewed, log } = deps
  return {
    /** Never rejects: failures stay marked and are retried later. */
    async tell(row: ReviewRow): Promise<void> {
      try {
        const message = await reading.find(row.mailboxId, row.messageId)
        const account = row.accountId === null ? undefined : await accounts.get(row.accountId)
        if (message && onReviewed) {
          const subject = await subjectOf(row.mailboxId, message, account?.trust ?? 0)
          await onReviewed(reviewedOf(row, message, subject, isLocalDomain))
        }
        await store.write(REVIEW_PARTITION, (tx) => tx.delete(untoldKey(row.id)))
      } catch (err) {
        log.error(
          { err, review_id: row.id, message_id: row.messageId },
          'a review could not be learned from; it is tried again',
        )
      }
    },
  }
}
