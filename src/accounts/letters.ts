/** Mail of the service itself to humans: invites, words about their account. What a letter says; how it is laid out and sent is elsewhere. */
import type { LetterPart } from '../mime/compose/letter.js'
import type { Transaction } from '../store/types.js'

export type { LetterPart }

/** All text is plain; it is escaped where it is laid out. */
export interface Letter {
  to: string
  subject: string
  parts: LetterPart[]
  /** Where one click in the mail client says "no more of this" (RFC 8058). */
  unsubscribeUrl?: string
  /** When it is of no use any more: it is not tried after that. */
  notAfter?: number
}

export interface Letters {
  /**
   * Whether there is a way to this address: where no mail may leave the server, only to its own mailboxes. Who answers somebody asks first, and
   * says so.
   */
  canReach(address: string): boolean
  /** Whether the last letter to this address came back within a week: there is no such mailbox, or it wants none of them. */
  isRefused(address: string): Promise<boolean>
  /** Lays a letter out. @param id a new one, unlike that of `post` @returns a function that posts it within a transaction */
  compose(id: string, letter: Letter): Promise<(tx: Transaction) => void>
  /**
   * Resolves when the letter is sure to be sent, whatever crashes. Idempotent by `id`, for a week after it has arrived too. One to an address that
   * can't be reached goes nowhere but into the log.
   */
  post(id: string, letter: Letter): Promise<void>
}
