/** What the guard learns from what staff decide about held mail. It may be told twice. */
import type { Correction } from '../guard/correction.js'
import type { Reviewed } from '../mailbox/reviewing.js'

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
