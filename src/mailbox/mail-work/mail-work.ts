/** Work on mail whose cost others control: a message may take seconds to parse. Short work runs in place, the rest in threads, fairly among callers. */
import { keepReading } from '../../guard/text/text.js'
import type { GuardSubject } from '../../guard/types.js'
import { SECOND } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { ThreadPool, TookTooLong, type Asker } from '../../lib/thread-pool.js'
import { MessageFormatError, type OutgoingMessage, type ParseLimits } from '../../mime/types.js'
import type { FileReader } from '../../mime/documents/reader.js'
import { asBuffer } from '../../store/keys.js'
import { withRisks } from '../message.js'
import type { Composed, Given, MailJob, MailJobKind, Result, Submitted, WithFiles } from './mail-jobs.js'
import type { PartContent } from '../objects/parts.js'

export type { Composed, Submitted } from './mail-jobs.js'

/** A thread's answer: the result of its job, or why the message cannot be read. */
export type Done = { value: Result<MailJobKind> } | { refused: string }

type AnyJob = Pick<MailJob, 'kind' | 'given'>

/** Max sizes for work in place. Adversarial text of this length takes 10 ms, ordinary text under 1 ms; a handover costs 0.5 ms. HTML is four times as slow. */
const TEXT_CHARS = 16 * 1024
const HTML_CHARS = 4 * 1024
/** Also bounds ZIP files, which unpack to a thousand times their size: 6 KiB take 40 ms. */
const RAW_BYTES = 8 * 1024
const PACKED_BYTES = 6 * 1024
const FILE_BYTES = 64 * 1024
const FILES = 16
/** For the index, ASCII is ten times as fast as other text. */
const INDEX_CHARS = 8 * 1024

/** Much more than honest mail of the largest size needs. */
const DEADLINE_MS = 20 * SECOND
/** V8 heap; buffers are outside of it. */
const MAX_HEAP_MB = 512

export interface MailWorkDeps {
  /** At least two, so that one account does not block another. */
  threads: number
  deadlineMs?: number
}

export function createMailWork({ threads, deadlineMs = DEADLINE_MS }: MailWorkDeps): MailWork {
  const code = new URL('./mail-thread.js', import.meta.url)
  return mailWorkIn(new ThreadPool<AnyJob, Done>({ code, count: threads, deadlineMs, maxHeapMb: MAX_HEAP_MB }))
}

/** Runs everything in place: for command-line tools and tests. */
export const mailWorkInPlace = (): MailWork => mailWorkIn(undefined)

/** All methods throw the reason of the caller's signal once aborted, and ServiceError `rate_limited` or `unavailable` when too much is waiting. */
export type MailWork = ReturnType<typeof mailWorkIn>

function mailWorkIn(pool: ThreadPool<AnyJob, Done> | undefined) {
  // Loaded with the first job: parsing, composing and sanitizing are large.
  const inPlace = async <K extends MailJobKind>(job: MailJob<K>): Promise<Result<K>> => {
    const { runMailJob } = await import('./mail-jobs.js')
    return (await runMailJob(job)).value
  }

  async function inThread<K extends MailJobKind>(job: MailJob<K>, asker: Asker): Promise<Result<K>> {
    if (!pool) return inPlace(job)
    const done = await pool.run(job, asker).catch((error: unknown) => {
      throw error instanceof TookTooLong ? new CostsTooMuch(error) : error
    })
    if ('refused' in done) throw new MessageFormatError(done.refused)
    // A thread returns the result type of its job.
    return done.value as Result<K>
  }

  let reader: FileReader | undefined

  /** PDFs and pictures are read in threads of their own, and only when there are some. */
  async function withFilesRead<T extends Pick<Composed, 'insides' | 'displayed'> & Partial<Pick<Composed, 'content'>>>(
    { files, ...made }: T & WithFiles,
    asker: Asker,
  ): Promise<Omit<T & WithFiles, 'files'>> {
    if (files.length === 0) return made
    const { createFileReader, withRead } = await import('../../mime/documents/reader.js')
    const read = await (reader ??= createFileReader()).read(files, asker)
    const insides = withRead(made.insides, read)
    const { content, displayed } = made
    return {
      ...made,
      insides,
      ...(content && { content: withRisks(content, insides) }),
      displayed: displayed && { ...displayed, pictures: read.embedded },
    }
  }

  const run = <K extends MailJobKind>(isShort: boolean, job: MailJob<K>, asker: Asker): Promise<Result<K>> =>
    isShort ? inPlace(job) : inThread(job, asker)

  return {
    /** Composes a message and parses it as its recipients will. Over `maxBytes` only its size is returned. @throws MessageFormatError */
    async compose(given: Given<'compose'>, asker: Asker): Promise<Composed | { bytes: number }> {
      const message = { ...given.message, attachments: given.message.attachments.map(onItsOwn) }
      const composed = await run(isShort(message), { kind: 'compose', given: { ...given, message } }, asker)
      if (!('raw' in composed)) return composed
      return withFilesRead({ ...composed, raw: asBuffer(composed.raw) }, asker)
    },
    /** A message as its author's program wrote it. @throws MessageFormatError */
    async submitted(raw: Buffer, now: number, limits: ParseLimits, asker: Asker): Promise<Submitted> {
      const given = { raw: own(raw), now, limits }
      const submitted = await run(raw.length <= RAW_BYTES, { kind: 'submitted', given }, asker)
      return withFilesRead({ ...submitted, raw: asBuffer(submitted.raw) }, asker)
    },
    /** @throws MessageFormatError */
    checked: async (raw: Buffer, limits: ParseLimits, asker: Asker) =>
      withFilesRead(
        await run(raw.length <= RAW_BYTES, { kind: 'checked', given: { raw: own(raw), limits } }, asker),
        asker,
      ),
    /** @throws MessageFormatError */
    parse: (raw: Buffer, limits: ParseLimits, asker: Asker) =>
      run(raw.length <= RAW_BYTES, { kind: 'parse', given: { raw: own(raw), limits } }, asker),
    /** At their whole length. @throws MessageFormatError */
    texts: (raw: Buffer, limits: ParseLimits, asker: Asker) =>
      run(raw.length <= RAW_BYTES, { kind: 'texts', given: { raw: own(raw), limits } }, asker),
    /** @throws MessageFormatError */
    parts: (raw: Buffer, limits: ParseLimits, asker: Asker) =>
      run(raw.length <= RAW_BYTES, { kind: 'parts', given: { raw: own(raw), limits } }, asker),
    /** Undefined for an unknown part. @throws MessageFormatError */
    async part(raw: Buffer, part: number, limits: ParseLimits, asker: Asker): Promise<PartContent | undefined> {
      const found = await run(raw.length <= RAW_BYTES, { kind: 'part', given: { raw: own(raw), part, limits } }, asker)
      return found && { ...found, content: asBuffer(found.content) }
    },
    /** Several parts by number, in one pass; unknown ones are left out. @throws MessageFormatError */
    async files(raw: Buffer, parts: number[], limits: ParseLimits, asker: Asker): Promise<Map<number, Buffer>> {
      const given = { raw: own(raw), parts, limits }
      const files = await run(raw.length <= RAW_BYTES, { kind: 'files', given }, asker)
      return new Map([...files].map(([part, content]) => [part, asBuffer(content)]))
    },
    /** A sanitized copy; null if it exceeds the limits of time and memory. */
    safeHtml: (given: Given<'safeHtml'>, asker: Asker): Promise<string | null> =>
      run(given.html.length <= HTML_CHARS, { kind: 'safeHtml', given }, asker).catch((error: unknown) => {
        // Such HTML is adversarial.
        if (error instanceof CostsTooMuch) return null
        throw error
      }),
    /** Reads a long message in a thread for the guard, which else reads it when it judges. */
    async read(subject: GuardSubject): Promise<void> {
      if (!pool || isShortToRead(subject)) return
      const { kind, subject: title, text, newText, html, displayed, parentText, isAnswer, attachments } = subject
      const read: GuardSubject = { kind, subject: title, text, newText, html, displayed, parentText, isAnswer, attachments, ...UNREAD } // prettier-ignore
      const owner = subject.from?.address ?? kind
      keepReading(subject, await inThread({ kind: 'reading', given: { subject: read } }, { owner }))
    },
    /** All words of HTML, hidden ones too. */
    wordsOfHtml: (html: string, asker: Asker) =>
      run(html.length <= HTML_CHARS, { kind: 'wordsOfHtml', given: { html } }, asker),
    htmlText: (content: Buffer, asker: Asker) =>
      run(content.length <= HTML_CHARS, { kind: 'htmlText', given: { content: own(content) } }, asker),
    words: (given: Given<'words'>, asker: Asker) =>
      run(isShortToIndex(given.content.text), { kind: 'words', given }, asker),
    async close() {
      await Promise.all([pool?.close(), reader?.close()])
    },
  }
}

function isShort({ text, html, attachments }: Pick<OutgoingMessage, 'text' | 'html' | 'attachments'>): boolean {
  const bytes = attachments.reduce((sum, { content }) => sum + content.length * (isPacked(content) ? FILE_BYTES / PACKED_BYTES : 1), 0) // prettier-ignore
  const words = text.length / TEXT_CHARS + (html?.length ?? 0) / HTML_CHARS
  return words + bytes / FILE_BYTES + attachments.length / FILES <= 1
}

/** True for what begins as a ZIP file does. */
function isPacked(content: Uint8Array): boolean {
  return content[0] === 0x50 && content[1] === 0x4b
}

/** The rest of what the guard is told, which is no text to read. */
const UNREAD = { links: [], recipientCount: 1, newRecipientCount: 0, trust: 0 }

function isShortToRead({ text, html, displayed, parentText, attachments }: GuardSubject): boolean {
  const shown = displayed ? (displayed.html?.shown.length ?? 0) / TEXT_CHARS : (html?.length ?? 0) / HTML_CHARS
  const inFiles = attachments.reduce((sum, { file }) => sum + (file?.text?.length ?? 0), 0)
  return ((displayed?.text ?? text).length + (parentText?.length ?? 0) + inFiles) / TEXT_CHARS + shown <= 1
}

function isShortToIndex(text: string): boolean {
  return text.length <= INDEX_CHARS || /^[\x00-\x7f]*$/.test(text)
}

/** A copy without unrelated memory, which would be transferred too. Shared memory is passed as is. */
function own(bytes: Buffer): Uint8Array {
  const { buffer } = bytes
  return buffer instanceof ArrayBuffer && buffer.byteLength > 2 * bytes.byteLength ? new Uint8Array(bytes) : bytes
}

function onItsOwn(attachment: OutgoingMessage['attachments'][number]): OutgoingMessage['attachments'][number] {
  return { ...attachment, content: asBuffer(own(attachment.content)) }
}

class CostsTooMuch extends ServiceError {
  constructor(cause: Error) {
    super(
      'unavailable',
      'The message takes too long to read.',
      'Try again in some minutes. If it fails again, simplify its HTML or reduce its parts.',
      { retryAfterSeconds: 60, cause },
    )
  }
}
