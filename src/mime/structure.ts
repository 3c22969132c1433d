/**
 * The parts of a message (RFC 2045, RFC 2046 §5.1), as mailsplit finds them. Message parts are not opened: a forwarded message is one part.
 *
 * Every leaf has a number, counted from 0 in the order of the raw message. Parsing and `readPart` number alike because both come here.
 */
import libmime from 'libmime'
import { MimeNode, Splitter } from 'mailsplit'
import type { MessageChunk } from 'mailsplit'
import { MessageFormatError, type ParseLimits } from './types.js'

/** Multiparts without parts whose boundary is looked for once more; each costs a search through the message. */
const MAX_PADDED = 5
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
  const first = whole(raw, limits) ?? (await split(raw, limits))
  const padded = first.entities.filter(isEmptyMultipart).slice(0, MAX_PADDED).map(boundaryOf)
  const unpadded = padded.length === 0 ? raw : removePadding(raw, padded)
  const { root, entities } = unpadded === raw ? first : await split(unpadded, limits)
  let leaf = 0
  for (const entity of entities) {
    if (entity.children.length > 0) {
      // What stands before the first boundary and after the last is for nobody to see (RFC 2046 §5.1.1).
      entity.pieces = []
      continue
    }
    if (isEmptyMultipart(entity)) {
      // Its boundary is missing or never appears. Better to show what is there than nothing.
      entity.contentType = 'text/plain'
      entity.encoding = ''
    }
    entity.leaf = leaf++
  }
  return root
}

function isEmptyMultipart(entity: Entity): boolean {
  return entity.children.length === 0 && entity.contentType.startsWith('multipart/')
}

function boundaryOf(entity: Entity): string {
  const line = entity.headerLines.find((header) => header.key === 'content-type')?.line ?? ''
  return libmime.parseHeaderValue(line.replace(/\r?\n/g, ' ').slice(line.indexOf(':') + 1)).params['boundary'] ?? ''
}

/** White space after a boundary is padding (RFC 2046 §5.1.1), which mailsplit doesn't know. Rare enough to look for it afterwards. */
function removePadding(raw: Buffer, boundaries: string[]): Buffer {
  const known = boundaries.filter((boundary) => boundary !== '')
  if (known.length === 0) return raw
  const alternatives = known.map((boundary) => boundary.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')
  const text = raw.toString('latin1')
  const cleaned = text.replace(new RegExp(`^(--(?:${alternatives})(?:--)?)[ \\t]{1,1000}(?=\\r?$)`, 'gm'), '$1')
  return cleaned === text ? raw : Buffer.from(cleaned, 'latin1')
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

/** A message without a boundary is one entity, all that follows its header: no need to go through it line by line. */
function whole(raw: Buffer, limits: ParseLimits): Structure | undefined {
  const end = headerEnd(raw)
  if (end === -1 || end > limits.maxHeaderBytes) return undefined
  const node = new MimeNode(false)
  node.addHeaderChunk(raw.subarray(0, end))
  node.parseHeaders()
  if (node._boundary) return undefined
  const root = toEntity(node, undefined)
  if (end < raw.length) root.pieces.push(raw.subarray(end))
  return { root, entities: [root] }
}

/** Just past the first empty line; -1 when there is none. */
function headerEnd(raw: Buffer): number {
  for (let at = 0; at < raw.length;) {
    if (raw[at] === LF) return at + 1
    if (raw[at] === CR && raw[at + 1] === LF) return at + 2
    const lineEnd = raw.indexOf(LF, at)
    if (lineEnd === -1) return -1
    at = lineEnd + 1
  }
  return -1
}

async function split(raw: Buffer, limits: ParseLimits): Promise<Structure> {
  const splitter = new Splitter({
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

function toEntity(node: MimeNode, parent: Entity | undefined): Entity {
  const headerLines = node.headers ? node.headers.getList() : []
  const declared = node.contentType || ''
  const hasType = headerLines.some((header) => header.key === 'content-type')
  // RFC 2046 §5.1.5: in a digest, what has no type is a message.
  const fallback = parent?.contentType === 'multipart/digest' && !hasType ? 'message/rfc822' : 'text/plain'
  const contentId = node.headers ? node.headers.getFirst('Content-ID') : ''
  return {
    contentType:
      hasType || fallback === 'text/plain' ? (/^[^\s/]+\/[^\s/]+$/.test(declared) ? declared : fallback) : fallback,
    charset: node.charset || '',
    encoding: node.encoding || '',
    disposition: node.disposition || '',
    filename: node.filename || '',
    contentId: contentId
      .replace(/^\s*<|>\s*$/g, '')
      .trim()
      .slice(0, 998),
    flowed: node.flowed,
    deleteSpace: node.delSp,
    headerLines,
    children: [],
    pieces: [],
    leaf: -1,
  }
}
