/** Outcome of an attempt for one recipient, before the retry schedule. */
import { oneLine } from '../lib/text.js'

export type Outcome =
  /** `confirms`: what a requested confirmation says; missing where the next server sends it (RFC 3461 §5.2). */
  | { kind: 'delivered'; smtpCode: number | null; detail: string; confirms?: 'delivered' | 'relayed' }
  | { kind: 'deferred'; smtpCode: number | null; detail: string }
  /** Permanent. */
  | { kind: 'failed'; smtpCode: number | null; detail: string }

export type Outcomes = Map<string, Outcome>

export function sameForAll(recipients: string[], outcome: Outcome): Outcomes {
  return new Map(recipients.map((recipient) => [recipient, outcome]))
}

/** For log lines. */
export function replyFields({ kind, smtpCode, detail }: Outcome) {
  return { status: kind, code: smtpCode, detail }
}

const MAX_DETAIL_CHARS = 500

/** A stranger's reply as stored: one line, no control characters, bounded. */
export function replyLine(reply: string): string {
  return oneLine(reply).slice(0, MAX_DETAIL_CHARS)
}
