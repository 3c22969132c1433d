/** Outbound mail as tasks, relay and operator process it. */
import type { Transaction } from '../../store/types.js'
import type { RecordReport } from '../delivery/bounce-intake.js'
import type { LocalDelivery } from '../delivery/deliver.js'
import type { Notice } from '../delivery/notice.js'
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
  raw: Buffer
  /** Recipients whose delay was reported to the author. */
  toldOfDelay?: string[] | undefined
}

/** Delivery state, without content. */
export type Progress = Pick<Message, 'status' | 'recipients' | 'sent_at' | 'updated_at'>

export interface OutboundMail {
  /** The `check` task: asks the guard and moves the message on. Does nothing if it is gone or decided. */
  runCheck(mailboxId: string, messageId: string): Promise<void>
  /**
   * The `scheduled` task: releases a due message, or cancels it if it may not be sent any more.
   *
   * @returns when to retry, if it has to wait
   */
  runScheduled(mailboxId: string, messageId: string): Promise<'done' | { retryAt: number }>
  /** Locks the message against cancellation while delivering. @returns unlocks it */
  beginDelivery(messageId: string): Promise<() => void>
  /** Runs `fn` while no delivery of the message can start. @param fn gets true if a delivery is running */
  keepDeliveries<T>(messageId: string, fn: (isLeaving: boolean) => Promise<T>): Promise<T>
  /** A message to deliver; undefined if gone, not released, or finished. */
  message(mailboxId: string, messageId: string): Promise<OutboundMessage | undefined>
  /** Marks the message `sending` once, for a long first attempt; `recordAttempt` does it otherwise. */
  startSending(mailboxId: string, messageId: string): Promise<void>
  /**
   * Records an attempt, updates the status and emits `message.status`; the first attempt also emits `sending`. Idempotent for ended recipients.
   *
   * @param how `begunAt`: start of the attempt, now by default. `untried`: recipients only wait longer or are given up; no attempt is counted. `notice`: added
   * to the thread in the same commit, if anything changed. `deliveries`: local copies, stored in the same commit unless their recipients have ended. `follow`:
   * queues follow-up work in the same commit, if anything changed. `accountId`: of the mailbox, as `outbound` returned it. `finishes`: the relay task to remove
   * in the same commit if nothing is left of it
   */
  recordAttempt(
    mailboxId: string,
    messageId: string,
    results: RecipientResult[],
    how?: {
      begunAt?: number
      untried?: boolean
      notice?: Notice | undefined
      deliveries?: LocalDelivery[] | undefined
      follow?: ((tx: Transaction) => void) | undefined
      accountId?: string | null | undefined
      finishes?: string | undefined
    },
  ): Promise<Progress>
  /** Undefined for unknown outbound messages. */
  envelope(mailboxId: string, messageId: string): Promise<Envelope | undefined>
  /**
   * Shows the sender that recipients of a domain are held by the operator. Idempotent.
   *
   * @returns number of recipients; 0 if the message is gone or not with the relay. So do the next two
   */
  recordHold(mailboxId: string, messageId: string, domain: string): Promise<number>
  recordRelease(mailboxId: string, messageId: string, domain: string, nextAttemptAt: number): Promise<number>
  /** Bounces remaining recipients of a domain without an attempt, and removes its task. @param why shown to the sender; "deleted by the operator" by default */
  recordDeletion(mailboxId: string, messageId: string, domain: string, why?: string): Promise<number>
  recordReport: RecordReport
}
