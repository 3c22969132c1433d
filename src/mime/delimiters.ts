/** Lines that end a part of a multipart (RFC 2046 §5.1.1), found by the boundaries of all multiparts that are open. */

const LF = 0x0a
const CR = 0x0d
const DASH = 0x2d
const SPACE = 0x20
const TAB = 0x09
const LINE_WITH_DASHES = Buffer.from('\n--')
const NEAR_OCTETS = 64

/** A multipart without its end so far. */
export interface OpenMultipart {
  boundary: Buffer
  /** Its parts that have begun. */
  children: readonly unknown[]
}

export interface Delimiter {
  /** Offset of the line, and of the next one. */
  line: number
  next: number
  /** Index of its multipart among the open ones, from the outermost. */
  owner: number
  isLast: boolean
}

/**
 * The next line that ends a part.
 *
 * @param from a start of a line
 * @param until where to stop: a start of a line, or the end
 */
export function findDelimiter(
  raw: Buffer,
  from: number,
  open: readonly OpenMultipart[],
  until = raw.length,
): Delimiter | undefined {
  if (open.length === 0) return undefined
  for (let line = from; line < until;) {
    const found = delimiterAt(raw, line, open)
    if (found) return found
    line = lineWithDashes(raw, line, until)
  }
  return undefined
}

/** Offset of the next line with dashes; `until` for none. A platform call costs as much as some hundred octets. */
function lineWithDashes(raw: Buffer, from: number, until: number): number {
  const near = Math.min(from + NEAR_OCTETS, until)
  for (let at = from; at < near; at++) if (raw[at] === LF && raw[at + 1] === DASH && raw[at + 2] === DASH) return at + 1
  const searched = until === raw.length ? raw : raw.subarray(0, until)
  const at = searched.indexOf(LINE_WITH_DASHES, near)
  return at === -1 ? until : at + 1
}

/**
 * The delimiter of any enclosing multipart ends a part, so that an unterminated inner multipart can't swallow the outer one's parts (RFC 2046
 * §5.1.2). An end before the first part is ignored.
 *
 * @returns undefined when the line is none
 */
export function delimiterAt(raw: Buffer, line: number, open: readonly OpenMultipart[]): Delimiter | undefined {
  if (raw[line] !== DASH || raw[line + 1] !== DASH) return undefined
  for (let owner = open.length - 1; owner >= 0; owner--) {
    const { boundary, children } = open[owner] ?? {}
    const kind = boundary && compare(raw, line, boundary)
    if (!kind) continue
    if (kind === 'last' && children?.length === 0) return undefined
    const end = raw.indexOf(LF, line)
    return { line, next: end === -1 ? raw.length : end + 1, owner, isLast: kind === 'last' }
  }
  return undefined
}

/** White space, and text after it, belongs to the line and not to the boundary. */
function compare(raw: Buffer, line: number, boundary: Buffer): 'next' | 'last' | undefined {
  const text = line + 2
  const after = text + boundary.length
  // Boundaries of one message have common prefixes; a platform call per line would cost more than the loop.
  for (let i = boundary.length - 1; i >= 0; i--) if (raw[text + i] !== boundary[i]) return undefined
  if (isLineEndOrSpace(raw[after])) return 'next'
  return raw[after] === DASH && raw[after + 1] === DASH && isLineEndOrSpace(raw[after + 2]) ? 'last' : undefined
}

function isLineEndOrSpace(octet: number | undefined): boolean {
  return octet === undefined || octet === LF || octet === CR || octet === SPACE || octet === TAB
}

/** Where the content before a delimiter ends: the line end before it belongs to the delimiter (RFC 2046 §5.1.1). */
export function contentEnd(raw: Buffer, start: number, line: number): number {
  const end = line > start ? line - 1 : line
  return end > start && raw[end - 1] === CR ? end - 1 : end
}
