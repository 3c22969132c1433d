/** Who learns from what staff decide about held mail: the count of its account, and the correction of the guard. Each may be told twice. */
import type { Accounts } from '../accounts/types.js'
import type { Correction } from '../guard/correction.js'
import type { Reviewed } from '../mailbox/reviewing.js'

export interface LearnersDeps {
  accounts: Pick<Accounts, 'countReview'>
  correction: Pick<Correction, 'learn'>
}

export function learnersOf({ accounts, correction }: LearnersDeps): ((review: Reviewed) => Promise<void>)[] {
  return [count, learn].map((tell) => async (review) => {
    // What is tried out on the simulator speaks neither for its account nor against it, and is written to be held.
    if (review.accountId !== null && !review.isTrial) await tell({ ...review, accountId: review.accountId })
  })

  async function count({ accountId, messageId, decision, blockedAt }: Told): Promise<void> {
    await accounts.countReview(accountId, { messageId, approved: decision === 'approve', blockedAt })
  }

  async function learn({ accountId, messageId, decision, subject, at }: Told): Promise<void> {
    await correction.learn({ accountId, messageId, decision, subject, at })
  }
}

type Told = Reviewed & { accountId: string }
