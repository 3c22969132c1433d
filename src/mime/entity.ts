/** Content fields in the header of a message, or of one of its parts (RFC 2045, RFC 2183, RFC 2231, RFC 2392). */
import { extname } from 'node:path'
import libmime from 'libmime'
import { fieldValue, readParameters } from './parameters.js'
import { decodeWords } from './words.js'

export interface Entity {
  /** Lower case; `text/plain` when missing or unreadable (RFC 2045 §5.2). */
  contentType: string
  charset: string
  /** Lower case, '' when missing. */
  encoding: string
  /** Lower case, '' when missing. */
  disposition: string
  /** Decoded but otherwise unchanged; '' when missing. */
  filename: string
  contentId: string
  /** Method of a calendar part (RFC 5546 §1.4), as written; '' when missing. */
  method: string
  /** Boundary of a multipart, '' for none. */
  boundary: string
  flowed: boolean
  deleteSpace: boolean
  headerLines: HeaderLine[]
  children: Entity[]
  /** Encoded, a view of the message. Empty for entities with children. */
  content: Buffer
  /** -1 for a multipart. */
  leaf: number
}

/** A header field with its octets as characters. */
export interface HeaderLine {
  /** Its name in lower case, '' when it has no colon. */
  key: string
  /** Folded and encoded, as received. */
  line: string
}

const NOTHING = Buffer.alloc(0)

/** Parses a header. @param header one octet a character @param parentType type of the enclosing multipart */
export function readEntity(header: string, parentType?: string): Entity {
  const headerLines = readHeaderLines(header)
  const valueOf = (name: string): string => fieldValue(headerLines.find(({ key }) => key === name)?.line)
  const declared = valueOf('content-type')
  const type = readParameters(declared)
  const disposition = readParameters(valueOf('content-disposition'))
  // The last two are not standard: old senders wrote them, and programs that open files read them.
  const { name, file } = type.params
  const filename = decodeWords(disposition.params['filename'] || name || file || disposition.params['name'] || '')
  return {
    contentType: mediaType(type.value) ?? typeByName(declared === '', disposition, filename, parentType),
    charset: /^(?:charset=)?["']?([\w.:+-]*)/i.exec(type.params['charset']?.trim() ?? '')?.[1] ?? '',
    encoding: /^[\w-]+/.exec(withoutComments(valueOf('content-transfer-encoding')))?.[0].toLowerCase() ?? '',
    disposition: disposition.value,
    filename,
    contentId: valueOf('content-id')
      .replace(/^\s*<|>\s*$/g, '')
      .trim()
      .slice(0, 998),
    method: type.params['method'] ?? '',
    boundary: type.params['boundary'] ?? '',
    flowed: type.params['format']?.trim().toLowerCase() === 'flowed',
    deleteSpace: type.params['delsp']?.trim().toLowerCase() === 'yes',
    headerLines,
    children: [],
    content: NOTHING,
    leaf: -1,
  }
}

const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const TAB = 0x09

/** Skips a first line that is no field but precedes a message in a mailbox file (RFC 4155) or in a posted one. */
function readHeaderLines(header: string): HeaderLine[] {
  const lines: HeaderLine[] = []
  let end = header.length
  while (end > 0 && isLineEnd(header.charCodeAt(end - 1))) end--
  for (let start = 0, next = 0; start === 0 || start < end; start = next) {
    do {
      const at = header.indexOf('\n', next)
      next = at === -1 || at >= end ? end + 1 : at + 1
    } while (next < end && isBlank(header.charCodeAt(next)))
    const last = next > end ? end : header.charCodeAt(next - 2) === CR ? next - 2 : next - 1
    const line = header.slice(start, last)
    if (start === 0 && /^(?:from|post) /i.test(line)) continue
    lines.push({
      key: line
        .slice(0, Math.max(line.indexOf(':'), 0))
        .toLowerCase()
        .trim(),
      line,
    })
  }
  return lines
}

const isLineEnd = (code: number): boolean => code === LF || code === CR
const isBlank = (code: number): boolean => code === SPACE || code === TAB

/** RFC 2045 §5.1; text after it, where a semicolon was forgotten, is ignored. */
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}/

function mediaType(declared: string): string | undefined {
  // RFC 2046 §5.1.3: an unknown kind of multipart is read as mixed.
  return MEDIA_TYPE.exec(declared)?.[0] ?? (declared.startsWith('multipart/') ? 'multipart/mixed' : undefined)
}

/** The type of a part whose type is missing or unreadable. */
function typeByName(
  isMissing: boolean,
  disposition: { value: string; params: Record<string, string> },
  filename: string,
  parentType: string | undefined,
): string {
  if (!isMissing) return filename === '' ? 'text/plain' : libmime.detectMimeType(filename)
  // RFC 2046 §5.1.5: in a digest, the default type is a message.
  if (parentType === 'multipart/digest') return 'message/rfc822'
  const extension = extname(disposition.params['filename'] ?? '').slice(1)
  if (extension !== '') return libmime.detectMimeType(extension)
  return disposition.value === 'attachment' ? 'application/octet-stream' : 'text/plain'
}

/** Comments may stand anywhere (RFC 5322 §3.2.2); one that is never closed takes the rest. */
function withoutComments(value: string): string {
  return value.includes('(') ? value.replace(/\([^()]*(?:\)|$)/g, ' ').trim() : value.trim()
}
