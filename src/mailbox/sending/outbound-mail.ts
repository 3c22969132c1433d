/** Mail on its way out, as the tasks, the relay and the operator move it on. */
import type { Transaction } from '../../store/types.js'
import type { RecordReport } from '../delivery/bounce-intake.js'
import type { LocalDelivery } from '../delivery/deliver.js'
import type { Notice } from '../delivery/notice.js'
import type { Message, MessageStatus, Recipient, RecipientStatus } from '../objects/objects.js'

/** How one try at one recipient went. */
export interface RecipientResult {
  address: string
  status: Extract<RecipientStatus, 'delivered' | 'deferred' | 'bounced'>
  smtpCode: number | null
  detail: string
  /** Milliseconds since the epoch; null when there is no next try. */
  nextAttemptAt: number | null
}

/** What an operator may see of a message that is sent: nothing of its content. Times are milliseconds since the epoch. */
export interface Envelope {
  messageId: string
  mailboxId: string
  from: string
  status: MessageStatus
  sizeBytes: number
  recipients: Recipient[]
  /** Number of the event that told of it first. */
  firstEvent: number
  createdAt: number
  sentAt: number | null
}

/** What the relay needs to deliver a message. */
export interface OutboundMessage {
  message: Message
  /** Whose mailbox it is of; null when nobody's. */
  accountId: string | null
  raw: Buffer
  /** Recipients of whose delay its author has a notice. Missing when there is none. */
  toldOfDelay?: string[] | undefined
}

/** How far a message has come; its content is not read for that. */
export type Progress = Pick<Message, 'status' | 'recipients' | 'sent_at' | 'updated_at'>

/** Moves messages on that were accepted to be sent. */
export interface OutboundMail {
  /** The `check` task: asks the guard and moves the message on. Nothing, of one that is gone or was moved on. */
  runCheck(mailboxId: string, messageId: string): Promise<void>
  /**
   * The `scheduled` task: lets a message go whose time has come, or cancels it when it may not go any more. One that is gone has nothing left to do.
   *
   * @returns when it is to be looked at again, if it has to wait
   */
  runScheduled(mailboxId: string, messageId: string): Promise<'done' | { retryAt: number }>
  /** Before a delivery looks at the message, so that it is not cancelled meanwhile. @returns ends that */
  beginDelivery(messageId: string): Promise<() => void>
  /** Runs `fn` while no delivery of the message begins. @param fn gets whether one is at work already */
  keepDeliveries<T>(messageId: string, fn: (isLeaving: boolean) => Promise<T>): Promise<T>
  /** A message the relay may deliver; undefined when it is gone, is not let go, or nobody is left to deliver it to. */
  message(mailboxId: string, messageId: string): Promise<OutboundMessage | undefined>
  /** Marks the message `sending`, once; for a first try that takes long. `recordAttempt` does it by itself. */
  startSending(mailboxId: string, messageId: string): Promise<void>
  /**
   * Writes down how a try went, moves the message's status, and tells of it with a `message.status` event; of the first try with one for
   * `sending` before it. Idempotent for ended recipients.
   *
   * @param how `begunAt`: when the try began, now when not given. `untried`: nothing was tried, the recipients only wait for longer or are
   *   given up; no attempt is counted. `notice` joins the message's thread in the same commit, when there is something new. `deliveries`:
   *   copies for mailboxes here, stored in the same commit unless their recipients have ended meanwhile. `follow`: queues in the same commit what
   *   follows from it, where it changes something. `accountId`: of the mailbox, as `outbound` told it, which saves a look. `finishes`: id of the relay's task when nothing is left of it, which goes in the same commit
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
  /** Undefined when there is no such outbound message. */
  envelope(mailboxId: string, messageId: string): Promise<Envelope | undefined>
  /**
   * Tells the sender that what is left of a domain is held by the operator: no next try. The same again changes nothing.
   *
   * @returns how many recipients it is about; 0 when the message is gone or not (any more) with the relay. So do the next two
   */
  recordHold(mailboxId: string, messageId: string, domain: string): Promise<number>
  recordRelease(mailboxId: string, messageId: string, domain: string, nextAttemptAt: number): Promise<number>
  /** Ends what is left of a domain as bounced, without a try, and its task. @param why for its sender; that the operator deleted it when not given */
  recordDeletion(mailboxId: string, messageId: string, domain: string, why?: string): Promise<number>
  recordReport: RecordReport
}
