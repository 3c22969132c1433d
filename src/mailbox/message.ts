/** A stored message: its small mutable state, and its immutable content, which lists don't read. Together they make the Message of the API. */
import type { AuthenticationResults } from '../authentication/types.js'
import { attachmentRisk } from '../guard/signals/attachments.js'
import type { GuardReason, GuardSubject, GuardVerdict } from '../guard/types.js'
import { DAY, timestamp } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import { newId } from '../lib/ids.js'
import { cut } from '../lib/text.js'
import { addressKey } from '../mime/address.js'
import type { DsnRequest } from '../mime/dsn-request.js'
import type { Address, AttachmentInside, ParsedAttachment, ParsedMessage, PlaceInRaw, Report } from '../mime/types.js'
import { isOwnAddress } from './addresses.js'
import type { MailboxRecord } from './mailbox-record.js'
import type { Check, Message, MessageStatus, Recipient, RequestedBy } from './objects/objects.js'

/** Max characters of text, and of HTML, stored beside the raw message. */
export const MAX_TEXT_CHARS = 256 * 1024
const MAX_SUBJECT_CHARS = 1000
const MAX_NAME_CHARS = 200

export const TRASH_MS = 7 * DAY

export interface Trashed {
  at: number
  /** Number of the deletion's event: its place in the trash. */
  seq: number
}

export interface MessageState {
  id: string
  threadId: string
  /** Its place: the number of the event that announced it. */
  seq: number
  direction: 'inbound' | 'outbound'
  status: MessageStatus
  labels: string[]
  unread: boolean
  rawBytes: number
  rawIn: 'store' | 'blob'
  /** SHA-256 of a blob, hexadecimal. Missing in old messages. */
  rawSha256?: string
  recipients: Recipient[]
  check: Check | null
  /** Reasons to hold it whatever the guard decides. */
  holdReasons: GuardReason[]
  newRecipientCount: number
  /** Indexes of recipients that are new to the account, until it leaves. Missing if none, and while scheduled. */
  fresh?: number[]
  /** The day (UTC, since the epoch) on which they count against the limit of new recipients. Missing while not counted, as when held. */
  freshCountedOn?: number
  /** Further facts given to the guard when sent (mailbox/decisions/guard-check.ts). Missing if false or unknown. */
  isAnswer?: true
  similar?: GuardSubject['similar']
  story?: GuardSubject['story']
  /** Our classifier's verdict while `checking` waits for second opinions. */
  verdict?: GuardVerdict
  /** The author requires TLS to the final recipient (RFC 8689). */
  requireTls?: true
  /** Missing: the agent. */
  composedBy?: 'human'
  /** Missing in inbound and old messages. */
  requestedBy?: RequestedBy
  /** Folders in which a mail program has marked it as deleted (mailbox/folders/folder.ts). Missing if none. */
  deletedIn?: string[]
  /** Only of imported mail: when it was received, as its program says. Milliseconds since the epoch. */
  internalDate?: number
  /** Id of the decision in the review log (mailbox/review/rows.ts). */
  reviewId?: string
  /** Recipients whose delay was reported to the author. */
  toldOfDelay?: string[]
  /** Missing while not in the trash. */
  trashed?: Trashed
  /** Number of the last event that marked or unmarked it as spam. */
  movedSeq?: number
  sendAt?: number
  /** Number of times that the limit of new recipients postponed it after its scheduled time. */
  postponed?: number
  /** Release time of mail that was scheduled, checked or held; otherwise the creation time applies. */
  letGoAt?: number
  cancelled?: { code: string; detail: string }
  sentAt: number | null
  createdAt: number
  updatedAt: number
  /** List fields. Null if too large for this row; then they are read with the content. */
  shown: ShownContent | null
}

/** True for mail that was brought in from elsewhere (mailbox/importing): it neither came nor went here. */
export const isImported = ({ internalDate }: Pick<MessageState, 'internalDate'>): boolean => internalDate !== undefined

type ContentField =
  | 'subject'
  | 'preview'
  | 'text'
  | 'html'
  | 'truncated'
  | 'extracted'
  | 'message_id'
  | 'in_reply_to'
  | 'references'
  | 'headers'
  | 'automation'
  | 'report'
  | 'auth'
  | 'scan'

export type MessageContent = Pick<Message, ContentField> & {
  from: Address | null
  to: Address[]
  cc: Address[]
  bcc: Address[]
  reply_to: Address[]
  attachments: Omit<Message['attachments'][number], 'object'>[]
  extracted_text: string | null
  /** `hiddenWords` of the parsed message. */
  hidden_words?: number
  /** Places of text and HTML in the raw message; only while being stored. */
  places?: { text?: PlaceInRaw; html?: PlaceInRaw }
  /** Leaf part numbers of the attachments, in their order. */
  parts: number[]
  /** Notices of its delivery that its author's program asked for. */
  dsn?: DsnRequest
  /** It is sent from the null reverse-path, as notices about other mail are (RFC 8098 §2.1). */
  null_sender?: true
}

export type ShownContent = Pick<
  MessageContent,
  | 'from'
  | 'to'
  | 'cc'
  | 'bcc'
  | 'reply_to'
  | 'subject'
  | 'preview'
  | 'message_id'
  | 'in_reply_to'
  | 'automation'
  | 'attachments'
>

/** Truncates texts for storage, plus one character that shows there was more. */
export function shortened(parsed: ParsedMessage): ParsedMessage {
  const { text, html, extractedText } = parsed
  if (text.length <= MAX_TEXT_CHARS && (html?.length ?? 0) <= MAX_TEXT_CHARS) return parsed
  const start = (long: string): string => long.slice(0, MAX_TEXT_CHARS + 1)
  return { ...parsed, text: start(text), html: html === null ? null : start(html), extractedText: start(extractedText) }
}

/** Stored content of a parsed message. `auth` and `scan` are set for inbound mail, `bcc` for outbound. */
export function contentOf(parsed: ParsedMessage, now: number): MessageContent {
  const text = cut(parsed.text, MAX_TEXT_CHARS)
  const html = parsed.html === null ? null : cut(parsed.html, MAX_TEXT_CHARS)
  const extracted = cut(parsed.extractedText, MAX_TEXT_CHARS)
  const truncated = text !== parsed.text || html !== parsed.html
  return {
    from: parsed.from && shortName(parsed.from),
    to: parsed.to.map(shortName),
    cc: parsed.cc.map(shortName),
    bcc: parsed.bcc.map(shortName),
    reply_to: parsed.replyTo.map(shortName),
    subject: cut(parsed.subject, MAX_SUBJECT_CHARS),
    preview: parsed.preview,
    text,
    html,
    ...(truncated ? { truncated } : {}),
    ...(parsed.hiddenWords === undefined ? {} : { hidden_words: parsed.hiddenWords }),
    extracted_text: extracted === text ? null : extracted,
    extracted: parsed.extracted,
    message_id: parsed.messageId,
    in_reply_to: parsed.inReplyTo,
    references: parsed.references,
    headers: parsed.headers,
    automation: parsed.automation,
    report: parsed.report && reportOf(parsed.report),
    auth: null,
    scan: null,
    attachments: parsed.attachments.map((attachment) => ({
      id: newId('att', now),
      filename: attachment.filename,
      content_type: attachment.contentType,
      size_bytes: attachment.sizeBytes,
      sha256: attachment.sha256,
      disposition: attachment.disposition,
      content_id: attachment.contentId,
      scan: null,
      risk: attachmentRisk(attachment),
    })),
    ...(parsed.places && { places: parsed.places }),
    parts: parsed.attachments.map((attachment) => attachment.part),
  }
}

/** What was read in an attachment, for the guard. */
export function insideOf({ archive, file }: ParsedAttachment): AttachmentInside {
  return { ...(archive && { archive }), ...(file && { file }) }
}

/** The content with the risks of attachments that were read further. */
export function withRisks(content: MessageContent, insides: readonly AttachmentInside[]): MessageContent {
  const attachments = content.attachments.map((attachment, index) => {
    const { filename, content_type: contentType } = attachment
    return { ...attachment, risk: attachmentRisk({ filename, contentType, ...insides[index] }) }
  })
  return { ...content, attachments }
}

function reportOf(report: Report): Message['report'] {
  return {
    kind: report.kind,
    original_message_id: report.originalMessageId,
    reported_by: report.reportedBy,
    feedback_type: report.feedbackType,
    recipients: report.recipients.map((recipient) => ({
      address: recipient.address,
      final_address: recipient.finalAddress,
      action: recipient.action,
      permanent: recipient.permanent,
      status: recipient.status,
      diagnostic: shownText(recipient.diagnostic),
      remote_mta: recipient.remoteMta,
    })),
  }
}

/** Old rows have "" for a missing diagnostic. */
function shownReport(report: NonNullable<Message['report']>): Message['report'] {
  const recipients = report.recipients.map((one) => ({ ...one, diagnostic: shownText(one.diagnostic ?? '') }))
  return { ...report, recipients }
}

export function authOf(results: AuthenticationResults): Message['auth'] {
  return {
    spf: results.spf.result,
    dkim: results.dkim.result,
    dmarc: results.dmarc.result,
    arc: results.arc.result,
    spf_domain: results.spf.domain,
    dkim_domain: results.dkim.domain,
    dkim_selector: results.dkim.selector,
    dmarc_policy: results.dmarc.policy,
  }
}

type StoredAttachment = MessageContent['attachments'][number]
type Verdicts = Pick<StoredAttachment, 'scan' | 'risk'>

/** Findings about an attachment; none for attachments stored before findings existed. */
export function verdictsOf(attachment: StoredAttachment): Verdicts {
  const { scan, risk }: Partial<Verdicts> = attachment
  return { scan: scan ?? null, risk: risk ?? [] }
}

export function shownAttachment(attachment: StoredAttachment): Message['attachments'][number] {
  const { id, ...file } = attachment
  return { id, object: 'attachment', ...file, ...verdictsOf(attachment) }
}

type People = Pick<MessageContent, 'from' | 'to' | 'cc' | 'bcc' | 'reply_to'>

export function shownPeople({ from, to, cc, bcc, reply_to }: People): Pick<Message, keyof People> {
  return {
    from: from && shownAddress(from),
    to: to.map(shownAddress),
    cc: cc.map(shownAddress),
    bcc: bcc.map(shownAddress),
    reply_to: reply_to.map(shownAddress),
  }
}

export function toMessage(mailboxId: string, state: MessageState, content: MessageContent): Message {
  const { parts: _parts, places: _places, hidden_words: _hiddenWords, dsn: _dsn, ...rest } = content
  const { null_sender: _nullSender, extracted_text, ...shown } = rest
  return {
    id: state.id,
    object: 'message',
    mailbox_id: mailboxId,
    thread_id: state.threadId,
    direction: state.direction,
    status: state.status,
    ...shown,
    ...shownPeople(shown),
    report: shown.report && shownReport(shown.report),
    attachments: shown.attachments.map(shownAttachment),
    extracted_text: extracted_text ?? content.text,
    labels: state.labels,
    unread: state.unread,
    size_bytes: state.rawBytes,
    untrusted: state.direction === 'inbound' || isImported(state),
    ...(isImported(state) && { imported: true as const }),
    require_tls: state.requireTls ?? false,
    composed_by: state.direction === 'inbound' || isImported(state) ? null : (state.composedBy ?? 'agent'),
    requested_by: state.requestedBy ?? null,
    check: state.check,
    recipients: shownRecipients(state),
    ...(state.sendAt !== undefined && { send_at: timestamp(state.sendAt) }),
    ...(state.cancelled && { cancelled: state.cancelled }),
    sent_at: state.sentAt === null ? null : timestamp(state.sentAt),
    created_at: timestamp(state.createdAt),
    updated_at: timestamp(state.updatedAt),
    ...(state.trashed && trashTimes(state.trashed)),
  }
}

export interface StoredMessage {
  state: MessageState
  content: MessageContent
}

export function inTrash(what: 'message' | 'thread', id: string): ServiceError {
  const words = what === 'message' ? 'This message is' : 'All messages of this conversation are'
  return new ServiceError(
    'not_found',
    `${words} in the trash.`,
    `POST /v1/${what}s/${id}/restore brings ${what === 'message' ? 'it' : 'them'} back; GET /v1/trash lists what is there.`,
  )
}

/** Everybody in a message but the mailbox itself, distinct, senders first. */
export function othersIn(
  content: Pick<MessageContent, 'from' | 'to' | 'cc' | 'bcc'>,
  mailbox: Pick<MailboxRecord, 'address' | 'aliases'>,
): Address[] {
  const all = [content.from, ...content.to, ...content.cc, ...content.bcc].filter((address) => address !== null)
  return distinct(all).filter(({ address }) => !isOwnAddress(mailbox, address))
}

/** Distinct addresses, in the spelling of their first occurrence. */
export function distinct(addresses: Address[]): Address[] {
  const seen = new Map<string, Address>()
  for (const address of addresses) {
    const id = addressKey(address.address)
    if (!seen.has(id)) seen.set(id, address)
  }
  return [...seen.values()]
}

function shortName(address: Address): Address {
  return { address: address.address, name: cut(address.name, MAX_NAME_CHARS) }
}

/** Times of deletion and purge. */
export function trashTimes({ at }: Pick<Trashed, 'at'>): { deleted_at: string; purge_at: string } {
  return { deleted_at: timestamp(at), purge_at: timestamp(at + TRASH_MS) }
}

/** Null means no name; stored objects have "" instead. */
export function shownText(text: string): string | null {
  return text === '' ? null : text
}

export function shownAddress({ address, name }: Address): Message['to'][number] {
  return { address, name: shownText(name) }
}

/** Recipients not handed to delivery have the status of the message. */
export function shownRecipients({ status, recipients }: Pick<MessageState, 'status' | 'recipients'>): Recipient[] {
  switch (status) {
    case 'checking':
    case 'scheduled':
    case 'held':
    case 'blocked':
    case 'cancelled':
      return recipients.map((recipient) => (recipient.status === 'queued' ? { ...recipient, status } : recipient))
    case 'received':
    case 'queued':
    case 'sending':
    case 'sent':
    case 'delivered':
    case 'partially_delivered':
    case 'bounced':
      return recipients
  }
}
