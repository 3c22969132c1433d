/** What a request to send asks, and what it is answered. */
import type { Category, Decision, GuardReason } from '../../guard/types.js'
import type { Asker } from '../../lib/thread-pool.js'
import type { Address } from '../../mime/types.js'
import type { Message, MessageStatus } from '../objects/objects.js'

export interface SendAttachment {
  filename: string
  contentType: string
  content: Buffer
  contentId?: string | undefined
}

/** Only over TLS to genuine servers that promise the same (RFC 8689). Left out when it is not asked for, so that a retry is the request it was. */
type RequireTls = true | undefined

/** Without the mailbox's signature. Left out when it goes along, for the same reason. */
type Signed = false | undefined

/** Rather in the clear than not at all (`TLS-Required: No`, RFC 8689 §4). Left out when it is not asked for. */
type AnyTls = true | undefined

/** When it is to go, 1 minute to 30 days ahead; milliseconds since the epoch. Left out when it is to go at once. */
type SendAt = number | undefined

/** What an agent asks to be sent. Addresses are checked for form already (`parseAddressList` in mime/). */
export interface SendRequest {
  to: Address[]
  cc: Address[]
  bcc: Address[]
  replyTo: Address[]
  subject: string
  text: string
  html: string | null
  attachments: SendAttachment[]
  labels: string[]
  requireTls?: RequireTls
  sendAt?: SendAt
  /** One of the mailbox's own addresses; its first one when left out, in an answer the one that was written to. */
  from?: Address | undefined
  signature?: Signed
  anyTls?: AnyTls
}

export interface ReplyRequest {
  text: string
  html: string | null
  attachments: SendAttachment[]
  /** Answer everybody in To and Cc too. */
  all: boolean
  requireTls?: RequireTls
  sendAt?: SendAt
  /** One of the mailbox's own addresses; its first one when left out, in an answer the one that was written to. */
  from?: Address | undefined
  signature?: Signed
  anyTls?: AnyTls
}

export interface ForwardRequest {
  to: Address[]
  cc: Address[]
  bcc: Address[]
  text: string
  /** The original's attachments go along; true by default. */
  includeAttachments: boolean
  /** As the message that is forwarded when left out: who asked for TLS on the whole way meant what the message says. */
  requireTls?: boolean | undefined
  sendAt?: SendAt
  /** One of the mailbox's own addresses; its first one when left out, in an answer the one that was written to. */
  from?: Address | undefined
  signature?: Signed
  anyTls?: AnyTls
}

export interface SendOptions {
  /** Same key and same request within 24 h: the first answer again, nothing sent twice. */
  idempotencyKey?: string | undefined
  /** Say what would happen and store nothing. */
  dryRun?: boolean | undefined
  /** Of the call, for the log. */
  requestId?: string | undefined
  /** Who waits for the answer, for work in threads; the account of the mailbox when not given. */
  asker?: Asker | undefined
}

/** Fields of what is to be sent, as far as they are there and well-formed. */
export type RequestFields = {
  [F in 'from' | 'to' | 'cc' | 'bcc' | 'labels' | 'attachments' | 'text' | 'html' | 'sendAt']?:
    SendRequest[F] | undefined
}

export type Accepted = { id: string; thread_id: string; status: MessageStatus }

export interface DryRun {
  dry_run: true
  decision: Decision
  category: Category
  scores: Partial<Record<Category, number>>
  reasons: GuardReason[]
  new_recipients: string[]
  new_recipients_left: number
  require_tls: boolean
}

/** Sending mail, and taking it back. */
export interface Sending {
  /**
   * What sending would refuse the fields of a request for, and nothing else: for one that is wrong already. Does nothing.
   *
   * @throws ServiceError `invalid_request`, `payload_too_large`
   */
  check(mailboxId: string, given: RequestFields): Promise<void>
  send(mailboxId: string, request: SendRequest, options: SendOptions): Promise<Accepted | DryRun>
  reply(mailboxId: string, messageId: string, request: ReplyRequest, options: SendOptions): Promise<Accepted | DryRun>
  /**
   * Sends a draft: the same checks, and it is gone in the commit in which the message is there.
   *
   * @throws ServiceError `not_found` for one that is gone, `invalid_request` for one that can't be sent as it is
   */
  sendDraft(mailboxId: string, draftId: string, options: SendOptions): Promise<Accepted | DryRun>
  forward(
    mailboxId: string,
    messageId: string,
    request: ForwardRequest,
    options: SendOptions,
  ): Promise<Accepted | DryRun>
  /**
   * Cancels a message that has not left. One that is cancelled stays so.
   *
   * @throws ServiceError `not_found`, `too_late`
   */
  cancel(mailboxId: string, messageId: string): Promise<Message>
}
