/** A letter a day to those who review, while a message waits longer than it should: its sender's work waits with it. */
import type { Letter, Letters } from '../accounts/letters.js'
import { HOUR, utcDay } from '../lib/clock.js'
import type { Clock } from '../lib/clock.js'
import { sha256Hex } from '../lib/ids.js'
import type { Reviewing } from '../mailbox/review/review.js'

/** In UTC: before the working day of Europe, and within the night of America. */
export const REMINDER_SCHEDULE = '11 6 * * *'

export interface ReviewReminderDeps {
  reviewing: Pick<Reviewing, 'counts' | 'oldest'>
  letters: Pick<Letters, 'post'>
  /** Emails of the staff, or of the operator where there is none. */
  to: readonly string[]
  /** How long a message may wait before anybody is reminded; 0 is for ever. */
  afterMs: number
  /** Without a slash at its end. */
  baseUrl: string
  clock: Clock
}

/** @returns writes the letters of today, once however often it is called; and how many */
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
        text: `The check of outgoing mail at ${host} was not sure: ${messages} for a person, the first for ${hours} hours. Nothing of it is sent until then.`,
      },
      { kind: 'link', label: 'Open the review', url: `${baseUrl}/signin?next=%2Fstaff%2Freview` },
      { kind: 'text', text: 'On the server, "restante review list" shows the same.' },
    ],
  }
}
