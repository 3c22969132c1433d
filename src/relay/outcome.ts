/** How it went for one recipient of one attempt, before the retry schedule is applied. */
import { oneLine } from '../lib/text.js'

export type Outcome =
  | { kind: 'delivered'; smtpCode: number | null; detail: string }
  /** May work later. */
  | { kind: 'deferred'; smtpCode: number | null; detail: string }
  /** Will not work, whenever it is tried. */
  | { kind: 'failed'; smtpCode: number | null; detail: string }

/** By recipient address, as written in the message's list of recipients. */
export type Outcomes = Map<string, Outcome>

export function sameForAll(recipients: string[], outcome: Outcome): Outcomes {
  return new Map(recipients.map((recipient) => [recipient, outcome]))
}

const MAX_DETAIL_CHARS = 500

/** A reply of a stranger's server, as it may stand in a record: one line, no control characters, bounded. */
export function replyLine(reply: string): string {
  return oneLine(reply).slice(0, MAX_DETAIL_CHARS)
}
