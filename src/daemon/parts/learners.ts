/** Teaches the guard from review decisions; the same one may come twice. */
import type { Correction } from '../../guard/verdict/correction.js'
import type { Reviewed } from '../../mailbox/review/decided.js'

export function learnerOf({
  correction,
}: {
  correction: Pick<Correction, 'learn'>
}): (review: Reviewed) => Promise<void> {
  return async ({ accountId, messageId, decision, subject, at, isTrial }) => {
    // Tests with the simulator are written to be held.
    if (accountId !== null && !isTrial) await correction.learn({ accountId, messageId, decision, subject, at })
  }
}
