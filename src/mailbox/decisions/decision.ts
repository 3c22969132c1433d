/** A decision about a message submitted for sending, reported after its commit for logs and metrics. */
import type { GuardVerdict } from '../../guard/types.js'
import type { MessageStatus } from '../objects/objects.js'

export interface DecisionMade {
  messageId: string
  mailboxId: string
  /** `checking` and `scheduled` are decided and reported later. */
  status: MessageStatus
  recipients: number
  /** The guard's category and reason codes; null before its decision. Details may quote the message and are left out. */
  check: { category: string; codes: string[] } | null
  requestId?: string | undefined
}

export function codesOf({ category, reasons }: Pick<GuardVerdict, 'category' | 'reasons'>): DecisionMade['check'] {
  return { category, codes: reasons.map(({ code }) => code) }
}

export type OnDecision = (made: DecisionMade) => void
