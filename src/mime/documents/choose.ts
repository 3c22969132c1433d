/**
 * Which files of a message are read in a thread: its PDFs and pictures, those within the HTML and in forwarded messages too, as far as the limits go.
 */
import { readParts } from '../part.js'
import { FORWARDED_LIMITS, isMessage, MAX_FORWARDED_DEPTH } from '../structure.js'
import { MessageFormatError, type ParsedAttachment, type ParsedMessage, type ParseLimits } from '../types.js'
import { pictureFormat, pictureSize } from '../files/picture-size.js'

export interface FileToRead {
  kind: 'pdf' | 'picture'
  /** Index of its attachment, or of the forwarded message it is in; undefined for a picture within the HTML. */
  attachment: number | undefined
  /** Undefined beyond the limits; then the file is told as not read. */
  content: Uint8Array | undefined
}

const MAX_FILES = { pdf: 4, picture: 8 }
const MAX_BYTES = { pdf: 10 * 1024 * 1024, picture: 8 * 1024 * 1024 }
/** Of all files of one message. */
const MAX_TOTAL_BYTES = 24 * 1024 * 1024
/** A photo of a telephone. Reading takes a second or two at most. */
const MAX_PIXELS = 16_000_000
/** ISO/IEC 18004 §5.3.1: the smallest QR code has 21 modules a side. */
const MIN_SIDE = 21
/** ISO 32000-1 annex H, implementation note 13: the header may be anywhere in the first 1024 bytes. */
const PDF_HEADER_BYTES = 1024

type Chosen = Pick<ParsedMessage, 'html'> & {
  attachments: Pick<ParsedAttachment, 'part' | 'filename' | 'contentType' | 'sizeBytes' | 'file' | 'archive'>[]
}

/** @returns none for a message without PDFs and pictures, at no cost */
export async function filesToRead(
  raw: Buffer,
  { attachments, html }: Chosen,
  limits: ParseLimits,
  limit = createLimit(),
  depth = 0,
): Promise<FileToRead[]> {
  const files: (Omit<FileToRead, 'content'> & { part: number | undefined })[] = []
  for (const [index, attachment] of attachments.entries()) {
    const kind = kindOf(attachment)
    if (kind)
      files.push({
        kind,
        attachment: index,
        part: limit.takes(kind, attachment.sizeBytes) ? attachment.part : undefined,
      })
  }
  const parts = files.flatMap(({ part }) => part ?? [])
  const contents = parts.length > 0 ? await readParts(raw, parts, limits) : new Map<number, Buffer>()
  const attached = files.flatMap(({ part, ...file }): FileToRead[] => {
    const content = part === undefined ? undefined : contents.get(part)
    return content && !isWorthReading(file.kind, content) ? [] : [withinPixels({ ...file, content })]
  })
  const embedded = [...picturesIn(html ?? '')]
    .filter((content) => isWorthReading('picture', content))
    .map((content) => ({
      kind: 'picture' as const,
      attachment: undefined,
      content: limit.takes('picture', content.length) ? content : undefined,
    }))
  return [
    ...attached,
    ...embedded.map(withinPixels),
    ...(await inForwarded(raw, attachments, limits, { limit, depth })),
  ]
}

const READ_BY_NAME = /\.(?:pdf|png|jpe?g|gif|webp|bmp|tiff?|avif|hei[cf]|jxl|jp2)$/i

/** Those of messages that are forwarded in this one. */
async function inForwarded(
  raw: Buffer,
  attachments: Chosen['attachments'],
  limits: ParseLimits,
  { limit, depth }: { limit: Limit; depth: number },
): Promise<FileToRead[]> {
  // What is deeper was not read, and is told.
  if (depth === MAX_FORWARDED_DEPTH) return []
  const files: FileToRead[] = []
  for (const [index, attachment] of attachments.entries()) {
    const { part, archive } = attachment
    if (!isMessage(attachment) || archive?.names.some((name) => READ_BY_NAME.test(name)) !== true) continue
    const content = (await readParts(raw, [part], limits)).get(part)
    if (!content) continue
    const { parseMessage } = await import('../parse/parse.js')
    try {
      const inside = await filesToRead(
        content,
        await parseMessage(content, FORWARDED_LIMITS),
        FORWARDED_LIMITS,
        limit,
        depth + 1,
      )
      files.push(...inside.map((file) => ({ ...file, attachment: index })))
    } catch (error) {
      // That it was not read is told already.
      if (!(error instanceof MessageFormatError)) throw error
    }
  }
  return files
}

type Limit = ReturnType<typeof createLimit>

function createLimit() {
  const left = { ...MAX_FILES, bytes: MAX_TOTAL_BYTES }
  return {
    takes(kind: FileToRead['kind'], bytes: number): boolean {
      if (left[kind] === 0 || bytes > MAX_BYTES[kind] || bytes > left.bytes) return false
      left[kind]--
      left.bytes -= bytes
      return true
    },
  }
}

function kindOf({ filename, contentType, file }: Chosen['attachments'][number]): FileToRead['kind'] | undefined {
  if (file?.kind === 'pdf' || file?.kind === 'picture') return file.kind
  const isNamedPdf = /\.pdf$/i.test(filename) || /^application\/(?:x-)?pdf$/i.test(contentType)
  return file?.kind === undefined && isNamedPdf ? 'pdf' : undefined
}

/** What only has the name of a PDF opens nowhere; a picture of a few pixels has no code in it. */
function isWorthReading(kind: FileToRead['kind'], content: Uint8Array): boolean {
  if (kind === 'pdf') return Buffer.from(content.subarray(0, PDF_HEADER_BYTES)).includes('%PDF-')
  const size = pictureSize(content)
  // Of a format that is not read here; that is told.
  if (size === undefined) return pictureFormat(content) !== undefined
  return Math.min(size.width, size.height) >= MIN_SIDE
}

function withinPixels(file: FileToRead): FileToRead {
  const size = file.kind === 'picture' && file.content ? pictureSize(file.content) : undefined
  return size && size.width * size.height > MAX_PIXELS ? { ...file, content: undefined } : file
}

const DATA_PICTURE =
  /data:image\/(?:png|x-png|jpe?g|gif|webp|bmp|x-ms-bmp|tiff?|avif|hei[cf]|jxl|jp2)\s{0,5}(?:;[\w=-]{1,40}){0,5};\s{0,5}base64\s{0,5},/gi
const END_OF_URL = /["'()<>]/g
/** More than are read, so that those beyond the limit are told. */
const MAX_EMBEDDED = 2 * MAX_FILES.picture

/** Pictures in `data:` URLs (RFC 2397). */
function* picturesIn(html: string): Generator<Uint8Array> {
  let count = 0
  for (const { index, 0: start } of html.matchAll(DATA_PICTURE)) {
    const from = index + start.length
    END_OF_URL.lastIndex = from
    const to = END_OF_URL.exec(html)?.index ?? html.length
    const encoded = html.slice(from, Math.min(to, from + 2 * MAX_BYTES.picture))
    yield Buffer.from(encoded.replaceAll(/%2b/gi, '+').replaceAll(/%2f/gi, '/').replaceAll(/%3d/gi, '='), 'base64')
    if (++count === MAX_EMBEDDED) return
  }
}
