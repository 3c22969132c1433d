/** The raw header block of a message: adding, removing and counting fields without touching any other byte (RFC 5322 §2.2). */

import { claimsToBe } from './authserv-id.js'

const LF = 0x0a
const CR = 0x0d

interface Field {
  start: number
  /** Just past the last line end of the field, continuation lines included. */
  end: number
  name: string
}

/** RFC 5322 §2.2, with the obsolete space before the colon (§4.5); and the line some mailbox formats put on top of a message. */
const FIRST_LINE = /^(?:[!-9;-~]+[ \t]*:|>?From )/
/** A name longer than this is none. */
const FIRST_LINE_BYTES = 256

/**
 * Whether a message begins with a header. One that begins with anything else, a blank line too, is all body (RFC 5322 §3.5 has the header
 * first, and nothing is lost where it is missing).
 */
export function hasHeader(raw: Buffer): boolean {
  return FIRST_LINE.test(raw.toString('latin1', 0, FIRST_LINE_BYTES))
}

/**
 * Puts fields on top of a message. One without a header gets the blank line that then has to stand between these fields and its text.
 *
 * @param fields whole fields, `Name: value`, folded with CRLF where they are folded
 */
export function prependFields(raw: Buffer, fields: string[]): Buffer {
  const block = fields.map((field) => `${field.replace(/[\r\n]+$/, '')}\r\n`).join('')
  const separator = hasHeader(raw) || isBlank(raw, 0, lineEnd(raw, 0)) ? '' : '\r\n'
  return Buffer.concat([Buffer.from(block + separator, 'utf8'), raw])
}

/**
 * Removes Authentication-Results fields that claim to be ours (RFC 8601 §5), however they spell our name. Fields of other servers
 * stay.
 */
export function removeAuthenticationResults(raw: Buffer, authservId: string): Buffer {
  const kept: Buffer[] = []
  let from = 0
  for (const field of fields(raw)) {
    if (field.name !== 'authentication-results') continue
    if (!claimsToBe(raw.toString('latin1', raw.indexOf(':', field.start) + 1, field.end), authservId)) continue
    kept.push(raw.subarray(from, field.start))
    from = field.end
  }
  return from === 0 ? raw : Buffer.concat([...kept, raw.subarray(from)])
}

/** How often a field stands in the header of the message itself (not of its parts). */
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
    const colon = raw.indexOf(':', start)
    // Space before the colon is obsolete and still taken (RFC 5322 §4.5).
    const name = colon === -1 || colon >= end ? '' : raw.toString('latin1', start, colon).trim().toLowerCase()
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
