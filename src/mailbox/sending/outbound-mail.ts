/** Outbound mail as tasks, relay and operator process it. */
import type { AccountRecord } from '../../accounts/types.js'
import type { DsnRequest } from '../../mime/dsn-request.js'
import type { Message, MessageStatus, Recipient, RecipientStatus } from '../objects/objects.js'

/** Result of one attempt for one recipient. */
export interface RecipientResult {
  address: string
  status: Extract<RecipientStatus, 'delivered' | 'deferred' | 'bounced'>
  smtpCode: number | null
  detail: string
  /** What a confirmation of the delivery says, if its recipient's author asked for one; missing where the next server sends it. */
  confirms?: 'delivered' | 'relayed' | undefined
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
  /** Notices that its author's program asked for. */
  dsn?: DsnRequest | undefined
  /** It is sent from the null reverse-path, and nothing that becomes of it is told to its author. */
  hasNullSender?: boolean | undefined
}

/** Delivery state, without content. */
export type Progress = Pick<Message, 'status' | 'recipients' | 'sent_at' | 'updated_at'>
