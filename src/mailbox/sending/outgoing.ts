/** Requests as messages to compose: new, reply, forward. */
import { invalidRequest } from '../../lib/errors.js'
import { timestamp } from '../../lib/clock.js'
import { addressKey, parseAddress } from '../../mime/address.js'
import type { AskedDsn } from '../../mime/dsn-request.js'
import { signedHtml, signedText, type Signature } from '../../mime/reply/signature.js'
import { forwardSubject, replySubject } from '../../mime/subject.js'
import type { OutgoingMessage, Address } from '../../mime/types.js'
import type { DraftRecord, StoredDraft } from '../draft.js'
import { type MessageContent, type StoredMessage, distinct } from '../message.js'
import type { Submitted } from '../mail-work/mail-work.js'
import type { ForwardRequest, ReplyRequest, SendAttachment, SendRequest, Submission } from './requests.js'

/** A message without id, date and author. */
export interface Outgoing extends Omit<OutgoingMessage, 'messageId' | 'date' | 'from'> {
  bcc: Address[]
  /** In addition to `sent`. */
  labels: string[]
  requireTls: boolean
  /** Author of a reply by default: the alias that was written to. */
  author?: Address | undefined
  /** Undefined: determined later. */
  threadId: string | undefined
  /** Undefined: now. */
  sendAt?: number | undefined
  /** Id of the message it replies to. */
  answered?: string | undefined
  /** As its author's program wrote it: it is not composed. */
  submitted?: { message: Submitted; received: Submission['received'] | undefined } & Pick<Submission, 'nullSender'>
  /** Notices of its delivery that its author's program asked for. */
  dsn?: AskedDsn | undefined
  /** The draft it was made from, deleted in the same commit. */
  draft?: DraftRecord
}

/** RFC 5322 §3.6.4 wants all References; this keeps the first and the newest. */
const MAX_REFERENCES = 20

export function newMail({ from: _author, signature: _signed, ...mail }: SendRequest): Outgoing {
  return { ...mail, requireTls: mail.requireTls ?? false, inReplyTo: null, references: [], threadId: undefined }
}

/** @throws ServiceError `invalid_request` for incomplete drafts */
export function draftMail({ draft, words: { text, html } }: StoredDraft, attachments: SendAttachment[]): Outgoing {
  const { to, cc, bcc, replyTo, subject, labels, requireTls = false, anyTls, answers, sendAt, dsn } = draft
  const hasRecipient = to.length + cc.length + bcc.length > 0
  const hasWords = text.trim() !== '' || Boolean(html?.trim()) || attachments.length > 0
  const lacks = [
    ...(hasRecipient ? [] : [{ field: 'to', problem: 'It must have at least 1 entry.' }]),
    ...(hasWords ? [] : [{ field: 'text', problem: 'There is nothing to send: `text`, `html` or a file is needed.' }]),
  ]
  if (lacks.length > 0)
    throw invalidRequest(
      'The draft is not complete.',
      `Add what \`fields\` lists with PATCH /v1/drafts/${draft.id}.`,
      lacks,
    )
  return {
    to,
    cc,
    bcc,
    replyTo,
    subject,
    text,
    html,
    attachments,
    labels,
    requireTls,
    inReplyTo: answers?.inReplyTo ?? null,
    references: answers?.references ?? [],
    threadId: answers?.threadId,
    sendAt,
    ...(anyTls && { anyTls }),
    ...(dsn && { dsn }),
    draft,
  }
}

/**
 * A reply. It goes to Reply-To, else From; with `all` also to To and Cc, without the mailbox itself. A reply to own mail goes to its recipients. The original
 * is not quoted: the thread has it, and a model's context need not repeat it.
 *
 * @param isSelf true for the mailbox's own addresses
 * @param isAlias true for its aliases
 * @throws ServiceError `invalid_request` if there is nobody to reply to
 */
export function replyMail(
  original: StoredMessage,
  request: ReplyRequest,
  isSelf: (address: Address) => boolean,
  isAlias: (address: Address) => boolean = () => false,
): Outgoing {
  const { state, content } = original
  if (state.direction === 'inbound' && content.automation === 'bounce')
    throw invalidRequest(
      'This is a notice of a mail server, and nobody reads answers to it.',
      'Its report says which recipients it is about. Write to somebody with POST /v1/send.',
    )
  const own = state.direction === 'outbound'
  const to = own ? mailable(content.to, isSelf) : authorOf(content, isSelf)
  const everybody = mailable(own ? content.cc : [...content.to, ...content.cc], isSelf)
  const taken = new Set(to.map(({ address }) => addressKey(address)))
  const cc = request.all ? everybody.filter(({ address }) => !taken.has(addressKey(address))) : []
  if (to.length === 0 && cc.length === 0) {
    throw invalidRequest('The message has no address that can be answered.', 'Write to somebody with POST /v1/send.')
  }
  const author = own ? undefined : [...content.to, ...content.cc].find(isAlias)
  return {
    author: author && { address: author.address, name: '' },
    to: to.length > 0 ? to : cc,
    cc: to.length > 0 ? cc : [],
    bcc: [],
    replyTo: [],
    subject: replySubject(content.subject),
    text: request.text,
    html: request.html,
    attachments: request.attachments,
    labels: [],
    requireTls: request.requireTls ?? false,
    inReplyTo: content.message_id,
    references: referencesFor(content),
    threadId: state.threadId,
    answered: state.id,
    sendAt: request.sendAt,
    anyTls: request.anyTls,
  }
}

/** An unusable Reply-To, such as an address without domain, is ignored. */
function authorOf({ reply_to, from }: MessageContent, isSelf: (address: Address) => boolean): Address[] {
  const asked = mailable(reply_to, () => false)
  return mailable(asked.length > 0 || from === null ? asked : [from], isSelf)
}

/** References of a reply (RFC 5322 §3.6.4): the parent's, or its In-Reply-To, then the parent. */
function referencesFor(parent: MessageContent): string[] {
  const earlier = parent.references.length > 0 ? parent.references : [parent.in_reply_to]
  const all = [...earlier, parent.message_id].filter((id) => id !== null)
  return all.length <= MAX_REFERENCES ? all : [...all.slice(0, 1), ...all.slice(1 - MAX_REFERENCES)]
}

/** Distinct usable addresses of a stranger's header, without the mailbox itself. */
function mailable(addresses: Address[], isSelf: (address: Address) => boolean): Address[] {
  const sound = addresses.flatMap(({ address, name }) => {
    const parsed = parseAddress(address)
    return parsed ? [{ address: parsed.address, name }] : []
  })
  return distinct(sound).filter((address) => !isSelf(address))
}

/**
 * A forward: note, short header, original text and attachments. It starts a new thread without references, so that replies do not join the original
 * conversation.
 *
 * @param files contents of the original's parts by number
 */
export async function forwardMail(
  original: StoredMessage,
  files: (parts: number[]) => Promise<Map<number, Buffer>>,
  request: ForwardRequest,
  signature: Signature | null = null,
): Promise<Outgoing> {
  const { content, state } = original
  return {
    to: request.to,
    cc: request.cc,
    bcc: request.bcc,
    replyTo: [],
    subject: forwardSubject(content.subject),
    text: forwardText(signature ? signedText(request.text, signature) : request.text, original),
    html: null,
    attachments:
      request.includeAttachments && content.parts.length > 0 ? attached(content, await files(content.parts)) : [],
    labels: [],
    // RFC 8689 §5: the requirement is kept.
    requireTls: request.requireTls ?? (request.anyTls ? false : (state.requireTls ?? false)),
    inReplyTo: null,
    references: [],
    threadId: undefined,
    sendAt: request.sendAt,
    anyTls: request.anyTls,
  }
}

/** Text with the signature below; HTML has its own. */
export function signed<W extends { text: string; html: string | null }>(words: W, signature: Signature | null): W {
  if (signature === null) return words
  const { text, html } = words
  const isHtmlAlone = html !== null && text.trim() === ''
  return {
    ...words,
    text: isHtmlAlone ? text : signedText(text, signature),
    html: html === null ? null : signedHtml(html, signature),
  }
}

function forwardText(note: string, { state, content }: StoredMessage): string {
  const head = [
    '---------- Forwarded message ----------',
    `From: ${content.from ? shown(content.from) : 'unknown'}`,
    `Date: ${timestamp(state.sentAt ?? state.createdAt)}`,
    `Subject: ${content.subject}`,
    `To: ${content.to.map(shown).join(', ')}`,
    ...(content.cc.length > 0 ? [`Cc: ${content.cc.map(shown).join(', ')}`] : []),
  ]
  return [...(note.trim() === '' ? [] : [note.trimEnd(), '']), ...head, '', content.text].join('\n')
}

function shown({ address, name }: Address): string {
  return name === '' ? address : `${name} <${address}>`
}

/** Attachments of the original as files to send. Parts missing in the raw message are left out. */
function attached({ attachments, parts }: MessageContent, contents: Map<number, Buffer>): SendAttachment[] {
  return attachments.flatMap(({ filename, content_type: contentType }, i) => {
    const part = parts[i]
    const content = part === undefined ? undefined : contents.get(part)
    // Inline files become ordinary ones, since there is no HTML.
    return content ? [{ filename, contentType, content, contentId: undefined }] : []
  })
}
