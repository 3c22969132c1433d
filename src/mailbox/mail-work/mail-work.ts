/**
 * Work on mail whose cost others control: a message may take seconds to parse. Short work runs in place, within a few milliseconds; the rest in threads, fairly
 * among callers (lib/thread-pool.ts).
 */
import { SECOND } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { ThreadPool, TookTooLong, type Asker } from '../../lib/thread-pool.js'
import { MessageFormatError, type OutgoingMessage, type ParsedMessage, type ParseLimits } from '../../mime/types.js'
import { asBuffer } from '../../store/keys.js'
import { runMailJob, type Composed, type Given, type MailJob, type MailJobKind, type Result } from './mail-jobs.js'
import type { MessagePart } from '../objects/objects.js'
import type { PartContent } from '../objects/parts.js'

export type { Composed } from './mail-jobs.js'

/** A thread's answer: the result of its job, or why the message cannot be read. */
export type Done = { value: Result<MailJobKind> } | { refused: string }

type AnyJob = Pick<MailJob, 'kind' | 'given'>

/** All methods throw the reason of the caller's signal once aborted, and ServiceError `rate_limited` or `unavailable` when too much is waiting. */
export interface MailWork {
  /**
   * Composes a message and parses it as its recipients will. Over `maxBytes` only its size is returned.
   *
   * @throws MessageFormatError
   */
  compose(given: Given<'compose'>, asker: Asker): Promise<Composed | { bytes: number }>
  /** @throws MessageFormatError */
  parse(raw: Buffer, limits: ParseLimits, asker: Asker): Promise<ParsedMessage>
  /** @throws MessageFormatError */
  parts(raw: Buffer, limits: ParseLimits, asker: Asker): Promise<MessagePart[]>
  /** Undefined for an unknown part. @throws MessageFormatError */
  part(raw: Buffer, part: number, limits: ParseLimits, asker: Asker): Promise<PartContent | undefined>
  /** Several parts by number, in one pass; unknown ones are left out. @throws MessageFormatError */
  files(raw: Buffer, parts: number[], limits: ParseLimits, asker: Asker): Promise<Map<number, Buffer>>
  /** A sanitized copy; null if it exceeds the limits of time and memory. */
  safeHtml(html: string, asker: Asker): Promise<string | null>
  htmlText(content: Buffer, asker: Asker): Promise<string>
  words(given: Given<'words'>, asker: Asker): Promise<string[]>
  close(): Promise<void>
}

/** Max sizes for work in place. Adversarial text of this length takes 10 ms, ordinary text under 1 ms; a handover costs 0.5 ms. HTML is four times as slow. */
const TEXT_CHARS = 16 * 1024
const HTML_CHARS = 4 * 1024
const RAW_BYTES = 16 * 1024
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
export function mailWorkInPlace(): MailWork {
  return mailWorkIn(undefined)
}

function mailWorkIn(pool: ThreadPool<AnyJob, Done> | undefined): MailWork {
  const inPlace = async <K extends MailJobKind>(job: MailJob<K>): Promise<Result<K>> => (await runMailJob(job)).value

  async function inThread<K extends MailJobKind>(job: MailJob<K>, asker: Asker): Promise<Result<K>> {
    if (!pool) return inPlace(job)
    const done = await pool.run(job, asker).catch((error: unknown) => {
      throw error instanceof TookTooLong ? new CostsTooMuch(error) : error
    })
    if ('refused' in done) throw new MessageFormatError(done.refused)
    // A thread returns the result type of its job.
    return done.value as Result<K>
  }

  const run = <K extends MailJobKind>(isShort: boolean, job: MailJob<K>, asker: Asker): Promise<Result<K>> =>
    isShort ? inPlace(job) : inThread(job, asker)

  return {
    async compose(given, asker) {
      const message = { ...given.message, attachments: given.message.attachments.map(onItsOwn) }
      const composed = await run(isShort(message), { kind: 'compose', given: { ...given, message } }, asker)
      return 'raw' in composed ? { ...composed, raw: asBuffer(composed.raw) } : composed
    },
    parse: (raw, limits, asker) =>
      run(raw.length <= RAW_BYTES, { kind: 'parse', given: { raw: own(raw), limits } }, asker),
    parts: (raw, limits, asker) =>
      run(raw.length <= RAW_BYTES, { kind: 'parts', given: { raw: own(raw), limits } }, asker),
    async part(raw, part, limits, asker) {
      const found = await run(raw.length <= RAW_BYTES, { kind: 'part', given: { raw: own(raw), part, limits } }, asker)
      return found && { ...found, content: asBuffer(found.content) }
    },
    async files(raw, parts, limits, asker) {
      const given = { raw: own(raw), parts, limits }
      const files = await run(raw.length <= RAW_BYTES, { kind: 'files', given }, asker)
      return new Map([...files].map(([part, content]) => [part, asBuffer(content)]))
    },
    safeHtml: (html, asker) =>
      run(html.length <= HTML_CHARS, { kind: 'safeHtml', given: { html } }, asker).catch((error: unknown) => {
        // Such HTML is adversarial.
        if (error instanceof CostsTooMuch) return null
        throw error
      }),
    htmlText: (content, asker) =>
      run(content.length <= HTML_CHARS, { kind: 'htmlText', given: { content: own(content) } }, asker),
    words: (given, asker) => run(isShortToIndex(given.content.text), { kind: 'words', given }, asker),
    close: async () => pool?.close(),
  }
}

function isShort({ text, html, attachments }: Pick<OutgoingMessage, 'text' | 'html' | 'attachments'>): boolean {
  const bytes = attachments.reduce((sum, { content }) => sum + content.length, 0)
  const words = text.length / TEXT_CHARS + (html?.length ?? 0) / HTML_CHARS
  return words + bytes / FILE_BYTES + attachments.length / FILES <= 1
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
      'Try again in some minutes; if that does not help, its HTML or its parts are too many: make it simpler.',
      { retryAfterSeconds: 60, cause },
    )
  }
}
