/** Daily mail to the reviewers while a held message waits too long. */
import type { Letter, Letters } from '../accounts/letters.js'
import { HOUR, utcDay, type Clock } from '../lib/clock.js'
import { sha256Hex } from '../lib/ids.js'
import type { Reviewing } from '../mailbox/review/review.js'

/** In UTC: before the working day in Europe, and at night in America. */
export const REMINDER_SCHEDULE = '11 6 * * *'

export interface ReviewReminderDeps {
  reviewing: Pick<Reviewing, 'counts' | 'oldest'>
  letters: Pick<Letters, 'post'>
  /** Email addresses of the staff, or of the operator if there is none. */
  to: readonly string[]
  /** Wait of a message before the first reminder; 0: no reminders. */
  afterMs: number
  /** Without a slash at its end. */
  baseUrl: string
  clock: Clock
}

/** @returns a function that sends today's mail, idempotent, and returns the number sent */
export function createReviewReminder(deps: ReviewReminderDeps): () => Promise<{ letters: number }> {
  const { reviewing, letters, to, afterMs, baseUrl, clock } = deps
  return async () => {
    const now = clock.now()
    const oldest = await reviewing.oldest()
    if (afterMs === 0 || oldest === undefined || now - oldest < afterMs) return { letters: 0 }
    const { held } = await reviewing.counts()
    for (const address of to) {
      const id = `review-reminder:${utcDay(now)}:${sha256Hex(address).slice(0, 16)}`
      await letters.post(id, { to: address, ...words(held, Math.floor((now - oldest) / HOUR), baseUrl) })
    }
    return { letters: to.length }
  }
}

function words(held: number, hours: number, baseUrl: string): Pick<Letter, 'subject' | 'parts'> {
  const { host } = new URL(baseUrl)
  const messages = held === 1 ? '1 message waits' : `${held} messages wait`
  return {
    subject: `${messages} for review at ${host}`,
    parts: [
      {
        kind: 'text',
        text: `The check of outgoing mail at ${host} was not sure: ${messages} for a decision, the oldest for ${hours} hours. Nothing is sent until then.`,
      },
      { kind: 'link', label: 'Open the review', url: `${baseUrl}/signin?next=%2Fstaff%2Freview` },
      { kind: 'text', text: 'On the server, "restante review list" shows the same.' },
    ],
  }
}
