/** Header fields by their place in a header (RFC 5322 §2.2), and their text unfolded. Headers are strings with one octet a character. */

export interface HeaderField {
  /** In lower case; '' for a line without a colon. */
  name: string
  /** Offsets of the field, of its value, and past its last line end. */
  start: number
  value: number
  end: number
}

const LF = 0x0a
const CR = 0x0d
const SPACE = 0x20
const TAB = 0x09
const COLON = 0x3a

/** All fields, in the order of the header. */
export function fieldsOf(header: string): HeaderField[] {
  const fields: HeaderField[] = []
  for (let start = 0; start < header.length;) {
    const first = header.charCodeAt(start)
    if (first === LF || (first === CR && header.charCodeAt(start + 1) === LF)) break
    let end = lineEnd(header, start)
    const colon = colonIn(header, start, end)
    while (isBlank(header.charCodeAt(end))) end = lineEnd(header, end)
    // Space before the colon is obsolete but still accepted (RFC 5322 §4.5), and before the first field too (mime/headers.ts).
    const name = colon === -1 ? '' : header.slice(start, colon).trim().toLowerCase()
    fields.push({ name, start, value: colon + 1, end })
    start = end
  }
  return fields
}

/** The value without its line ends (RFC 5322 §2.2.3) and surrounding white space. */
export function valueOf(header: string, { value, end }: HeaderField): string {
  return unfolded(header.slice(value, end))
}

/** NUL may be in no string of the protocol (RFC 9051 §4.3). */
export function unfolded(text: string): string {
  return text
    .replace(/[\r\n]+/g, '')
    .replaceAll('\0', '?')
    .trim()
}

function lineEnd(header: string, start: number): number {
  const at = header.indexOf('\n', start)
  return at === -1 ? header.length : at + 1
}

/** Within its line: searching on would cost the square of a header without colons. */
function colonIn(header: string, start: number, end: number): number {
  for (let at = start; at < end; at++) if (header.charCodeAt(at) === COLON) return at
  return -1
}

const isBlank = (code: number): boolean => code === SPACE || code === TAB
