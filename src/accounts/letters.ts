/** Mail from the service to humans: invites, and notices about their account. Content only; layout and sending are elsewhere. */
import type { LetterPart } from '../mime/compose/letter.js'
import type { Transaction } from '../store/types.js'

export type { LetterPart }

/** All text is plain; the layout escapes it. */
export interface Letter {
  to: string
  subject: string
  parts: LetterPart[]
  /** URL for one-click unsubscribing in the mail client (RFC 8058). */
  unsubscribeUrl?: string
  /**
   * Sent with the null reverse-path (RFC 5321 §4.5.5), so that no server returns it: a bounce would bring its secret link to whoever reads the mail of
   * the operator.
   */
  hasNullSender?: boolean
  /** Time after which it is useless and is not tried any more. */
  notAfter?: number
}

export interface Letters {
  /** True if mail can reach this address: without outgoing mail, only the server's own mailboxes. Callers check it first to respond accordingly. */
  canReach(address: string): boolean
  /** True if the last letter to this address bounced within a week: the mailbox does not exist, or refuses these letters. */
  isRefused(address: string): Promise<boolean>
  /** Lays out a letter. @param id a new one, unlike that of `post` @returns a function that posts it within a transaction */
  compose(id: string, letter: Letter): Promise<(tx: Transaction) => void>
  /**
   * Resolves when the letter is durably queued. Idempotent by `id`, until a week after its delivery. A letter to an unreachable address is only
   * logged.
   */
  post(id: string, letter: Letter): Promise<void>
}
