/** Teaches the guard by the decisions of reviewers. It may be told of one twice. */
import type { Correction } from '../../guard/verdict/correction.js'
import type { Reviewed } from '../../mailbox/review/decided.js'

export function learnerOf({
  correction,
}: {
  correction: Pick<Correction, 'learn'>
}): (review: Reviewed) => Promise<void> {
  return async ({ accountId, messageId, decision, subject, at, isTrial }) => {
    // What is tried out on the simulator is written to be held.
    if (accountId !== null && !isTrial) await correction.learn({ accountId, messageId, decision, subject, at })
  }
}
