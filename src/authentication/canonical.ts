/** The canonical forms of DKIM (RFC 6376 §3.4), for header fields and bodies. */
import { createHash, type Hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

export type Canonicalization = 'simple' | 'relaxed'

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
const CRLF = Buffer.from('\r\n')
/** Octets of a body read in one turn of the event loop: a millisecond with white space, otherwise a quarter of that. */
const SLICE_BYTES = 256 * 1024
/** White space and a fold are allowed between a name and its colon (RFC 5322 §4.5). */
const FIELD_START = /([!-9;-~]+)[ \t]*(?:\r\n[ \t]+)?:/y

/** The fields of a header section in their order. A line that starts no field belongs to the field before it, whether it is a fold or not. */
export function headerFields(header: Buffer): HeaderField[] {
  const latin1 = header.toString('latin1')
  const text = /(?<!\r)\n/.test(latin1) ? latin1.replace(/\r?\n/g, '\r\n') : latin1
  const fields: HeaderField[] = []
  let [name, from] = ['', 0]
  const endAt = (end: number): void => {
    while (end > from && text.endsWith('\r\n', end)) end -= 2
    if (name !== '') fields.push({ name, text: text.slice(from, end) })
  }
  for (let at = 0; at < text.length;) {
    FIELD_START.lastIndex = at
    const started = FIELD_START.exec(text)?.[1]
    if (started !== undefined) {
      endAt(at)
      name = started.toLowerCase()
      from = at
    }
    const lineEnd = text.indexOf('\r\n', at)
    at = lineEnd === -1 ? text.length : lineEnd + 2
  }
  endAt(text.length)
  return fields
}

/** The value of a field after its colon, still folded. */
export function valueOf({ text }: HeaderField): string {
  return text.slice(text.indexOf(':') + 1)
}

/** RFC 6376 §3.4.2, without a final CRLF. */
export function relaxedField(field: HeaderField): string {
  const unfolded = valueOf(field).replaceAll('\r\n', '')
  // Only space and tab are white space here: `trim` would remove octets of other characters too.
  const value = unfolded.replace(/\t[ \t]*| [ \t]+/g, ' ')
  return `${field.name}:${value.slice(value.startsWith(' ') ? 1 : 0, value.endsWith(' ') ? -1 : undefined)}`
}

const OWN_VALUE = /((?:^[^:]*:|;)[\t\r\n ]*b[\t\r\n ]*=)[^;]*/

/** A signature field as it is signed: with an empty `b=` (RFC 6376 §3.7). */
export function withoutSignature({ name, text }: HeaderField): HeaderField {
  return { name, text: text.replace(OWN_VALUE, '$1') }
}

/** RFC 6376 §5.4.2: of repeated fields, the last one in the message comes first. A name without a field stands for a missing field. */
export function selectFields(fields: HeaderField[], names: string[]): HeaderField[] {
  const left = new Map<string, HeaderField[]>()
  for (const name of names) left.set(name.toLowerCase(), [])
  for (const field of fields) left.get(field.name)?.push(field)
  return names.flatMap((name) => left.get(name.toLowerCase())?.pop() ?? [])
}

/** A running hash of a body in canonical form, up to a length. */
export interface BodyHash {
  readonly form: Canonicalization
  /** Octets of the canonical form so far, including those past the limit. */
  length: number
  update(chunk: Buffer): void
  /** @returns base64 */
  digest(): string
}

export function createBodyHash(
  form: Canonicalization,
  algorithm: 'sha256' | 'sha1' = 'sha256',
  maxLength = Infinity,
): BodyHash {
  const hash: Hash = createHash(algorithm)
  let digest: string | undefined
  return {
    form,
    length: 0,
    update(chunk) {
      const left = maxLength - this.length
      if (left > 0) hash.update(left < chunk.length ? chunk.subarray(0, left) : chunk)
      this.length += chunk.length
    },
    digest: () => (digest ??= hash.digest('base64')),
  }
}

/** SHA-256 of a body in relaxed form, in base64. */
export async function relaxedBodyHash(body: Buffer): Promise<string> {
  const hash = createBodyHash('relaxed')
  await hashBody(body, [hash])
  return hash.digest()
}

/** Feeds a body to hashes, each in its canonical form. @param body with CRLF line ends, since SMTP accepts no others */
export async function hashBody(body: Buffer, hashes: BodyHash[]): Promise<void> {
  for (const form of ['relaxed', 'simple'] as const) {
    const own = hashes.filter((hash) => hash.form === form)
    if (own.length > 0) await eachChunk(body, form, (chunk) => own.forEach((hash) => hash.update(chunk)))
  }
}

/**
 * RFC 6376 §3.4.3 and §3.4.4: no empty lines at the end, and a CRLF at the end of the rest. In relaxed form runs of white space become one space, and
 * white space at the end of a line is removed. Long bodies yield to other work.
 */
async function eachChunk(body: Buffer, form: Canonicalization, take: (chunk: Buffer) => void): Promise<void> {
  const end = endOfText(body, form)
  let out: Buffer | undefined
  for (let from = 0; from < end; from += SLICE_BYTES) {
    if (from > 0) await nextTurn()
    const to = Math.min(from + SLICE_BYTES, end)
    if (form === 'simple' || isRelaxed(body, from, to)) {
      take(body.subarray(from, to))
      continue
    }
    out ??= Buffer.allocUnsafe(Math.min(end, SLICE_BYTES) + 1)
    take(out.subarray(0, relaxSlice(body, from, to, out)))
  }
  // An empty body is one CRLF in simple form, and nothing in relaxed form.
  if (end > 0 || form === 'simple') take(CRLF)
}

/** The end of the last line that is not empty. In relaxed form a line of white space counts as empty. */
function endOfText(body: Buffer, form: Canonicalization): number {
  let end = body.length
  for (;;) {
    const last = body[end - 1]
    if (form === 'relaxed' && isSpace(last)) end--
    else if (last === LF && body[end - 2] === CR) end -= 2
    else return end
  }
}

/** True if a slice has no white space that could change; most bodies have none. */
function isRelaxed(body: Buffer, from: number, to: number): boolean {
  // White space at the edge depends on the neighbouring slice.
  if (isSpace(body[from - 1]) || isSpace(body[to - 1])) return false
  const slice = body.subarray(from, to)
  if (slice.includes(TAB)) return false
  // Base64 has none, and a search costs far less than a loop over the octets.
  return !slice.includes(SPACE) || !/ [ \r]/.test(slice.toString('latin1'))
}

function isSpace(octet: number | undefined): boolean {
  return octet === SPACE || octet === TAB
}

/** @returns the number of octets written to `out`: at most one more than in the slice */
function relaxSlice(body: Buffer, from: number, to: number, out: Buffer): number {
  let written = 0
  let space = isSpace(body[from - 1])
  for (let at = from; at < to; at++) {
    const octet = body[at]
    if (octet === undefined) break
    if (octet === SPACE || octet === TAB) {
      space = true
      continue
    }
    // White space is written when text follows it, but not at the end of a line.
    if (space && !(octet === CR && body[at + 1] === LF)) out[written++] = SPACE
    space = false
    out[written++] = octet
  }
  return written
}
