/** Parsing and composing of mail as jobs that run in place or in a thread (mail-work.ts) with the same result. */
import { displayedBeyond, type Displayed } from '../../guard/reading/displayed.js'
import type { Fingerprint } from '../../guard/text/similar.js'
import { readingOf, wordsOfHtml, type Reading } from '../../guard/text/text.js'
import type { GuardSubject } from '../../guard/types.js'
import type { JobResult } from '../../lib/thread-pool.js'
import { readAddresses } from '../../mime/addresses.js'
import { decodeText } from '../../mime/charset.js'
import { composeMessage } from '../../mime/compose/compose.js'
import { withoutHidden } from '../../mime/compose/submitted.js'
import { htmlToText } from '../../mime/html/html.js'
import { parseMessage } from '../../mime/parse/parse.js'
import { readParts } from '../../mime/part.js'
import { filesToRead, type FileToRead } from '../../mime/documents/choose.js'
import { sanitiseHtml } from '../../mime/html/sanitise.js'
import type { AttachmentInside, OutgoingMessage, ParsedMessage, ParseLimits, Address } from '../../mime/types.js'
import { asBuffer } from '../../store/keys.js'
import { type MessageContent, type MessageState, contentOf, insideOf, shortened } from '../message.js'
import type { MessagePart } from '../objects/objects.js'
import { partOf, partsOf, type PartContent } from '../objects/parts.js'
import { printOf } from '../recipients.js'
import { wordsOfMessage } from './words.js'

export interface Composed {
  raw: Buffer
  content: MessageContent
  insides: AttachmentInside[]
  /** What its readers see, for the guard; undefined where the content shows it. */
  displayed: Displayed | undefined
  /** Fingerprint of its text; undefined for short texts. */
  print: Fingerprint | undefined
}

/** What a thread of their own reads afterwards: `mail-work.ts` has it done. */
export interface WithFiles {
  files: FileToRead[]
}

/** A message that its author's program wrote. */
export interface Submitted extends Composed {
  /** Addresses of Sender. */
  senders: Address[]
  /** Addresses in all From fields. */
  fromCount: number
  /** It has parts that nobody is shown here. */
  hasUnshownParts: boolean
}

interface MailJobs {
  /** Composes and parses as the recipients will. Over `maxBytes` only the size is returned. */
  compose: {
    given: { message: OutgoingMessage; bcc: Address[]; maxBytes: number; now: number; limits: ParseLimits }
    result: (Composed & WithFiles) | { bytes: number }
  }
  /** Takes out what its recipients must not see, and parses what they get. */
  submitted: { given: { raw: Uint8Array; now: number; limits: ParseLimits }; result: Submitted & WithFiles }
  /** What the guard is told of a stored message besides its content. */
  checked: {
    given: { raw: Uint8Array; limits: ParseLimits }
    result: Pick<Composed, 'insides' | 'displayed'> & WithFiles
  }
  /** Truncates texts as for storage. */
  parse: { given: { raw: Uint8Array; limits: ParseLimits }; result: ParsedMessage }
  /** Text and HTML at their whole length. */
  texts: { given: { raw: Uint8Array; limits: ParseLimits }; result: Pick<ParsedMessage, 'text' | 'html'> }
  parts: { given: { raw: Uint8Array; limits: ParseLimits }; result: MessagePart[] }
  /** Undefined for an unknown part. */
  part: { given: { raw: Uint8Array; part: number; limits: ParseLimits }; result: PartContent | undefined }
  files: { given: { raw: Uint8Array; parts: number[]; limits: ParseLimits }; result: Map<number, Buffer> }
  safeHtml: { given: { html: string; hasRemotePictures: boolean }; result: string }
  /** What the guard reads of a message. */
  reading: { given: { subject: GuardSubject }; result: Reading }
  /** All words of HTML, hidden ones too. */
  wordsOfHtml: { given: { html: string }; result: string }
  /** Text of an HTML file. */
  htmlText: { given: { content: Uint8Array }; result: string }
  /** Search index words of a message. */
  words: { given: { direction: MessageState['direction']; content: MessageContent }; result: string[] }
}

export type MailJobKind = keyof MailJobs
export type Given<K extends MailJobKind> = MailJobs[K]['given']
export type Result<K extends MailJobKind> = MailJobs[K]['result']
export type MailJob<K extends MailJobKind = MailJobKind> = { [P in K]: { kind: P; given: Given<P> } }[K]

const JOBS: {
  readonly [K in MailJobKind]: (given: Given<K>) => Promise<JobResult<Result<K>>> | JobResult<Result<K>>
} = {
  async compose({ message, bcc, maxBytes, now, limits }) {
    const attachments = message.attachments.map((one) => ({ ...one, content: asBuffer(one.content) }))
    const raw = await composeMessage({ ...message, attachments })
    if (raw.length > maxBytes) return { value: { bytes: raw.length } }
    const parsed = await parseMessage(raw, limits)
    const content = { ...contentOf(parsed, now), bcc }
    const insides = parsed.attachments.map(insideOf)
    // The guard is not asked about the author's own copy of a draft.
    const files = message.own ? [] : await filesToRead(raw, parsed, limits)
    return {
      value: { raw, content, insides, displayed: displayedBeyond(parsed), print: printOf(content), files },
      transfer: buffersOf(raw, ...contentsOf(files)),
    }
  },
  async submitted({ raw: given, now, limits }) {
    const raw = withoutHidden(asBuffer(given))
    const parsed = await parseMessage(raw, limits)
    const content = contentOf(parsed, now)
    const insides = parsed.attachments.map(insideOf)
    const senders = readAddresses([parsed.headers['sender'] ?? '']).addresses
    const { fromCount, hasUnshownParts = false } = parsed
    const displayed = displayedBeyond(parsed)
    const files = await filesToRead(raw, parsed, limits)
    const read = { raw, content, insides, displayed, print: printOf(content), files }
    const value = { ...read, senders, fromCount, hasUnshownParts }
    return { value, transfer: buffersOf(raw, ...contentsOf(files)) }
  },
  async checked({ raw, limits }) {
    const parsed = await parseMessage(asBuffer(raw), limits)
    const files = await filesToRead(asBuffer(raw), parsed, limits)
    const value = { insides: parsed.attachments.map(insideOf), displayed: displayedBeyond(parsed), files }
    return { value, transfer: buffersOf(...contentsOf(files)) }
  },
  async parse({ raw, limits }) {
    return { value: shortened(await parseMessage(asBuffer(raw), limits)) }
  },
  async texts({ raw, limits }) {
    const { text, html } = await parseMessage(asBuffer(raw), limits)
    return { value: { text, html } }
  },
  parts: ({ raw, limits }) => ({ value: partsOf(asBuffer(raw), limits) }),
  async part({ raw, part, limits }) {
    const value = await partOf(asBuffer(raw), part, limits)
    return value ? { value, transfer: buffersOf(value.content) } : { value }
  },
  async files({ raw, parts, limits }) {
    const value = await readParts(asBuffer(raw), parts, limits)
    return { value, transfer: buffersOf(...value.values()) }
  },
  safeHtml: ({ html, hasRemotePictures }) => ({ value: sanitiseHtml(html, hasRemotePictures) }),
  reading: ({ subject }) => ({ value: readingOf(subject) }),
  wordsOfHtml: ({ html }) => ({ value: wordsOfHtml(html) }),
  htmlText: ({ content }) => ({ value: htmlToText(decodeText(asBuffer(content), 'utf-8')) }),
  words: ({ direction, content }) => ({ value: wordsOfMessage({ direction }, content) }),
}

/** @throws MessageFormatError if the message exceeds the limits */
export async function runMailJob<K extends MailJobKind>({ kind, given }: MailJob<K>): Promise<JobResult<Result<K>>> {
  return JOBS[kind](given)
}

const contentsOf = (files: FileToRead[]): Uint8Array[] => files.flatMap(({ content }) => content ?? [])

/** Transferable memory of the buffers, each once; memory shared with others is left out. */
function buffersOf(...buffers: Uint8Array[]): ArrayBuffer[] {
  const own = buffers.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  )
  return [...new Set(own)]
}
