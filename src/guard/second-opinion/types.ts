/** What is asked of others about a message of which the own classifier is not sure. */
import type { Category, GuardReason, GuardSubject, RawMessage } from '../types.js'

export interface Question {
  subject: GuardSubject
  /** Missing of what is no message yet, such as the note of an invite. */
  message?: RawMessage | undefined
}

export interface Opinion {
  category: Category
  /** How likely it is that a person should look at the message before it leaves, 0 to 1. */
  risk: number
  /** The first says who thinks what. */
  reasons: GuardReason[]
}

export type Answer =
  | { state: 'opinion'; opinion: Opinion }
  /** It had no part in this, and nothing is missing. */
  | { state: 'not_asked' }
  | { state: 'no_answer'; why: string }

/** Somebody else who is asked. */
export interface Adviser {
  /** As reasons and metrics call it. */
  name: string
  /** Never throws, and answers within its time limit. */
  ask(question: Question): Promise<Answer>
  /** Ends the connections that nobody uses. */
  close(): void
}
