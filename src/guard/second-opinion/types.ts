/** Second opinions on messages that the embedded classifier is not sure about. */
import type { Category, GuardReason, GuardSubject, RawMessage } from '../types.js'

export interface Question {
  subject: GuardSubject
  /** Missing when there is no message yet, as for the note of an invite. */
  message?: RawMessage | undefined
}

export interface Opinion {
  category: Category
  /** Probability that staff should review the message before it is sent, 0 to 1. */
  risk: number
  /** The first names the adviser and its opinion. */
  reasons: GuardReason[]
}

export type Answer =
  | { state: 'opinion'; opinion: Opinion }
  /** The adviser had no part in this, and nothing is missing. */
  | { state: 'not_asked' }
  | { state: 'no_answer'; why: string }

export interface Adviser {
  name: string
  /** Never throws; responds within its time limit. */
  ask(question: Question): Promise<Answer>
  close(): void
}
