/** Send requests and their answers. */
import type { Note } from '../../audit/types.js'
import type { Category, Decision, GuardReason } from '../../guard/types.js'
import type { Asker } from '../../lib/thread-pool.js'
import type { AskedDsn } from '../../mime/dsn-request.js'
import type { Address } from '../../mime/types.js'
import type { MessageStatus } from '../objects/objects.js'
import type { Requester } from '../draft.js'
import type { ShownReview } from '../objects/draft-object.js'

export interface SendAttachment {
  filename: string
  contentType: string
  content: Buffer
  contentId?: string | undefined
}

/** Only over TLS to authenticated servers that promise the same (RFC 8689). Undefined, not false, so that retries compare equal. */
type RequireTls = true | undefined

/** False: without the mailbox's signature. Undefined otherwise, for the same reason. */
type Signed = false | undefined

/** Delivery in clear is preferred to none (`TLS-Required: No`, RFC 8689 §4). */
type AnyTls = true | undefined

/** Scheduled time, 1 minute to 30 days ahead; milliseconds since the epoch. */
type SendAt = number | undefined

/** A send request. Addresses are already parsed (`parseAddressList` in mime/). */
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
  /** One of the mailbox's addresses; its first one by default, in a reply the one that was written to. */
  from?: Address | undefined
  signature?: Signed
  anyTls?: AnyTls
}

export interface ReplyRequest {
  text: string
  html: string | null
  attachments: SendAttachment[]
  all: boolean
  requireTls?: RequireTls
  sendAt?: SendAt
  from?: Address | undefined
  signature?: Signed
  anyTls?: AnyTls
}

export interface ForwardRequest {
  to: Address[]
  cc: Address[]
  bcc: Address[]
  text: string
  includeAttachments: boolean
  /** That of the original by default: its author's requirement covers the content. */
  requireTls?: boolean | undefined
  sendAt?: SendAt
  from?: Address | undefined
  signature?: Signed
  anyTls?: AnyTls
}

/** A message as a mail program wrote it (RFC 6409). */
export interface Submission {
  raw: Buffer
  /** Envelope recipients. */
  recipients: string[]
  requireTls?: RequireTls
  /** Notices of its delivery (RFC 3461). */
  dsn?: AskedDsn | undefined
  /** From the null reverse-path: only for a receipt that a program sends for its reader (RFC 8098). */
  nullSender?: boolean | undefined
  /** Not to be sent before (RFC 4865). */
  holdUntil?: number | undefined
  /** The Received field for a message with this id. */
  received: (messageId: string, now: number) => string
}

export interface SendOptions {
  /** Who sends, and whether all that they send waits for the human's approval. */
  by?: (Requester & { requiresApproval: boolean }) | undefined
  /** The request itself asks for approval. */
  requiresApproval?: true | undefined
  /** The human sends a draft: exactly this revision. Only for the pages of its owner. `isOwn`: they wrote it, so no agent is told of an approval. */
  approved?: { revision: number; isOwn?: true } | undefined
  /** Mail without a time of its own waits this long, so that it can be taken back. */
  undoMs?: number | undefined
  /** The same key and request within 24 h return the first answer; nothing is sent twice. */
  idempotencyKey?: string | undefined
  /** Returns what would happen and stores nothing. */
  dryRun?: boolean | undefined
  requestId?: string | undefined
  /** Entry of the audit log, written with the message. */
  note?: Pick<Note, 'write'> | undefined
  /** Waits for work in threads; the mailbox's account by default. */
  asker?: Asker | undefined
}

/** Present and well-formed fields of a request. */
export type RequestFields = {
  [F in 'from' | 'to' | 'cc' | 'bcc' | 'labels' | 'attachments' | 'text' | 'html' | 'sendAt']?:
    SendRequest[F] | undefined
}

export type Accepted = { id: string; thread_id: string; status: MessageStatus }

/** The message became a draft that waits for the human's approval. */
export interface Waiting {
  id: string
  object: 'draft'
  mailbox_id: string
  thread_id: string | null
  revision: number
  review: ShownReview
}

export interface DryRun {
  dry_run: true
  decision: Decision
  category: Category
  scores: Partial<Record<Category, number>>
  reasons: GuardReason[]
  new_recipients: string[]
  new_recipients_left: number
  require_tls: boolean
  /** It would become a draft that waits for the human. */
  requires_approval: boolean
}
