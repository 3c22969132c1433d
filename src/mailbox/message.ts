/**
 * A message as it is stored: its state, which changes and is small, apart from its content, which never changes and is not read for lists.
 * Together they make the Message that leaves the service.
 */
import type { AuthenticationResults } from '../authentication/types.js'
import { attachmentRisk } from '../guard/signals/attachments.js'
import type { GuardReason, GuardSubject, GuardVerdict } from '../guard/types.js'
import { timestamp } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import { newId } from '../lib/ids.js'
import { cut } from '../lib/text.js'
import { addressKey } from '../mime/address.js'
import type { Address, ParsedMessage, PlaceInRaw, Report } from '../mime/types.js'
import { isOwnAddress } from './addresses.js'
import type { MailboxRecord } from './mailbox-record.js'
import type { Check, Message, MessageStatus, Recipient } from './objects/objects.js'
import { shownAddress, shownText } from './objects/shown-names.js'
import { shownRecipients } from './objects/shown-recipients.js'
import { trashTimes, type Trashed } from './trash-time.js'

/** Characters of text, and of HTML, that are kept beside the raw message. */
export const MAX_TEXT_CHARS = 256 * 1024
const MAX_SUBJECT_CHARS = 1000
const MAX_NAME_CHARS = 200

/** Times are milliseconds since the epoch. */
export interface MessageState {
  id: string
  threadId: string
  /** Its place: the number of the event that told of it first. */
  seq: number
  direction: 'inbound' | 'outbound'
  status: MessageStatus
  labels: string[]
  unread: boolean
  rawBytes: number
  rawIn: 'store' | 'blob'
  /** Of a blob, in hexadecimal. Missing where it was written before there were such hashes. */
  rawSha256?: string
  recipients: Recipient[]
  check: Check | null
  /** Why it is held whatever the guard says of it. */
  holdReasons: GuardReason[]
  newRecipientCount: number
  /** Which recipients are new to its account, by their places, until it leaves. Missing when none is, and while its time has not come. */
  fresh?: number[]
  /** The day (UTC, since the epoch) on which they count against the limit of new recipients. Missing while they don't, as of what is held. */
  freshCountedOn?: number
  /** What else the guard was told when it was sent (mailbox/decisions/guard-check.ts). Missing where it is not so, or not known. */
  isAnswer?: true
  similar?: GuardSubject['similar']
  /** What the classifier within the daemon said of one that is `checking` while others are asked. */
  verdict?: GuardVerdict
  /** Its author, who may be a stranger, asks for TLS on the whole way (RFC 8689). Missing where it was not asked for. */
  requireTls?: true
  /** The decision of a person about it, in the review log (mailbox/review/rows.ts). Missing while there is none. */
  reviewId?: string
  /** Recipients of whose delay its author has a notice. Missing when there is none. */
  toldOfDelay?: string[]
  /** Missing while it is not in the trash. */
  trashed?: Trashed
  /** Number of the event that told last that it was marked as spam, or that this was taken back. Missing while nobody did either. */
  movedSeq?: number
  /** When it goes; of mail that is or was scheduled. */
  sendAt?: number
  /** Times it waited for the limit of new recipients when its time had come. */
  postponed?: number
  /** When it was let go to its recipients, of mail that was scheduled, checked or held before; else that was when it was made. */
  letGoAt?: number
  /** Why it was cancelled. */
  cancelled?: { code: string; detail: string }
  sentAt: number | null
  createdAt: number
  updatedAt: number
  /** What lists show of it. Null where that is too much for a row that changes: then it is read with the rest of the content. */
  shown: ShownContent | null
}

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
  /** Null when it is all of the text. */
  extracted_text: string | null
  /** `hiddenWords` of the parsed message. */
  hidden_words?: number
  /** Where text and HTML stand in the raw message; only of one that is being stored. */
  places?: { text?: PlaceInRaw; html?: PlaceInRaw }
  /** Leaf part of each attachment in the raw message, in the order of `attachments`. */
  parts: number[]
}

/** What lists show of a message. */
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

/** Its texts cut as they will be when it is stored, but for one character, which tells that there was more. */
export function shortened(parsed: ParsedMessage): ParsedMessage {
  const { text, html, extractedText } = parsed
  if (text.length <= MAX_TEXT_CHARS && (html?.length ?? 0) <= MAX_TEXT_CHARS) return parsed
  const start = (long: string): string => long.slice(0, MAX_TEXT_CHARS + 1)
  return { ...parsed, text: start(text), html: html === null ? null : start(html), extractedText: start(extractedText) }
}

/** What is kept of a message as it was parsed. `auth` and `scan` are filled in for inbound mail, `bcc` for outbound. */
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

/** Rows of earlier versions have "" where the report gave no diagnostic. */
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

/** What is known against an attachment; nothing of one that was stored before there were verdicts. */
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

/** The message as it leaves the service. */
export function toMessage(mailboxId: string, state: MessageState, content: MessageContent): Message {
  const { parts: _parts, places: _places, hidden_words: _hiddenWords, extracted_text, ...shown } = content
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
    untrusted: state.direction === 'inbound',
    require_tls: state.requireTls ?? false,
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

/** What a message is in all: how it stands, and what it says. */
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

/** Everybody in a message but the mailbox itself, each once, senders first. */
export function othersIn(
  content: Pick<MessageContent, 'from' | 'to' | 'cc' | 'bcc'>,
  mailbox: Pick<MailboxRecord, 'address' | 'aliases'>,
): Address[] {
  const all = [content.from, ...content.to, ...content.cc, ...content.bcc].filter((address) => address !== null)
  return distinct(all).filter(({ address }) => !isOwnAddress(mailbox, address))
}

/** Each address once, as it is written first. */
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
