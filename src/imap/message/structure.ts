/**
 * The parts of a message as BODYSTRUCTURE and sections have them (RFC 9051 §7.5.2 and §6.4.5.1, RFC 2046), found in one pass. mime/structure.ts reads
 * messages for people and programs: it decodes, leaves embedded messages closed and forgets where headers and multiparts are. Here these are needed as they
 * are sent. What a delimiter is, and where a header ends, is the same for both.
 */
import { contentEnd, delimiterAt, findDelimiter, type Delimiter, type OpenMultipart } from '../../mime/delimiters.js'
import { headerLength } from '../../mime/headers.js'
import type { ParseLimits } from '../../mime/types.js'
import { asOctets, asText, describe, type Description } from './description.js'
import { envelopeFrom } from './envelope.js'
import { countLines } from './line-counts.js'
import { Turns, TURN_OCTETS } from './turns.js'
import type { Part } from './types.js'

const LF = 0x0a
/** Cost of a part and of a delimiter besides their octets, in octets. */
const PART_OCTETS = 4096
const DELIMITER_OCTETS = 256

interface Reader {
  raw: Buffer
  limits: ParseLimits
  open: OpenMultipart[]
  turns: Turns
  /** Parts that may still follow: of the message itself, and of all messages in it, which are counted apart, since reception doesn't look into them. */
  own: number
  embedded: number
}

/** Where a part stands. */
interface Context {
  /** Multiparts and messages around it. */
  depth: number
  isEmbedded: boolean
  inDigest: boolean
}

/** A part, and the delimiter that ends it. */
interface Read {
  part: Part
  delimiter: Delimiter | undefined
}

/**
 * Reads the structure of any message, however malformed. A large one is read in turns of the event loop.
 *
 * @param limits those of reception: a multipart or message in it that is nested deeper is not opened, and shown as application/octet-stream. Further parts
 *   are left to the multipart's end, and a longer header ends there.
 */
export async function structureOf(raw: Buffer, limits: ParseLimits): Promise<Part> {
  const { maxParts } = limits
  const reader: Reader = { raw, limits, open: [], turns: new Turns(), own: maxParts - 1, embedded: maxParts }
  const { part } = await readPart(reader, 0, { depth: 0, isEmbedded: false, inDigest: false })
  await countLines(raw, part, reader.turns)
  return part
}

async function readPart(reader: Reader, headerAt: number, context: Context): Promise<Read> {
  const { bodyAt, delimiter } = readHeader(reader, headerAt)
  const described = describe(reader.raw.toString('latin1', headerAt, bodyAt), context.inDigest)
  await reader.turns.spend(PART_OCTETS + bodyAt - headerAt)
  if (delimiter) return leaf(reader, closed(described), headerAt, bodyAt, delimiter)
  const isPast = context.depth + 1 >= reader.limits.maxDepth
  if (described.kind === 'multipart' && described.boundary !== '')
    return isPast
      ? readLeaf(reader, asOctets(described), headerAt, bodyAt)
      : readMultipart(reader, described, headerAt, bodyAt, context)
  if (described.kind === 'message')
    return isPast || reader.embedded === 0
      ? readLeaf(reader, asOctets(described), headerAt, bodyAt)
      : readMessage(reader, described, headerAt, bodyAt, context)
  return readLeaf(reader, closed(described), headerAt, bodyAt)
}

/** A header that is too long, or never ends, ends at a line end past the limit. */
function readHeader({ raw, limits, open }: Reader, at: number): { bodyAt: number; delimiter: Delimiter | undefined } {
  const limit = raw.indexOf(LF, at + limits.maxHeaderBytes)
  let delimiter: Delimiter | undefined
  const length = headerLength(limit === -1 ? raw.subarray(at) : raw.subarray(at, limit + 1), (line) => {
    delimiter = delimiterAt(raw, at + line, open)
    return delimiter !== undefined
  })
  return { bodyAt: at + length, delimiter }
}

/** Content without a delimiter or a message in it: a multipart is text then. */
function closed(described: Description): Description {
  if (described.kind === 'multipart') return asText(described)
  return described.kind === 'message' ? asOctets(described) : described
}

async function readLeaf(reader: Reader, described: Description, headerAt: number, bodyAt: number): Promise<Read> {
  return leaf(reader, described, headerAt, bodyAt, await nextDelimiter(reader, bodyAt))
}

function leaf(
  { raw }: Reader,
  described: Description,
  headerAt: number,
  bodyAt: number,
  delimiter: Delimiter | undefined,
): Read {
  const end = endOf(raw, bodyAt, delimiter)
  const { content } = described
  const part: Part =
    described.kind === 'text'
      ? { kind: 'text', headerAt, bodyAt, end, content, lines: 0 }
      : { kind: 'basic', headerAt, bodyAt, end, content }
  return { part, delimiter }
}

async function readMessage(
  reader: Reader,
  described: Description,
  headerAt: number,
  bodyAt: number,
  { depth }: Context,
): Promise<Read> {
  reader.embedded--
  const { part: message, delimiter } = await readPart(reader, bodyAt, {
    depth: depth + 1,
    isEmbedded: true,
    inDigest: false,
  })
  const end = endOf(reader.raw, bodyAt, delimiter)
  const envelope = envelopeFrom(reader.raw.toString('latin1', message.headerAt, message.bodyAt))
  const { content } = described
  return { part: { kind: 'message', headerAt, bodyAt, end, content, lines: 0, envelope, message }, delimiter }
}

async function readMultipart(
  reader: Reader,
  described: Description,
  headerAt: number,
  bodyAt: number,
  { depth, isEmbedded }: Context,
): Promise<Read> {
  const { open } = reader
  const index = open.length
  const parts: Part[] = []
  const begun: number[] = []
  open.push({ boundary: Buffer.from(described.boundary, 'latin1'), children: begun })
  const inner = { depth: depth + 1, isEmbedded, inDigest: described.content.subtype.toLowerCase() === 'digest' }
  let delimiter = await nextDelimiter(reader, bodyAt)
  while (delimiter?.owner === index && !delimiter.isLast) {
    if (takePlace(reader, isEmbedded)) {
      begun.push(delimiter.next)
      const read = await readPart(reader, delimiter.next, inner)
      parts.push(read.part)
      delimiter = read.delimiter
    } else delimiter = await nextDelimiter(reader, delimiter.next)
  }
  open.length = index
  // Text after the last part is of the multipart, up to the next delimiter of an outer one.
  if (delimiter?.owner === index) delimiter = await nextDelimiter(reader, delimiter.next)
  if (parts.length === 0) return leaf(reader, asText(described), headerAt, bodyAt, delimiter)
  const end = endOf(reader.raw, bodyAt, delimiter)
  return { part: { kind: 'multipart', headerAt, bodyAt, end, content: described.content, parts }, delimiter }
}

function takePlace(reader: Reader, isEmbedded: boolean): boolean {
  const left = isEmbedded ? reader.embedded : reader.own
  if (left === 0) return false
  if (isEmbedded) reader.embedded--
  else reader.own--
  return true
}

/** @param from a start of a line */
async function nextDelimiter({ raw, open, turns }: Reader, from: number): Promise<Delimiter | undefined> {
  if (open.length === 0) return undefined
  for (let at = from; at < raw.length;) {
    const limit = raw.indexOf(LF, at + TURN_OCTETS)
    const until = limit === -1 ? raw.length : limit + 1
    const found = findDelimiter(raw, at, open, until)
    await turns.spend(DELIMITER_OCTETS + (found?.line ?? until) - at)
    if (found) return found
    at = until
  }
  return undefined
}

function endOf(raw: Buffer, bodyAt: number, delimiter: Delimiter | undefined): number {
  return delimiter ? contentEnd(raw, bodyAt, delimiter.line) : raw.length
}
