/**
 * Reads the PDFs and pictures of a message in a thread. A file that takes too long, needs too much memory or ends its thread is told as not read: mail is
 * neither lost nor blocked for it. Without such files no thread is started, and threads end when none came for a minute.
 */
import { MINUTE, SECOND } from '../../lib/clock.js'
import { ThreadPool, type Asker } from '../../lib/thread-pool.js'
import { messageOf } from '../../lib/thrown.js'
import type { AttachmentInside, FileFacts, ParsedMessage, ParseLimits } from '../types.js'
import { filesToRead, type FileToRead } from './choose.js'

/** What a thread is given, and answers with `FileFacts`. */
export interface FileJob {
  step: 'picture' | 'pdf objects' | 'pdf pages' | 'pdf pictures'
  content: Uint8Array
}

/** Steps are jobs of their own, the surest first: what fails in one takes nothing from those before it. */
const STEPS: Record<FileToRead['kind'], readonly FileJob['step'][]> = {
  picture: ['picture'],
  pdf: ['pdf objects', 'pdf pages', 'pdf pictures'],
}

export interface FilesRead {
  /** By index of the attachment. */
  attached: Map<number, FileFacts>
  /** Pictures within the HTML. */
  embedded: FileFacts[]
}

export interface FileReaderDeps {
  /** Replaced in tests. */
  code?: URL
  /** Time limit of one step. */
  stepMs?: number
  /** Time limit of all files of a message, waiting included. */
  messageMs?: number
  idleMs?: number
}

/** At least two, so that one owner does not block another. */
const THREADS = 2
/** V8 heap; memory outside of it is limited in the thread (bounded-memory.ts). */
const MAX_HEAP_MB = 256
const MAX_LINKS = 200

export type FileReader = ReturnType<typeof createFileReader>

export function createFileReader({
  code = new URL('./file-thread.js', import.meta.url),
  stepMs = 5 * SECOND,
  messageMs = 10 * SECOND,
  idleMs = MINUTE,
}: FileReaderDeps = {}) {
  let pool: ThreadPool<FileJob, FileFacts> | undefined
  let idle: NodeJS.Timeout | undefined
  let readers = 0

  async function close(): Promise<void> {
    clearTimeout(idle)
    const closing = pool
    pool = undefined
    await closing?.close()
  }

  async function readOne({ kind, content }: FileToRead, asker: Asker): Promise<FileFacts> {
    if (!content) return notRead('beyond the limits of size and number')
    pool ??= new ThreadPool({ code, count: THREADS, deadlineMs: stepMs, maxHeapMb: MAX_HEAP_MB })
    let facts = NOTHING
    try {
      for (const step of STEPS[kind]) {
        facts = together(facts, await pool.run({ step, content }, asker))
        if (facts.signs.some(({ code }) => code === 'not_read' || code === 'encrypted')) break
      }
      return facts
    } catch (error) {
      return together(facts, notRead(asker.signal?.aborted === true ? 'no time was left' : messageOf(error)))
    }
  }

  return {
    /** One after the other. Throws only the reason of the caller's signal once that is aborted. */
    async read(files: readonly FileToRead[], { owner, charge, signal }: Asker): Promise<FilesRead> {
      const read: FilesRead = { attached: new Map(), embedded: [] }
      if (files.length === 0) return read
      const timeOut = AbortSignal.timeout(messageMs)
      const asker = { owner, charge, signal: signal ? AbortSignal.any([signal, timeOut]) : timeOut }
      clearTimeout(idle)
      readers++
      try {
        for (const file of files) {
          const facts = await readOne(file, asker)
          signal?.throwIfAborted()
          if (file.attachment === undefined) read.embedded.push(facts)
          else read.attached.set(file.attachment, together(read.attached.get(file.attachment) ?? NOTHING, facts))
        }
      } finally {
        if (--readers === 0) idle = setTimeout(() => void close(), idleMs).unref()
      }
      return read
    },
    close,
  }
}

const NOTHING: FileFacts = { signs: [], links: [] }

const notRead = (detail: string): FileFacts => ({ signs: [{ code: 'not_read', detail }], links: [] })

function together(a: FileFacts, b: FileFacts): FileFacts {
  const codes = [...(a.codes ?? []), ...(b.codes ?? [])]
  const text = [a.text ?? '', b.text ?? ''].filter((one) => one !== '').join('\n')
  return {
    ...a,
    ...b,
    signs: [...a.signs, ...b.signs.filter(({ code }) => !a.signs.some((sign) => sign.code === code))],
    links: [...new Set([...a.links, ...b.links])].slice(0, MAX_LINKS),
    ...(text !== '' && { text }),
    ...(codes.length > 0 && { codes }),
  }
}

/** Attachments with what was read in them besides. */
export function withRead<T extends AttachmentInside>(attachments: readonly T[], { attached }: FilesRead): T[] {
  return attachments.map((attachment, index) => {
    const read = attached.get(index)
    if (!read) return attachment
    const { file } = attachment
    return { ...attachment, file: file ? together(file, read) : read }
  })
}

/** A parsed message with what its PDFs and pictures say; the same message where it has neither. Throws only the reason of the caller's signal once that is aborted. */
export async function withFilesRead(
  reader: Pick<FileReader, 'read'>,
  { raw, parsed, limits }: { raw: Buffer; parsed: ParsedMessage; limits: ParseLimits },
  asker: Asker,
): Promise<ParsedMessage> {
  const files = await filesToRead(raw, parsed, limits)
  if (files.length === 0) return parsed
  const read = await reader.read(files, asker)
  return { ...parsed, attachments: withRead(parsed.attachments, read), pictures: read.embedded }
}
