/** Octets of a section of a message (RFC 9051 §6.4.5.1): views of it, except of chosen fields. */
import { fieldsOf } from './fields.js'
import type { Part, PartialRange, Section, SectionText } from './types.js'

const NOTHING = Buffer.alloc(0)
const NUL_SUBSTITUTE = 0x80

/**
 * The octets of `BODY[section]<partial>`; empty when there is no such section.
 *
 * @param root of `structureOf`
 */
export function sectionOf(raw: Buffer, root: Part, { path, text }: Section, partial?: PartialRange): Buffer {
  return withoutNul(partOf(wholeSection(raw, root, path, text), partial))
}

/** The octets of `BODY[HEADER…]` of the message itself, for which only the header is needed. @param header with the empty line that ends it */
export function headerSectionOf(
  header: Buffer,
  text: SectionText & { kind: 'header' | 'fields' },
  partial?: PartialRange,
): Buffer {
  return withoutNul(partOf(text.kind === 'header' ? header : chosenFields(header, text), partial))
}

/** The part with this number; undefined for none. Number 1 of a message that is no multipart is the message itself, whose header is that of the part. */
export function partAt(root: Part, path: readonly number[]): Part | undefined {
  let candidates = partsOfMessage(root)
  let part: Part | undefined
  for (const number of path) {
    part = candidates[number - 1]
    if (!part) return undefined
    candidates = part.kind === 'multipart' ? part.parts : part.kind === 'message' ? partsOfMessage(part.message) : []
  }
  return part
}

/** A partial fetch that begins past the end is empty. */
export function partOf(octets: Buffer, partial: PartialRange | undefined): Buffer {
  return partial ? octets.subarray(partial.offset, partial.offset + partial.length) : octets
}

const partsOfMessage = (message: Part): readonly Part[] => (message.kind === 'multipart' ? message.parts : [message])

function wholeSection(raw: Buffer, root: Part, path: readonly number[], text: SectionText): Buffer {
  const part = path.length === 0 ? undefined : partAt(root, path)
  if (text.kind === 'mime') return part ? raw.subarray(part.headerAt, part.bodyAt) : NOTHING
  if (text.kind === 'whole') {
    if (path.length === 0) return raw
    return part ? raw.subarray(part.bodyAt, part.end) : NOTHING
  }
  // Only messages have these.
  const message = path.length === 0 ? root : part?.kind === 'message' ? part.message : undefined
  if (!message) return NOTHING
  const header = raw.subarray(message.headerAt, message.bodyAt)
  switch (text.kind) {
    case 'header':
      return header
    case 'fields':
      return chosenFields(header, text)
    case 'text':
      return raw.subarray(message.bodyAt, message.end)
  }
}

/** Whole fields, as they are, in the order of the header; then the empty line, if there is one (RFC 9051 §7.5.2). */
function chosenFields(header: Buffer, { names, not }: SectionText & { kind: 'fields' }): Buffer {
  const chosen = new Set(names.map((name) => name.toLowerCase()))
  const text = header.toString('latin1')
  const fields = fieldsOf(text)
  const pieces = fields
    .filter(({ name }) => chosen.has(name) !== not)
    .map(({ start, end }) => header.subarray(start, end))
  const emptyLine = header.subarray(fields.at(-1)?.end ?? 0)
  return Buffer.concat([...pieces, emptyLine])
}

/** NUL may be in no string of the protocol (RFC 9051 §4.3); reception refuses it. The length stays, as does all the rest. */
function withoutNul(octets: Buffer): Buffer {
  return octets.includes(0) ? Buffer.from(octets.map((octet) => (octet === 0 ? NUL_SUBSTITUTE : octet))) : octets
}
