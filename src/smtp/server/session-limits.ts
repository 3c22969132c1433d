/** Limits of one session, since its last message. Those of a client over all its sessions are in mx/intake/client-limits.ts. */
import type { Refusal } from '../replies.js'
import { TOO_MANY_COMMANDS, TOO_MANY_ERRORS, TOO_MANY_TRANSACTIONS, TOO_MANY_UNKNOWN } from './refusals.js'

/** 0 is no limit. */
export interface SessionLimits {
  badRecipients: number
  /** Since the last accepted message. */
  commandErrors: number
  transactions: number
}

export const NO_SESSION_LIMITS: SessionLimits = { badRecipients: 0, commandErrors: 0, transactions: 0 }

export type SessionCounts = ReturnType<typeof countSession>

/** Max commands of a session without a message. */
const MAX_COMMANDS_WITHOUT_MAIL = 10_000
/** Syntax, unknown commands, bad sequence, bad parameters (RFC 5321 §4.2.2); other refusals have their own counters. */
const ERROR_CODES = new Set([500, 501, 502, 503, 504, 553, 555])

/** Session steps are reported here; a returned refusal replaces any other reply. */
export function countSession(limits: SessionLimits) {
  let bad = 0
  let errors = 0
  let commands = 0
  let transactions = 0
  return {
    mail(): Refusal | undefined {
      return limits.transactions > 0 && ++transactions > limits.transactions ? TOO_MANY_TRANSACTIONS : undefined
    },
    recipientUnknown(): Refusal | undefined {
      return limits.badRecipients > 0 && ++bad > limits.badRecipients ? TOO_MANY_UNKNOWN : undefined
    },
    messageAccepted(): void {
      errors = 0
      commands = 0
    },
    replied(code: number): Refusal | undefined {
      if (code === 421) return undefined
      if (++commands > MAX_COMMANDS_WITHOUT_MAIL) return TOO_MANY_COMMANDS
      if (limits.commandErrors === 0 || !ERROR_CODES.has(code)) return undefined
      return ++errors >= limits.commandErrors ? TOO_MANY_ERRORS : undefined
    },
  }
}
