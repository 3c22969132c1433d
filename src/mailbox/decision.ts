/** What was decided about a message that was handed in to be sent; told once its commit is through, for the log and for counts. */
import type { MessageStatus } from './objects.js'

export interface DecisionMade {
  messageId: string
  mailboxId: string
  /** `checking` and `scheduled`: it is decided later, and told of again. */
  status: MessageStatus
  recipients: number
  /** Of the call that handed it in; undefined when its time has come, or others were asked. */
  requestId?: string | undefined
}

export type OnDecision = (made: DecisionMade) => void
