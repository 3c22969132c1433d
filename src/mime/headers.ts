/** The raw header block of a message: finding its end, and adding, removing and counting fields without changing any other byte (RFC 5322 §2.2). */

import { claimsToBe } from './authserv-id.js'

const LF = 0x0a
const CR = 0x0d

interface Field {
  start: number
  /** Just past the last line end of the field, continuation lines included. */
  end: number
  name: string
}

/**
 * Length of the header section including the empty line that ends it: the only definition of where a body begins. Line ends may be CRLF or LF.
 *
 * @param endsAt true if the header ends before the line at this offset, without an empty line: where a part is cut short
 * @returns 0 when the message begins with its text, and the length of the whole message when it has no body
 */
export function headerLength(raw: Buffer, endsAt?: (line: number) => boolean): number {
  if (endsAt?.(0)) return 0
  // RFC 5322 §2.1: an empty first line is an empty header.
  if (raw[0] === LF) return 1
  if (raw[0] === CR && raw[1] === LF) return 2
  if (!hasHeader(raw)) return 0
  for (let at = raw.indexOf(LF); at !== -1; at = raw.indexOf(LF, at + 1)) {
    if (raw[at + 1] === LF) return at + 2
    if (raw[at + 1] === CR && raw[at + 2] === LF) return at + 3
    if (endsAt?.(at + 1)) return at + 1
  }
  return raw.length
}

/** Bytes that are enough to recognize a header: no field name in use is longer. */
export const HEADER_START_BYTES = 256

/** True if a message begins with a header, or with the line that separates it from its body. Some senders write no header at all. */
export function hasHeader(raw: Buffer): boolean {
  const first = raw.toString('latin1', 0, HEADER_START_BYTES)
  // `From ` is the line before a message in an mbox file (RFC 4155); white space before the colon is obsolete (RFC 5322 §4.5).
  return raw.length === 0 || /^(?:\r?\n|>?From |[ \t]*[!-9;-~\x80-\xff]+(?:\r?\n)?[ \t]*:)/.test(first)
}

/**
 * Adds fields at the top of a message. One without a header also gets the empty line that keeps its text from becoming part of it.
 *
 * @param fields whole fields, `Name: value`, folded with CRLF
 * @param original the message as received, if fields were removed from its header since
 */
export function prependFields(raw: Buffer, fields: string[], original = raw): Buffer {
  return Buffer.concat([blockOf(original, fields), raw])
}

/**
 * The same within the buffer of the message.
 *
 * @param headroom unused bytes before the message in its buffer
 * @returns undefined when the fields don't fit
 */
export function prependInPlace(raw: Buffer, fields: string[], headroom: number): Buffer | undefined {
  const block = blockOf(raw, fields)
  if (block.length > headroom || block.length > raw.byteOffset) return undefined
  const whole = Buffer.from(raw.buffer, raw.byteOffset - block.length, block.length + raw.length)
  block.copy(whole)
  return whole
}

function blockOf(original: Buffer, fields: string[]): Buffer {
  const block = fields.map((field) => `${field.replace(/[\r\n]+$/, '')}\r\n`).join('')
  return Buffer.from(hasHeader(original) ? block : `${block}\r\n`, 'utf8')
}

/** Removes the fields with these names, in lower case. */
export function removeFields(raw: Buffer, names: ReadonlySet<string>): Buffer {
  return without(raw, ({ name }) => names.has(name))
}

/** Removes Authentication-Results fields that claim to be ours (RFC 8601 §5), however they spell our name. Fields of other servers stay. */
export function removeAuthenticationResults(raw: Buffer, authservId: string): Buffer {
  return without(
    raw,
    ({ name, start, end }) =>
      name === 'authentication-results' &&
      claimsToBe(raw.toString('latin1', raw.indexOf(':', start) + 1, end), authservId),
  )
}

function without(raw: Buffer, isLeftOut: (field: Field) => boolean): Buffer {
  const kept: Buffer[] = []
  let from = 0
  for (const field of fields(raw)) {
    if (!isLeftOut(field)) continue
    kept.push(raw.subarray(from, field.start))
    from = field.end
  }
  return from === 0 ? raw : Buffer.concat([...kept, raw.subarray(from)])
}

/** Number of fields with this name in the header of the message itself (not of its parts). */
export function countField(raw: Buffer, name: string): number {
  const wanted = name.toLowerCase()
  let count = 0
  for (const field of fields(raw)) if (field.name === wanted) count++
  return count
}

function* fields(raw: Buffer): Generator<Field> {
  if (!hasHeader(raw)) return
  for (let start = 0; start < raw.length;) {
    let end = lineEnd(raw, start)
    if (isBlank(raw, start, end)) return
    while (raw[end] === 0x20 || raw[end] === 0x09) end = lineEnd(raw, end)
    // Within the field: a search up to the end of the message, for each line without a colon, would take as long as a stranger wants.
    const length = raw.subarray(start, end).indexOf(':')
    // Space before the colon is obsolete but still accepted (RFC 5322 §4.5).
    const name =
      length === -1
        ? ''
        : raw
            .toString('latin1', start, start + length)
            .trim()
            .toLowerCase()
    yield { start, end, name }
    start = end
  }
}

/** Just past the line feed that ends the line, or the end of the message. */
function lineEnd(raw: Buffer, start: number): number {
  const at = raw.indexOf(LF, start)
  return at === -1 ? raw.length : at + 1
}

function isBlank(raw: Buffer, start: number, end: number): boolean {
  return end - start === 1 ? raw[start] === LF : end - start === 2 && raw[start] === CR && raw[start + 1] === LF
}
