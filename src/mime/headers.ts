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

/**
 * Puts fields on top of a message.
 *
 * @param fields whole fields, `Name: value`, folded with CRLF where they are folded
 */
export function prependFields(raw: Buffer, fields: string[]): Buffer {
  const block = fields.map((field) => `${field.replace(/[\r\n]+$/, '')}\r\n`).join('')
  return Buffer.concat([Buffer.from(block, 'utf8'), raw])
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
