/**
 * Reads what an attachment is and does from its bytes while they are decoded. Only kinds that are read here are kept in memory, within a budget for
 * the whole message; a file beyond it is told as not read.
 */
import { watchArchive, type ArchiveBudget } from '../archive/archive.js'
import { decodeText, htmlCharset } from '../charset.js'
import { htmlToText } from '../html/html.js'
import { findLinks } from '../html/links.js'
import { visibleText } from '../html/visible.js'
import {
  MAX_FILE_TEXT_CHARS,
  MAX_FILE_LINKS,
  type ArchiveContents,
  type AttachmentInside,
  type FileFacts,
  type FileKind,
} from '../types.js'
import { imageNames, oneNoteFacts, shortcutFacts, urlFileFacts } from './carriers.js'
import { kindOf } from './kind.js'
import { isOffice, officeFacts, oleFacts } from './office.js'
import { pageFacts } from './page.js'
import { zipEntries, type ZipEntry } from './zip-entries.js'

/** Limits for all attachments of one message together. */
export interface FileBudget {
  keptBytes: number
  unpackedBytes: number
}

const MAX_FILE_BYTES = 8 * 1024 * 1024
/** Enough for the descriptor of a disk image. */
const HEAD_BYTES = 34 * 1024
/** Only the beginning of a text file is read. */
const TEXT_BYTES = 64 * 1024
/** Pages are read from both ends: a script behind a long picture is at the end. */
const PAGE_BYTES = 384 * 1024
const MAX_NESTED = 8
const MAX_NESTED_NAMES = 500

export const fileBudget = (): FileBudget => ({ keptBytes: 16 * 1024 * 1024, unpackedBytes: 8 * 1024 * 1024 })

type Reading = FileKind | 'page' | 'svg' | 'url' | 'text' | 'none'

/** @param archives what archives in archives may cost, of the same message */
export function watchFile(
  declared: { filename: string; contentType: string },
  budget: FileBudget,
  archives: ArchiveBudget,
) {
  const kept: Buffer[] = []
  let keptBytes = 0
  let seenBytes = 0
  let kind: FileKind | undefined
  let reading: Reading | undefined

  function decide(): void {
    const head = Buffer.concat(kept)
    kept.splice(0, kept.length, head)
    kind = kindOf(head)
    reading = readingOf(kind, declared, head)
    if (!isKept(reading)) kept.length = 0
  }

  return {
    push(piece: Buffer): void {
      seenBytes += piece.length
      if (reading !== undefined && !isKept(reading)) return
      const most = reading === 'text' ? TEXT_BYTES : MAX_FILE_BYTES
      const room = Math.min(most - keptBytes, budget.keptBytes)
      if (room <= 0) return
      const taken = piece.subarray(0, room)
      kept.push(Buffer.from(taken))
      keptBytes += taken.length
      budget.keptBytes -= taken.length
      if (reading === undefined && keptBytes >= HEAD_BYTES) decide()
    },
    /** @param archive what the list of files in it told */
    async end(archive: ArchiveContents | undefined): Promise<AttachmentInside> {
      if (reading === undefined) decide()
      const file = Buffer.concat(kept)
      // What is kept for one file is free again for the next.
      budget.keptBytes += keptBytes
      const isCut = seenBytes > file.length
      const inside =
        reading === 'zip'
          ? await zipInside(file, archive, isCut, budget, archives)
          : insideOf(file, reading ?? 'none', archive, isCut)
      const facts = inside.file ?? { signs: [], links: [] }
      const told = { ...facts, ...(kind === undefined ? {} : { kind }) }
      const isEmpty =
        told.kind === undefined && told.signs.length === 0 && told.links.length === 0 && told.text === undefined
      return { ...(inside.archive ? { archive: inside.archive } : {}), ...(isEmpty ? {} : { file: told }) }
    },
  }
}

function readingOf(
  kind: FileKind | undefined,
  { filename, contentType }: { filename: string; contentType: string },
  head: Buffer,
): Reading {
  if (kind !== undefined) return kind
  if (/\.svgz?$/i.test(filename) || contentType === 'image/svg+xml') return 'svg'
  if (
    /\.(?:x?html?|shtml?|mht|mhtml|xht|hta)$/i.test(filename) ||
    /^(?:text|application\/xhtml)\b.{0,5}html/.test(contentType)
  )
    return 'page'
  if (/\.(?:url|website)$/i.test(filename)) return 'url'
  const start = head.toString('latin1', 0, 512).trimStart()
  if (/^(?:\xef\xbb\xbf)?<(?:!doctype html|html|head|script)\b/i.test(start)) return 'page'
  if (/^\[InternetShortcut\]/i.test(start)) return 'url'
  if (/\.(?:txt|text|ics)$/i.test(filename) || /^text\/(?:plain|calendar)$/.test(contentType)) return 'text'
  return 'none'
}

const NOT_KEPT: ReadonlySet<Reading> = new Set(['program', 'script', 'pdf', 'picture', 'none'])
const isKept = (reading: Reading): boolean => !NOT_KEPT.has(reading)

const NOT_READ: FileFacts = { signs: [{ code: 'not_read', detail: 'too large' }], links: [] }

function insideOf(
  file: Buffer,
  reading: Reading,
  archive: ArchiveContents | undefined,
  isCut: boolean,
): AttachmentInside {
  switch (reading) {
    case 'shortcut':
      return { file: shortcutFacts(file) }
    case 'ole':
      return { file: oleFacts(file) }
    case 'onenote':
      return { file: oneNoteFacts(file) }
    case 'url':
      return { file: urlFileFacts(file.toString('latin1', 0, 64 * 1024)) }
    case 'page':
    case 'svg': {
      const page = textOf(file)
      return { file: withText(pageFacts(page, reading === 'svg'), htmlToText(page)) }
    }
    case 'text': {
      const written = textOf(file.subarray(0, TEXT_BYTES))
      const text = /^\s{0,8}BEGIN:VCALENDAR/i.test(written) ? unfolded(written) : written
      return { file: withText({ signs: [], links: findLinks(text, null).slice(0, MAX_FILE_LINKS) }, text) }
    }
    case 'image': {
      const found = imageNames(file)
      return { ...(found && { archive: { encrypted: false, ...found, partial: found.partial || isCut } }) }
    }
    default:
      return archive ? { archive } : {}
  }
}

/** Lines of a calendar in one piece, and the line breaks in their values (RFC 5545 §3.1, §3.3.11). */
function unfolded(calendar: string): string {
  return calendar
    .replace(/\r?\n[ \t]/g, '')
    .replace(/\\n/gi, '\n')
    .replace(/\\([,;\\])/g, '$1')
}

/** Adds the text that readers see. */
function withText(facts: FileFacts, text: string): FileFacts {
  const visible = visibleText(text).trim().slice(0, MAX_FILE_TEXT_CHARS)
  return visible === '' ? facts : { ...facts, text: visible }
}

function textOf(file: Buffer): string {
  const half = PAGE_BYTES / 2
  const ends = file.length <= PAGE_BYTES ? file : Buffer.concat([file.subarray(0, half), file.subarray(-half)])
  // The Encoding Standard, "BOM sniff": the mark counts before any declaration.
  const mark = ends.toString('hex', 0, 2)
  const charset = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : htmlCharset(ends)
  return decodeText(ends, charset)
}

async function zipInside(
  file: Buffer,
  archive: ArchiveContents | undefined,
  isCut: boolean,
  budget: FileBudget,
  archives: ArchiveBudget,
): Promise<AttachmentInside> {
  const names = archive?.names ?? []
  if (isCut) return { ...(archive && { archive }), ...(isOffice(names) && { file: NOT_READ }) }
  const unpacked = { bytes: budget.unpackedBytes }
  const entries = zipEntries(file, unpacked)
  const isDocument = isOffice(entries.map(({ name }) => name))
  const facts = isDocument ? documentFacts(entries) : undefined
  const nested = !isDocument && archive ? await withNested(archive, entries, unpacked, archives) : archive
  budget.unpackedBytes = unpacked.bytes
  return { ...(nested && { archive: nested }), ...(facts && { file: facts }) }
}

function documentFacts(entries: readonly ZipEntry[]): FileFacts {
  const { text, ...facts } = officeFacts(entries)
  return withText(facts, text)
}

const NESTED = /\.(?:zip|7z|rar|iso|img|cab|tar|t?gz|t?xz|t?bz2?|t?zst|lz|ace|lzh|lha)$/i

/** Names in archives within the archive, one level: `inner.zip/run.exe`. One that can't be listed makes the list partial. */
async function withNested(
  archive: ArchiveContents,
  entries: ZipEntry[],
  unpacked: { bytes: number },
  archives: ArchiveBudget,
): Promise<ArchiveContents> {
  const names = [...archive.names]
  let { encrypted, partial = false } = archive
  for (const [index, entry] of entries.filter(({ name }) => NESTED.test(name)).entries()) {
    const content = index < MAX_NESTED ? entry.read() : undefined
    const inner = content && (imageNames(content) ?? (await contentsOf(content, archives)))
    if (inner === undefined || inner.partial === true) partial = true
    // A single file that is packed has its name without what says so.
    const single = inner && inner.names.length > 0 ? undefined : /([^/]+)\.(?:gz|xz|bz2|zst)$/i.exec(entry.name)?.[1]
    if (inner && 'encrypted' in inner && inner.encrypted) encrypted = true
    for (const name of [...(inner?.names ?? []), ...(single === undefined ? [] : [single])])
      if (names.length < archive.names.length + MAX_NESTED_NAMES) names.push(`${entry.name}/${name}`)
  }
  unpacked.bytes = Math.max(0, unpacked.bytes)
  return { encrypted, names, ...(partial ? { partial } : {}) }
}

function contentsOf(file: Buffer, budget: ArchiveBudget): Promise<ArchiveContents | undefined> {
  const watch = watchArchive(budget)
  watch.push(file)
  return watch.end()
}
