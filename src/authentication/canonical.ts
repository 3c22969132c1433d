/** The `relaxed` canonicalization of DKIM (RFC 6376 §3.4.2 and §3.4.4). */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface HeaderField {
  /** Lower case. */
  name: string
  /** The whole field with its folds, without the final CRLF; octets as latin1, so that none is changed. */
  text: string
}

const SPACE = 0x20
const TAB = 0x09
const CR = 0x0d
const LF = 0x0a
/** How much of a body is read between two turns of the event loop: a millisecond where it has white space, a quarter of that else. */
const SLICE_BYTES = 256 * 1024

/**
 * The fields of a header section in their order. A line that starts no field belongs to the field before it, whether it is
 * a fold or not. Between a name and its colon there may be white space and a fold (RFC 5322 §4.5).
 */
export function headerFields(header: Buffer): HeaderField[] {
  const fields: { name: string; lines: string[] }[] = []
  const lines = header.toString('latin1').split(/\r?\n/)
  for (const [i, line] of lines.entries()) {
    if (line === '') continue
    const name = /^([!-9;-~]+)[ \t]*(:|$)/.exec(line)
    const starts = name?.[2] === ':' || (name?.[2] === '' && /^[ \t]+:/.test(lines[i + 1] ?? ''))
    if (name?.[1] !== undefined && starts) fields.push({ name: name[1].toLowerCase(), lines: [line] })
    else fields.at(-1)?.lines.push(line)
  }
  return fields.map((field) => ({ name: field.name, text: field.lines.join('\r\n') }))
}

/** RFC 6376 §3.4.2, without a final CRLF. */
export function relaxedField({ name, text }: HeaderField): string {
  const value = text.slice(text.indexOf(':') + 1)
  // Only space and tab are white space here: `trim` would take octets of other characters too.
  return `${name}:${value
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/^ | $/g, '')}`
}

/**
 * SHA-256 of a body in relaxed form (RFC 6376 §3.4.4): runs of white space become one space, none at the end of a line, no
 * empty lines at the end, and a CRLF at the end of what is left. Long bodies give way to other work on the way.
 *
 * @param body with CRLF line ends
 * @returns base64
 */
export async function relaxedBodyHash(body: Buffer): Promise<string> {
  const hash = createHash('sha256')
  const end = endOfText(body)
  let out: Buffer | undefined
  for (let from = 0; from < end; from += SLICE_BYTES) {
    if (from > 0) await nextTurn()
    const to = Math.min(from + SLICE_BYTES, end)
    if (isRelaxed(body, from, to)) {
      hash.update(body.subarray(from, to))
      continue
    }
    out ??= Buffer.allocUnsafe(Math.min(end, SLICE_BYTES) + 1)
    hash.update(out.subarray(0, relaxSlice(body, from, to, out)))
  }
  if (end > 0) hash.update('\r\n')
  return hash.digest('base64')
}

/** Where the last line that isn't empty ends: what comes after it is white space and line ends. */
function endOfText(body: Buffer): number {
  let end = body.length
  for (;;) {
    const last = body[end - 1]
    if (last === SPACE || last === TAB) end--
    else if (last === LF && body[end - 2] === CR) end -= 2
    else return end
  }
}

/** Whether a slice has no white space that could change, as base64 has none: two searches cost far less than each octet by itself. */
function isRelaxed(body: Buffer, from: number, to: number): boolean {
  const before = body[from - 1]
  if (before === SPACE || before === TAB) return false
  const slice = body.subarray(from, to)
  return !slice.includes(SPACE) && !slice.includes(TAB)
}

/** @returns how many octets were written to `out`: at most one more than there are in the slice */
function relaxSlice(body: Buffer, from: number, to: number, out: Buffer): number {
  let written = 0
  let space = body[from - 1] === SPACE || body[from - 1] === TAB
  for (let at = from; at < to; at++) {
    const octet = body[at]
    if (octet === undefined) break
    if (octet === SPACE || octet === TAB) {
      space = true
      continue
    }
    // White space is written when text follows it, and not when the line ends.
    if (space && !(octet === CR && body[at + 1] === LF)) out[written++] = SPACE
    space = false
    out[written++] = octet
  }
  return written
}
