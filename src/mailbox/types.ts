/** What the faces and workers ask of the mailbox domain. */
import type { AuthenticationResults } from '../authentication/types.js'
import type { Category, Decision, GuardReason, SpamReason } from '../guard/types.js'
import type { IdPrefix } from '../lib/ids.js'
import type { Asker } from '../lib/thread-pool.js'
import type { Address, ParsedMessage } from '../mime/types.js'
import type { Transaction } from '../store/types.js'
import type { Draft, DraftSummary } from './objects/draft-object.js'
import type { EventFilter } from './objects/event-filter.js'
import type {
  Event,
  Message,
  MessagePart,
  MessageStatus,
  MessageSummary,
  Recipient,
  RecipientStatus,
  Thread,
  ThreadWithMessages,
  TrashedMessage,
} from './objects/objects.js'
import type { PartContent } from './objects/parts.js'
import type { Admission, ListEntry, MailboxSettings, Sender, SettingsChange, WhichList } from './objects/set-types.js'

/** The record of a mailbox, as stored under its partition. */
export interface MailboxRecord {
  id: string
  address: string
  status: 'pending' | 'claimed'
  /** When its claim was declined; missing while it was not. Until its day is over it is there for its key alone, without an address. */
  declinedAt?: number
  accountId: string | null
  claimId: string | null
  /** Further addresses that lead here; missing while there are none. */
  aliases?: Alias[]
  agentName: string | null
  displayName: string
  createdAt: number
  claimedAt: number | null
  /** Bytes of raw mail and of drafts it holds. */
  usedBytes: number
  messageCount: number
  /** Messages that wait for their time; missing where there never was one. */
  scheduledCount?: number
  /** Missing in one that never had a draft. */
  draftCount?: number
  sentCount: number
  receivedCount: number
  /** Counts of one UTC day (`YYYY-MM-DD`); of no meaning on another day. */
  today: { date: string; sent: number; received: number }
  /** Sequence number of its newest event; 0 when it has none. After a restore the number from which it goes on. */
  seq: number
  /** Numbers that restores passed over, those after `from` up to `to`, oldest first (mailbox/retention/continue-numbering.ts). Missing where nothing was restored. */
  jumps?: { from: number; to: number }[]
}

export interface EventQuery {
  /** 0 begins with the oldest that is kept. */
  after: number
  limit: number
  waitMs: number
  /** Everything fits without one. */
  filter?: EventFilter | undefined
  /** `skip`: where events after `after` are no longer kept, begins with the oldest that is. Refused otherwise. */
  gone?: 'refuse' | 'skip'
}

export interface EventPage {
  data: Event[]
  /** There are events past `next_after`; whether they fit is not looked at yet. */
  has_more: boolean
  /** `after` of the next call: the last event that was looked at, whether it fitted or not. */
  next_after: number
}

export interface Alias {
  address: string
  createdAt: number
}

export interface Delivery {
  mailboxId: string
  raw: Buffer
  parsed: ParsedMessage
  auth: AuthenticationResults | null
  virus: 'clean' | 'unscanned'
  spam: { score: number; verdict: 'ham' | 'spam'; reasons: SpamReason[] }
  /** Labels beside `inbox`, such as `spam`. */
  labels: string[]
  /** Reverse-path, '' for the null sender. */
  envelopeFrom: string
  /** A delivery with the same id is made once, whatever crashes: local mail from the queue has one, mail from outside has none. */
  deliveryId?: string
  /** The id that the message is to have, for work that was queued before it and names it. */
  messageId?: string
  /** Addresses of the envelope, of all mailboxes that get the message. */
  recipients?: string[]
  /** It may travel under TLS alone (RFC 8689). */
  requireTls?: boolean
  /** Writes what goes with the message, in the transaction that stores it; not for one that is there already. */
  also?: (tx: Transaction) => void
}

/** A message that is ready to be stored; a large one is on the disk already, and swept from there when it is not. */
export interface PreparedDelivery {
  mailboxId: string
  /** In a transaction for which the mailbox' partition was named. @throws ServiceError `quota_exceeded`, `not_found` when the mailbox is gone */
  store(tx: Transaction): Promise<Message>
}

/** A recipient's copy of a message from one mailbox here to another, with the addresses that lead there. */
export interface LocalDelivery {
  addresses: string[]
  delivery: PreparedDelivery
}

export interface Page {
  limit: number
  cursor?: string | undefined
}

export interface List<T> {
  data: T[]
  has_more: boolean
  next_cursor: string | null
}

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

/** A file of a draft that stays. */
export interface KeptAttachment {
  id: string
}

/** What is given of a draft; what is left out stays as it was. */
export interface DraftChange {
  to?: Address[] | undefined
  cc?: Address[] | undefined
  bcc?: Address[] | undefined
  replyTo?: Address[] | undefined
  subject?: string | undefined
  text?: string | undefined
  html?: string | null | undefined
  attachments?: (SendAttachment | KeptAttachment)[] | undefined
  labels?: string[] | undefined
  requireTls?: boolean | undefined
  /** When it is to go once it is sent; null: at once. */
  sendAt?: number | null | undefined
}

export interface NewDraft extends DraftChange {
  /** The message that it answers. */
  inReplyTo?: string | undefined
  /** Answer everybody in To and Cc too. */
  replyAll?: boolean | undefined
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

/** Who waits for what is read; without it the mailbox stands for itself. */
export interface ReadOptions {
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

export interface MessageChange {
  addLabels?: string[] | undefined
  removeLabels?: string[] | undefined
  unread?: boolean | undefined
}

/** What a change to many came to: those that are not there, or are in the trash, are named, and the others are changed. */
export interface BatchChange<T> {
  updated: T[]
  not_found: string[]
}

export type ChangedMessage = Pick<Message, 'id' | 'object' | 'thread_id' | 'labels' | 'unread'>

/** A message that is in the trash. Times as in `Message`. */
export interface DeletedMessage {
  id: string
  object: 'message'
  deleted: true
  thread_id: string
  deleted_at: string
  purge_at: string
}

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

/** What came back about a recipient after a message was handed over: a bounce, a notice of delay or delivery, a complaint. */
export interface RecipientReport {
  address: string
  kind: 'bounced' | 'delayed' | 'delivered' | 'complained'
  smtpCode: number | null
  detail: string
}

/** A message of this server itself to a mailbox. */
export interface Notice {
  raw: Buffer
  parsed: ParsedMessage
  /** Recipients of whose delay it tells: that is told once. */
  delayed: string[]
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

/** Which messages are meant: those that are all of it. */
export interface MessageFilter {
  /** A whole address, `@` and a domain, or words of a name or an address; `to` is Cc and Bcc too. */
  from?: string | undefined
  to?: string | undefined
  /** Words that stand in a row in the subject. */
  subject?: string | undefined
  label?: string | undefined
  direction?: 'inbound' | 'outbound' | undefined
  status?: MessageStatus | undefined
  hasAttachment?: boolean | undefined
  unread?: boolean | undefined
  /** Milliseconds since the epoch; at that time or after it. */
  after?: number | undefined
  /** Before that time. */
  before?: number | undefined
  threadId?: string | undefined
  /** Words, phrases and operators (mailbox/search/query.ts). */
  q?: string | undefined
  /** Spam is left out otherwise, unless the label `spam` is asked for, or a conversation of spam alone. */
  includeSpam?: boolean | undefined
}

export interface MessageQuery extends Page, MessageFilter {}

/** A conversation is meant when one of its messages is. */
export interface ThreadQuery extends Page, MessageFilter {}

export interface DownloadedAttachment extends Pick<Message['attachments'][number], 'scan' | 'risk'> {
  filename: string
  contentType: string
  sha256: string
  content: Buffer
}

/** How far a message has come; its content is not read for that. */
export type Progress = Pick<Message, 'status' | 'recipients' | 'sent_at' | 'updated_at'>

export interface HeldMessage {
  id: string
  threadId: string
  to: string[]
  subject: string
  heldAt: number
  reasons: GuardReason[]
}

/** An answer as it was given. */
export interface GivenAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** What the work of a request needs to be repeatable. */
export interface Making {
  /** An id for what this request makes: the same at each retry. The n-th call with a prefix gives the n-th id. */
  id(prefix: IdPrefix): string
  /** An earlier try under this key was cut off before its answer: what it made may be there, under its id, and nobody was told of it. */
  again: boolean
}

export interface OnceRequest {
  /** The caller's `Idempotency-Key`. */
  key: string
  /** Whatever a retry has to repeat. */
  request: unknown
  /** The answer shows what is stored nowhere: it is not kept, and a retry after it is refused. */
  isSecret: boolean
}

export type AnswerOnce = (
  mailboxId: string,
  request: OnceRequest,
  work: (making: Making) => Promise<GivenAnswer>,
) => Promise<GivenAnswer>

export interface Drafts {
  /** What is wrong with the fields of a draft or of a change, all of it. @throws ServiceError `invalid_request`, `payload_too_large` */
  check(change: DraftChange): void
  /**
   * One that answers a message has the recipients, the subject and the conversation of that answer where it names none itself.
   *
   * @throws ServiceError `not_found` for a message that there is not, `quota_exceeded`, `payload_too_large`, `invalid_request`, `idempotency_mismatch`
   */
  create(mailboxId: string, draft: NewDraft, options: { idempotencyKey?: string | undefined }): Promise<Draft>
  /** The newest first. */
  list(mailboxId: string, page: Page): Promise<List<DraftSummary>>
  get(mailboxId: string, draftId: string): Promise<Draft>
  /** What is not named stays. `attachments` is the whole list: files that stay are named by their ids. */
  update(mailboxId: string, draftId: string, change: DraftChange): Promise<Draft>
  /** @returns what it was */
  delete(mailboxId: string, draftId: string): Promise<Draft>
}

export interface Mailboxes {
  /** The mailbox an address delivers to: exact, `name+tag`, or an alias. Undefined when there is none; the address may have any case. */
  resolve(address: string): Promise<MailboxRecord | undefined>
  get(mailboxId: string): Promise<MailboxRecord | undefined>
  /** Whether `bytes` more would be over its quota (10 MiB while pending). */
  hasRoom(mailbox: MailboxRecord, bytes: number): boolean

  /** What the mailbox's lists say of mail from this sender. */
  admission(mailboxId: string, sender: Sender): Promise<Admission>
  settings(mailboxId: string): Promise<MailboxSettings>
  /** An event `mailbox.updated` names what is new; the same again changes nothing. @throws ServiceError `invalid_request`, `not_found` */
  /** What changing them would refuse; does nothing. @throws ServiceError `invalid_request`, with all that is wrong */
  checkSettings(mailboxId: string, change: SettingsChange): Promise<void>
  changeSettings(
    mailboxId: string,
    change: SettingsChange,
  ): Promise<{ mailbox: MailboxRecord; settings: MailboxSettings }>
  /** In alphabetical order. @throws ServiceError `invalid_request` for a cursor of something else */
  listEntries(mailboxId: string, list: WhichList, page: Page): Promise<List<ListEntry>>
  /**
   * Idempotent by entry; the reason is replaced when one is given.
   *
   * @throws ServiceError `invalid_request` for what is no address or domain, for a reason that can't be, and past the length of a list
   */
  addEntry(
    mailboxId: string,
    list: WhichList,
    given: { entry: string; reason?: string | null | undefined },
  ): Promise<ListEntry & { isNew: boolean }>
  /** @throws ServiceError `not_found` */
  getEntry(mailboxId: string, list: WhichList, entry: string): Promise<ListEntry>
  /** @returns what was taken off @throws ServiceError `not_found` */
  removeEntry(mailboxId: string, list: WhichList, entry: string): Promise<ListEntry>

  /** Stores message, thread and event in one commit; resolves when they are on disk. @throws ServiceError `quota_exceeded` */
  deliver(delivery: Delivery): Promise<Message>
  /** The same up to its commit. @throws ServiceError `quota_exceeded` */
  prepareDelivery(delivery: Delivery): Promise<PreparedDelivery>

  /** Newest first. @throws ServiceError `invalid_request` when `q` can't be understood */
  listMessages(mailboxId: string, query: MessageQuery): Promise<List<MessageSummary>>
  /** Newest first: by the last message, or by the newest one that matches where a filter is about messages. */
  listThreads(mailboxId: string, query: ThreadQuery): Promise<List<Thread>>
  /** Without what is spam in it, unless `includeSpam` is set or all of it is. @throws ServiceError `not_found` */
  getThread(mailboxId: string, threadId: string, options?: { includeSpam?: boolean }): Promise<ThreadWithMessages>
  /** With `safeHtml` it has `html_safe` too, which is made at each reading. */
  getMessage(mailboxId: string, messageId: string, options?: ReadOptions & { safeHtml?: boolean }): Promise<Message>
  getRaw(mailboxId: string, messageId: string): Promise<Buffer>
  getAttachment(
    mailboxId: string,
    messageId: string,
    attachmentId: string,
    options?: ReadOptions,
  ): Promise<DownloadedAttachment>
  /** The text of an HTML file, without its links and images. */
  htmlText(mailboxId: string, content: Buffer, options?: ReadOptions): Promise<string>
  /** The MIME parts of the raw message, in order. */
  listParts(mailboxId: string, messageId: string, options?: ReadOptions): Promise<MessagePart[]>
  /** @param part number of a part that is no container @throws ServiceError `not_found` */
  getPart(
    mailboxId: string,
    messageId: string,
    part: number,
    options?: ReadOptions,
  ): Promise<PartContent & { scan: 'clean' | 'unscanned' | null }>
  updateMessage(mailboxId: string, messageId: string, change: MessageChange): Promise<Message>
  /** The same change to every message of the thread, in one commit. */
  updateThread(mailboxId: string, threadId: string, change: MessageChange): Promise<Thread>
  /** The same change to each of some messages, in one commit. */
  updateMessages(mailboxId: string, messageIds: string[], change: MessageChange): Promise<BatchChange<ChangedMessage>>
  /** The same change to every message of some threads; each thread is changed as a whole. */
  updateThreads(mailboxId: string, threadIds: string[], change: MessageChange): Promise<BatchChange<Thread>>

  /** Moves a message to the trash. One that is there stays as it is. @throws ServiceError `message_on_its_way` */
  deleteMessage(mailboxId: string, messageId: string): Promise<DeletedMessage>
  /** Brings it back to its thread, with its labels, its place and whether it was read. One that is not in the trash stays as it is. */
  restoreMessage(mailboxId: string, messageId: string): Promise<Message>
  /** The same for every message of a thread, in one commit. `message_count`: how many were moved. @throws ServiceError `message_on_its_way` */
  deleteThread(
    mailboxId: string,
    threadId: string,
  ): Promise<{ id: string; object: 'thread'; deleted: true; message_count: number }>
  /** Brings back every message of the thread that is in the trash, whenever it was deleted. */
  restoreThread(mailboxId: string, threadId: string): Promise<Thread>
  /** What is in the trash, what was deleted last first. */
  listTrash(mailboxId: string, page: Page): Promise<List<TrashedMessage>>
  /** Deletes for good what is in the trash. @throws ServiceError `not_found` when it is not there */
  purgeMessage(
    mailboxId: string,
    messageId: string,
  ): Promise<{ id: string; object: 'message'; deleted: true; permanent: true }>
  /** Deletes for good what was in the trash when it was called, the oldest first; at most some hundreds at once. */
  emptyTrash(mailboxId: string): Promise<{ deleted: number; has_more: boolean }>

  /**
   * Events past `after` that fit the filter, oldest first, at most `limit`. With `waitMs` it waits for the first one until then or until the
   * signal is aborted.
   *
   * @throws ServiceError `events_expired` with the oldest seq that is kept, when what follows `after` has gone; never for `after` 0
   */
  events(mailboxId: string, query: EventQuery, signal: AbortSignal): Promise<EventPage>

  /** Messages that wait for a human's review, the newest first; at most `limit`. Without their contents but for the subject. */
  listHeld(mailboxId: string, limit: number): Promise<HeldMessage[]>
  /** How many there are, counted up to `atMost`. */
  countHeld(mailboxId: string, atMost: number): Promise<number>
  /** When something last happened in the mailbox; undefined when nothing has within the time that events are kept. */
  lastActivity(mailboxId: string): Promise<number | undefined>

  /**
   * What sending would refuse the fields of a request for, and nothing else: for one that is wrong already. Does nothing.
   *
   * @throws ServiceError `invalid_request`, `payload_too_large`
   */
  checkRequest(mailboxId: string, given: RequestFields): Promise<void>
  send(mailboxId: string, request: SendRequest, options: SendOptions): Promise<Accepted | DryRun>
  reply(mailboxId: string, messageId: string, request: ReplyRequest, options: SendOptions): Promise<Accepted | DryRun>
  /**
   * Sends a draft: the same checks, and it is gone in the commit in which the message is there.
   *
   * @throws ServiceError `not_found` for one that is gone, `invalid_request` for one that can't be sent as it is
   */
  sendDraft(mailboxId: string, draftId: string, options: SendOptions): Promise<Accepted | DryRun>
  drafts: Drafts
  forward(
    mailboxId: string,
    messageId: string,
    request: ForwardRequest,
    options: SendOptions,
  ): Promise<Accepted | DryRun>

  /**
   * The `scheduled` task: lets a message go whose time has come, or cancels it when it may not go any more. One that is gone has nothing left to do.
   *
   * @returns when it is to be looked at again, if it has to wait
   */
  runScheduled(mailboxId: string, messageId: string): Promise<'done' | { retryAt: number }>
  /**
   * Cancels a message that has not left. One that is cancelled stays so.
   *
   * @throws ServiceError `not_found`, `too_late`
   */
  cancelMessage(mailboxId: string, messageId: string): Promise<Message>
  /** Before a delivery looks at the message, so that it is not cancelled meanwhile. @returns ends that */
  beginDelivery(messageId: string): Promise<() => void>
  /** Runs `fn` while no delivery of the message begins. @param fn gets whether one is at work already */
  keepDeliveries<T>(messageId: string, fn: (isLeaving: boolean) => Promise<T>): Promise<T>

  /**
   * Answers a request that makes something, once a key: the same again gets the first answer, and after a crash its work is done again under the same
   * ids. A second one waits while the first is at work.
   *
   * @throws ServiceError `idempotency_mismatch` for a key of another request, `secret_shown_once`, `not_found`, and what the work throws
   */
  answerOnce: AnswerOnce

  /** The `check` task: asks the guard and moves the message on. Nothing, of one that is gone or was moved on. */
  runCheck(mailboxId: string, messageId: string): Promise<void>
  /** A message the relay may deliver; undefined when it is gone, is not let go, or nobody is left to deliver it to. */
  outbound(mailboxId: string, messageId: string): Promise<OutboundMessage | undefined>
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
  /**
   * Writes down what came back about recipients, moves the message's status, and tells of it with a `message.status` event. Idempotent. A report
   * about an address that is none of the recipients changes nothing, unless the message has one recipient only. Undefined when the message is gone.
   */
  recordReport(mailboxId: string, messageId: string, reports: RecipientReport[]): Promise<Message | undefined>
}
