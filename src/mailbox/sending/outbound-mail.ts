/** Outbound mail as tasks, relay and operator process it. */
import type { AccountRecord } from '../../accounts/types.js'
import type { Message, MessageStatus, Recipient, RecipientStatus } from '../objects/objects.js'

/** Result of one attempt for one recipient. */
export interface RecipientResult {
  address: string
  status: Extract<RecipientStatus, 'delivered' | 'deferred' | 'bounced'>
  smtpCode: number | null
  detail: string
  /** Null: no further attempt. */
  nextAttemptAt: number | null
}

/** The operator's view of a message, without content. Times are milliseconds since the epoch. */
export interface Envelope {
  messageId: string
  mailboxId: string
  from: string
  status: MessageStatus
  sizeBytes: number
  recipients: Recipient[]
  firstEvent: number
  createdAt: number
  sentAt: number | null
}

export interface OutboundMessage {
  message: Message
  /** Owner of the mailbox; null if none. */
  accountId: string | null
  /** Status of the owner; missing if there is none. */
  accountStatus?: AccountRecord['status'] | undefined
  raw: Buffer
  /** It was accepted before the mailbox was paused, and waits. */
  isPaused?: true
  /** Recipients whose delay was reported to the author. */
  toldOfDelay?: string[] | undefined
}

/** Delivery state, without content. */
export type Progress = Pick<Message, 'status' | 'recipients' | 'sent_at' | 'updated_at'>
