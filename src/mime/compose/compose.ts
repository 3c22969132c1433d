/** Composes our own messages as bytes ready to be signed: CRLF line ends, no line over 998 octets, no Bcc but in an author's own copy (RFC 5322 §2.1.1, §3.6.3). */
import libmime from 'libmime'
import MailComposer from 'nodemailer/lib/mail-composer'
import { encode, wrap } from 'nodemailer/lib/qp'
import { oneLine } from '../../lib/text.js'
import type { Address, OutgoingAttachment, OutgoingMessage } from '../types.js'

/** Longer ids would not fit on a line beside the field's name; no program threads by them. */
const MAX_ID_CHARS = 900
/** Longest run of characters in a field that folding can't break. */
const LONG_RUN = /\S{500}/
const MAX_LINE_BYTES = 998
/** Max length of a text encoded at once; longer texts are streamed. */
const MAX_LONE_TEXT_CHARS = 64 * 1024
/** The library's limit: longer lines are encoded. */
const MAX_PLAIN_LINE_CHARS = 76
const CR = 0x0d
const LF = 0x0a
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/** @returns the whole message. Bcc recipients are for the envelope only, and included in no copy but `own` */
export async function composeMessage(message: OutgoingMessage): Promise<Buffer> {
  // An empty text is still a text: without one, a lone attachment would become the message.
  const text = toLines(message.text) || '\n'
  const attachments = message.attachments.map(toAttachment)
  if (message.forwarded) attachments.push(toForwarded(message.forwarded.filename, message.forwarded.raw))
  const references = message.references.filter(isId)
  const isLone = attachments.length === 0 && message.html === null && text.length <= MAX_LONE_TEXT_CHARS
  const composer = new MailComposer({
    messageId: `<${message.messageId}>`,
    date: new Date(message.date),
    from: toMailbox(message.from),
    to: toMailboxes(message.to),
    cc: toMailboxes(message.cc),
    ...(message.own && { bcc: toMailboxes(message.own.bcc) }),
    replyTo: toMailboxes(message.replyTo),
    subject: toSubject(message.subject),
    ...(message.inReplyTo !== null && isId(message.inReplyTo) ? { inReplyTo: `<${message.inReplyTo}>` } : {}),
    ...(references.length > 0 ? { references: references.map((id) => `<${id}>`) } : {}),
    // The library scans a text several times, and an empty line is just as plain.
    text: isLone && isPlain(text) ? '\n' : text,
    ...(message.html === null ? {} : { html: toLines(message.html) }),
    ...(message.anyTls ? { headers: { 'TLS-Required': 'No' } } : {}),
    attachments,
    // The library draws random octets for a boundary, even when none is needed.
    ...(isLone ? { baseBoundary: 'none' } : message.own && { baseBoundary: message.own.boundary }),
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const root = composer.compile()
  root.keepBcc = message.own !== undefined
  return isLone ? loneText(root, text) : root.build()
}

/** The library would use seven streams, which for a short letter cost more than the rest of composing. */
function loneText(root: ReturnType<MailComposer['compile']>, text: string): Buffer | Promise<Buffer> {
  const encoding = root.getTransferEncoding()
  if (encoding !== '7bit' && encoding !== 'quoted-printable') return root.build()
  const body = encoding === '7bit' ? text : wrap(encode(text)).replaceAll('\r\n', '\n')
  const lines = body.replaceAll('\n', '\r\n')
  return Buffer.from(`${root.buildHeaders()}\r\n\r\n${lines}${lines.endsWith('\n') ? '' : '\r\n'}`)
}

/** True if a text can be sent unencoded in 7bit. */
function isPlain(text: string): boolean {
  if (/[^\t\n -~]/.test(text)) return false
  for (let at = 0, end = 0; end !== -1; at = end + 1) {
    end = text.indexOf('\n', at)
    if ((end === -1 ? text.length : end) - at > MAX_PLAIN_LINE_CHARS) return false
  }
  return true
}

type Attachment = {
  filename: string
  contentType: string
  content: Buffer
  contentDisposition: 'attachment' | 'inline'
  contentTransferEncoding: 'base64' | '7bit' | '8bit'
  cid?: string
}

function toAttachment(attachment: OutgoingAttachment): Attachment {
  const type = attachment.contentType.toLowerCase().split(';')[0]?.trim() ?? ''
  if (type === 'message/rfc822') return toForwarded(attachment.filename, attachment.content)
  // A multipart or message type would need a form that nobody checked.
  const plain = MEDIA_TYPE.test(type) && !/^(?:multipart|message)\//.test(type)
  return {
    filename: oneLine(attachment.filename),
    contentType: plain ? type : 'application/octet-stream',
    content: attachment.content,
    // Mail programs show an inline text as part of the message.
    contentDisposition: attachment.contentId === undefined || type.startsWith('text/') ? 'attachment' : 'inline',
    contentTransferEncoding: 'base64',
    ...(attachment.contentId === undefined ? {} : { cid: oneLine(attachment.contentId).replace(/[<>\s]/g, '') }),
  }
}

/** RFC 2046 §5.2.1 allows no encoding for message/rfc822: a message that needs one is attached as a file. */
function toForwarded(filename: string, raw: Buffer): Attachment {
  const content = toCrlf(raw)
  const form = lineForm(content)
  return {
    filename: oneLine(filename),
    contentType: form === 'unfit' ? 'application/octet-stream' : 'message/rfc822',
    content,
    contentDisposition: 'attachment',
    contentTransferEncoding: form === 'unfit' ? 'base64' : form,
  }
}

function lineForm(content: Buffer): '7bit' | '8bit' | 'unfit' {
  let column = 0
  let isAscii = true
  for (const byte of content) {
    if (byte === 0) return 'unfit'
    if (byte === LF) column = 0
    else if (byte !== CR && ++column > MAX_LINE_BYTES) return 'unfit'
    if (byte > 0x7f) isAscii = false
  }
  return isAscii ? '7bit' : '8bit'
}

/** Byte by byte: when nearly every byte ends a line, searching for line ends takes seconds. */
function toCrlf(raw: Buffer): Buffer {
  const isBare = (at: number): boolean => (raw[at] === LF ? raw[at - 1] !== CR : raw[at] === CR && raw[at + 1] !== LF)
  let bare = 0
  for (let at = 0; at < raw.length; at++) if (isBare(at)) bare++
  if (bare === 0) return raw
  const out = Buffer.allocUnsafe(raw.length + bare)
  let end = 0
  for (let at = 0; at < raw.length; at++) {
    if (isBare(at)) {
      out[end++] = CR
      out[end++] = LF
    } else out[end++] = raw[at] ?? 0
  }
  return out
}

function toLines(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
}

/** Undefined for none: the library writes and drops a field for an empty list. */
function toMailboxes(addresses: Address[]): { name: string; address: string }[] | undefined {
  return addresses.length > 0 ? addresses.map(toMailbox) : undefined
}

function toMailbox(address: Address): { name: string; address: string } {
  return { name: oneLine(address.name), address: oneLine(address.address) }
}

function toSubject(subject: string): string {
  const plain = oneLine(subject)
  // Folding needs white space: a longer run is sent as encoded words, which can be broken anywhere.
  return LONG_RUN.test(plain) ? libmime.encodeWord(plain, 'B', 52) : plain
}

function isId(id: string): boolean {
  return id.length <= MAX_ID_CHARS && /^[\x21-\x3b\x3d\x3f-\x7e]+$/.test(id)
}
