/**
 * The parts of a message (RFC 2045, RFC 2046 §5.1), found in one pass over its bytes. Message parts are not opened: a forwarded message is one part.
 * Every leaf has a number, counted from 0 in the order of the raw message. Parsing and `readPart` share this numbering.
 */
import { contentEnd, delimiterAt, findDelimiter, type Delimiter, type OpenMultipart } from './delimiters.js'
import { readEntity, type Entity } from './entity.js'
import { headerLength } from './headers.js'
import { MessageFormatError, type ParseLimits, type PlaceInRaw } from './types.js'

/** Limit for all headers of a message, in multiples of the limit for one: they stay in memory while the message is read. */
const MAX_HEADERS = 4

const LF = 0x0a
const CR = 0x0d

/** @throws MessageFormatError when it has more parts, deeper nesting or longer headers than the limits allow */
export function readStructure(raw: Buffer, limits: ParseLimits): Entity {
  const entities = split(withLineFeeds(raw), limits)
  let leaf = 0
  for (const entity of entities) {
    if (entity.children.length > 0) {
      // Text before the first delimiter is not shown (RFC 2046 §5.1.1).
      entity.content = raw.subarray(0, 0)
      continue
    }
    if (isMultipart(entity)) {
      // Its boundary is missing or never appears: the content is shown as it is.
      entity.contentType = 'text/plain'
      entity.encoding = ''
    }
    entity.leaf = leaf++
  }
  return entities[0]
}

/** Files with CR alone as line end, as on old computers, would have no recognizable lines. */
function withLineFeeds(raw: Buffer): Buffer {
  if (raw.includes(LF) || !raw.includes(CR)) return raw
  return Buffer.from(raw.map((octet) => (octet === CR ? LF : octet)))
}

/** Location of a leaf's content in its message; undefined if it isn't there verbatim. */
export function placeIn(raw: Buffer, { content, encoding }: Entity): PlaceInRaw | undefined {
  const start = content.byteOffset - raw.byteOffset
  if (content.length === 0 || content.buffer !== raw.buffer || start < 0 || start >= raw.length) return undefined
  return { fromEnd: raw.length - start, length: content.length, encoding }
}

/** All leaves under an entity, in the order of the message. */
export function* leaves(entity: Entity): Generator<Entity> {
  if (entity.leaf !== -1) yield entity
  for (const child of entity.children) yield* leaves(child)
}

/** RFC 2046 §5.2.1, RFC 6532 §3.7; and files that programs open as such. */
export function isMessage({ contentType, filename }: { contentType: string; filename: string }): boolean {
  return contentType === 'message/rfc822' || contentType === 'message/global' || /\.eml$/i.test(filename)
}

/** Messages within each other that are read. */
export const MAX_FORWARDED_DEPTH = 3
/** Limits for a forwarded message. */
export const FORWARDED_LIMITS: ParseLimits = { maxHeaderBytes: 64 * 1024, maxParts: 100, maxDepth: 10 }

/** The header of an embedded message, without its content. */
export function headerOf(raw: Buffer): Entity {
  return readEntity(raw.toString('latin1', 0, headerLength(raw)))
}

const isMultipart = ({ contentType }: Entity): boolean => contentType.startsWith('multipart/')

interface Open extends OpenMultipart {
  entity: Entity
}

/** All entities in the order of the message; the first is the message itself. */
function split(raw: Buffer, limits: ParseLimits): [Entity, ...Entity[]] {
  const { maxParts } = limits
  const open: Open[] = []
  const headers = { octets: 0 }
  let part = readHeader(raw, 0, open, headers, limits)
  const entities: [Entity, ...Entity[]] = [part.entity]
  for (;;) {
    let delimiter = part.delimiter ?? readContent(raw, part, open)
    // Text after the end of a multipart is not shown (RFC 2046 §5.1.1).
    while (delimiter?.isLast) {
      open.length = delimiter.owner
      delimiter = findDelimiter(raw, delimiter.next, open)
    }
    if (!delimiter) break
    open.length = delimiter.owner + 1
    if (entities.length === maxParts) throw new MessageFormatError(`message has more than ${maxParts} parts`)
    part = readHeader(raw, delimiter.next, open, headers, limits)
    open.at(-1)?.entity.children.push(part.entity)
    entities.push(part.entity)
  }
  dropNothing(entities, part.entity)
  return entities
}

/** Drops the empty part after a last delimiter that should have been an end. */
function dropNothing(entities: Entity[], last: Entity): void {
  const { headerLines, content } = last
  if (headerLines.some(({ line }) => line !== '') || content.toString('latin1').trim() !== '') return
  const parent = entities.find(({ children }) => children.length > 1 && children.at(-1) === last)
  if (!parent) return
  parent.children.pop()
  entities.pop()
}

interface Part {
  entity: Entity
  /** Offset of its content. */
  start: number
  /** The delimiter that ends it within its header. */
  delimiter: Delimiter | undefined
}

function readHeader(
  raw: Buffer,
  at: number,
  open: readonly Open[],
  headers: { octets: number },
  { maxHeaderBytes, maxDepth }: ParseLimits,
): Part {
  let delimiter: Delimiter | undefined
  const length = headerLength(raw.subarray(at), (line) => {
    delimiter = delimiterAt(raw, at + line, open)
    return delimiter !== undefined
  })
  if (length > maxHeaderBytes) throw new MessageFormatError(`message header is longer than ${maxHeaderBytes} bytes`)
  headers.octets += length
  if (headers.octets > MAX_HEADERS * maxHeaderBytes)
    throw new MessageFormatError(
      `message parts have headers of more than ${MAX_HEADERS * maxHeaderBytes} bytes together`,
    )
  if (open.length >= maxDepth) throw new MessageFormatError(`message parts are nested more than ${maxDepth} deep`)
  const start = at + length
  const entity = readEntity(raw.toString('latin1', at, start), open.at(-1)?.entity.contentType)
  return { entity, start, delimiter }
}

/** @returns the delimiter that ends it; for a multipart, its first one */
function readContent(raw: Buffer, { entity, start }: Part, open: Open[]): Delimiter | undefined {
  if (isMultipart(entity) && entity.boundary !== '')
    open.push({ entity, boundary: Buffer.from(entity.boundary), children: entity.children })
  const delimiter = findDelimiter(raw, start, open)
  entity.content = raw.subarray(start, delimiter ? contentEnd(raw, start, delimiter.line) : raw.length)
  return delimiter
}
