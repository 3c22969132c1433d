/**
 * The parts of a message (RFC 2045, RFC 2046 §5.1), as mailsplit finds them. Message parts are not opened: a forwarded message is one part.
 *
 * Every leaf has a number, counted from 0 in the order of the raw message. Parsing and `readPart` number alike because both come here.
 */
import libmime from 'libmime'
import { MimeNode } from 'mailsplit'
import type { MessageChunk } from 'mailsplit'
import { headerLength } from './headers.js'
import { boundaryOf, parameterField } from './parameters.js'
import { DelimiterSplitter } from './splitter.js'
import { MessageFormatError, type ParseLimits, type PlaceInRaw } from './types.js'
import { decodeWords } from './words.js'

/** All headers of a message together may be so many times as long as one: each is kept until the message is read. */
const MAX_HEADERS = 4

const LF = 0x0a
const CR = 0x0d

export interface Entity {
  /** Lower case; `text/plain` when missing or unreadable (RFC 2045 §5.2). */
  contentType: string
  charset: string
  /** Lower case, '' when missing. */
  encoding: string
  /** Lower case, '' when missing. */
  disposition: string
  /** As the sender wrote it, decoded; '' when there is none. */
  filename: string
  contentId: string
  /** What a calendar part asks for (RFC 5546 §1.4), as written; '' when it is missing. */
  method: string
  flowed: boolean
  deleteSpace: boolean
  /** Raw header lines, still folded and encoded, one octet a character. */
  headerLines: { key: string; line: string }[]
  children: Entity[]
  /** Encoded content, in order; views of the raw message. */
  pieces: Buffer[]
  /** -1 for a multipart. */
  leaf: number
}

/**
 * Splits a message into its parts.
 *
 * @throws MessageFormatError when it has more parts, deeper nesting or longer headers than the limits allow
 */
export async function readStructure(raw: Buffer, limits: ParseLimits): Promise<Entity> {
  const message = withLineFeeds(raw)
  const { root, entities } = whole(message, limits) ?? (await split(message, limits))
  let leaf = 0
  for (const entity of entities) {
    if (entity.children.length > 0) {
      // What stands before the first boundary and after the last is for nobody to see (RFC 2046 §5.1.1).
      entity.pieces = []
      continue
    }
    if (entity.contentType.startsWith('multipart/')) {
      // Its boundary is missing or never appears. Better to show what is there than nothing.
      entity.contentType = 'text/plain'
      entity.encoding = ''
    }
    entity.leaf = leaf++
  }
  return root
}

/** A file whose lines end in CR alone, as they once did on one kind of computer, has no line that anybody would find. */
function withLineFeeds(raw: Buffer): Buffer {
  if (raw.includes(LF) || !raw.includes(CR)) return raw
  return Buffer.from(raw.map((octet) => (octet === CR ? LF : octet)))
}

/** Where the content of a leaf stands in the message that it was read from; undefined where it is not in one piece there. */
export function placeIn(raw: Buffer, { pieces, encoding }: Entity): PlaceInRaw | undefined {
  const [first] = pieces
  if (!first || first.buffer !== raw.buffer) return undefined
  let end = first.byteOffset
  for (const piece of pieces) {
    if (piece.buffer !== raw.buffer || piece.byteOffset !== end) return undefined
    end += piece.length
  }
  return { fromEnd: raw.byteOffset + raw.length - first.byteOffset, length: end - first.byteOffset, encoding }
}

/** All leaves under an entity, in the order of the message. */
export function* leaves(entity: Entity): Generator<Entity> {
  if (entity.leaf !== -1) yield entity
  for (const child of entity.children) yield* leaves(child)
}

interface Structure {
  root: Entity
  entities: Entity[]
}

/** A message that is no multipart is one entity, all that follows its header: no need to go through it line by line. */
function whole(raw: Buffer, limits: ParseLimits): Structure | undefined {
  const end = headerLength(raw)
  if (end > limits.maxHeaderBytes) return undefined
  const node = new MimeNode(false)
  node.addHeaderChunk(raw.subarray(0, end))
  node.parseHeaders()
  if (boundaryOf(node)) return undefined
  const root = toEntity(node, undefined)
  if (end < raw.length) root.pieces.push(raw.subarray(end))
  return { root, entities: [root] }
}

/** The header of a message that is part of another, without its content. */
export function headerOf(raw: Buffer): Entity {
  const node = new MimeNode(false)
  node.addHeaderChunk(raw.subarray(0, headerLength(raw)))
  node.parseHeaders()
  return toEntity(node, undefined)
}

async function split(raw: Buffer, limits: ParseLimits): Promise<Structure> {
  const splitter = new DelimiterSplitter({
    maxHeadSize: limits.maxHeaderBytes,
    maxChildNodes: limits.maxParts,
    ignoreEmbedded: true,
  })
  const entities: Entity[] = []
  const known = new Map<MimeNode, { entity: Entity; depth: number }>()
  let headerChars = 0

  const enter = (node: MimeNode): void => {
    if (known.has(node)) return
    const parent = node.parentNode ? known.get(node.parentNode) : undefined
    const depth = parent ? parent.depth + 1 : 1
    if (depth > limits.maxDepth)
      throw new MessageFormatError(`message parts are nested more than ${limits.maxDepth} deep`)
    const entity = toEntity(node, parent?.entity)
    headerChars += entity.headerLines.reduce((sum, { line }) => sum + line.length, 0)
    if (headerChars > MAX_HEADERS * limits.maxHeaderBytes)
      throw new MessageFormatError(
        `message parts have headers of more than ${MAX_HEADERS * limits.maxHeaderBytes} bytes together`,
      )
    parent?.entity.children.push(entity)
    entities.push(entity)
    known.set(node, { entity, depth })
  }

  splitter.end(raw)
  try {
    const chunks: AsyncIterable<MimeNode | MessageChunk> = splitter
    for await (const chunk of chunks) {
      // Until its header has ended, only the boundary line in front of it comes under a node's name.
      if (chunk.type === 'node') enter(chunk)
      else if (chunk.value && chunk.value.length > 0) known.get(chunk.node)?.entity.pieces.push(chunk.value)
    }
  } catch (error) {
    throw error instanceof MessageFormatError ? error : new MessageFormatError(splitProblem(error, limits))
  }
  for (const [node, end] of splitter.ends) clip(known.get(node)?.entity, end)
  const last = entities.at(-1)
  if (last && isNothing(last)) dropLast(entities)
  const root = entities[0]
  if (!root) throw new MessageFormatError('message has no header')
  return { root, entities }
}

function splitProblem(error: unknown, limits: ParseLimits): string {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EMAXLEN')
    return 'message structure is unreadable'
  return /header/i.test(error.message)
    ? `message header is longer than ${limits.maxHeaderBytes} bytes`
    : `message has more than ${limits.maxParts} parts`
}

/** Takes from a part without parts of its own what mailsplit counts to it beyond its end; the line end before the delimiter is the delimiter's. */
function clip(entity: Entity | undefined, end: number): void {
  if (!entity?.contentType.startsWith('multipart/') || entity.children.length > 0) return
  entity.pieces = entity.pieces.flatMap((piece) => {
    const length = Math.min(piece.length, end - piece.byteOffset)
    return length > 0 ? [piece.subarray(0, length)] : []
  })
}

/** What follows when the last delimiter should have been an end and wasn't. */
function isNothing(entity: Entity): boolean {
  return (
    entity.headerLines.every(({ line }) => line === '') &&
    entity.pieces.every((piece) => piece.toString('latin1').trim() === '')
  )
}

function dropLast(entities: Entity[]): void {
  const last = entities.at(-1)
  const parent = entities.find(({ children }) => last && children.at(-1) === last && children.length > 1)
  if (!parent) return
  parent.children.pop()
  entities.pop()
}

function toEntity(node: MimeNode, parent: Entity | undefined): Entity {
  const headerLines = node.headers ? node.headers.getList() : []
  const type = parameterField(node, 'content-type')
  const disposition = parameterField(node, 'content-disposition')
  const contentId = node.headers ? node.headers.getFirst('Content-ID') : ''
  const filename = decodeWords(
    // The last two stand in no rule: old senders wrote them, and programs that open files read them.
    disposition.params['filename'] || type.params['name'] || type.params['file'] || disposition.params['name'] || '',
  )
  return {
    contentType: contentTypeOf(node, type.value, parent, filename),
    charset: /^(?:charset=)?["']?([\w.:+-]*)/i.exec(type.params['charset']?.trim() ?? '')?.[1] ?? '',
    encoding: /^[\w-]+/.exec(node.encoding || '')?.[0] ?? '',
    disposition: disposition.value,
    filename,
    contentId: contentId
      .replace(/^\s*<|>\s*$/g, '')
      .trim()
      .slice(0, 998),
    method: type.params['method'] ?? '',
    flowed: type.params['format']?.trim().toLowerCase() === 'flowed',
    deleteSpace: type.params['delsp']?.trim().toLowerCase() === 'yes',
    headerLines,
    children: [],
    pieces: [],
    leaf: -1,
  }
}

/** RFC 2045 §5.1; what follows it, where a semicolon was forgotten, is left out. */
const MEDIA_TYPE = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}/

function contentTypeOf(node: MimeNode, declared: string, parent: Entity | undefined, filename: string): string {
  const readable = MEDIA_TYPE.exec(declared)?.[0]
  if (readable !== undefined) return readable
  const isMissing = !node.headers || node.headers.getFirst('Content-Type') === ''
  // RFC 2046 §5.1.5: in a digest, what has no type is a message.
  if (isMissing && parent?.contentType === 'multipart/digest') return 'message/rfc822'
  // Where there is no type at all, mailsplit goes by the extension of the file name.
  if (isMissing) return node.contentType || 'text/plain'
  return filename === '' ? 'text/plain' : libmime.detectMimeType(filename)
}
