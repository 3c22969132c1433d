/** What was decided about a message that was handed in to be sent; told once its commit is through, for the log and for counts. */
import type { GuardVerdict } from '../../guard/types.js'
import type { MessageStatus } from '../objects/objects.js'

export interface DecisionMade {
  messageId: string
  mailboxId: string
  /** `checking` and `scheduled`: it is decided later, and told of again. */
  status: MessageStatus
  recipients: number
  /** The guard's category and the codes of its reasons; null while it has not decided. Their details may quote the message and are not in it. */
  check: { category: string; codes: string[] } | null
  /** Of the call that handed it in; undefined when its time has come, or others were asked. */
  requestId?: string | undefined
}

export function codesOf({ category, reasons }: Pick<GuardVerdict, 'category' | 'reasons'>): DecisionMade['check'] {
  return { category, codes: reasons.map(({ code }) => code) }
}

export type OnDecision = (made: DecisionMade) => void
