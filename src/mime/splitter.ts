/**
 * mailsplit with delimiter lines read as RFC 2046 §5.1.1 and §5.1.2 have it, which the library does not:
 *
 * - white space, and what comes behind it, belongs to the line and not to the boundary;
 * - the delimiter of any multipart around a part ends it, so that an inner multipart without an end can't swallow the outer one's parts;
 * - a part whose header has no end is a part, and so is one that begins with its text instead of a header or an empty line.
 */
import { type MimeNode, Splitter } from 'mailsplit'
import { hasHeader } from './headers.js'
import { boundaryOf } from './parameters.js'

const LF = 0x0a
const CR = 0x0d
const DASH = 0x2d
const SPACE = 0x20
const TAB = 0x09

/** What mailsplit calls the lines that matter to it. */
type Delimiter = 'child' | 'end of children' | 'sibling' | 'end of siblings'
/** mailsplit's name for being past the header. */
const BODY = 2
const CODES: Record<Delimiter, 1 | 2 | 3 | 4> = { child: 1, 'end of children': 2, sibling: 3, 'end of siblings': 4 }

export class DelimiterSplitter extends Splitter {
  /** The part that lines belong to now. */
  declare private node: MimeNode
  declare private inEpilogue: boolean
  declare private state: number
  private readonly boundaries = new Map<MimeNode, Buffer | null>()
  /** Where the line begins that ended a part, as an offset in the buffer that the line is a view of. */
  readonly ends = new Map<MimeNode, number>()

  /** Called by mailsplit for each line; the last one of a message may have the line end in front of it. */
  checkBoundary(line: Buffer): 1 | 2 | 3 | 4 | false {
    const start = line[0] === CR && line[1] === LF ? 2 : line[0] === LF && line.length > 1 ? 1 : 0
    const delimiter = line[start] === DASH && line[start + 1] === DASH && this.findDelimiter(line, start)
    if (delimiter) return CODES[delimiter]
    if (!this.node.headers && this.node._headerlen === 0 && this.node.parentNode && !hasHeader(line)) {
      this.endHeader()
      this.state = BODY
    }
    return false
  }

  private findDelimiter(line: Buffer, start: number): Delimiter | false {
    const own = this.inEpilogue ? null : this.boundary(this.node)
    const ofOwn = own && compare(line, start, own)
    if (ofOwn) return ofOwn === 'next' ? 'child' : 'end of children'

    let child = this.node
    for (let owner = child._parentBoundaryOwner; owner; owner = child._parentBoundaryOwner) {
      const boundary = this.boundary(owner)
      const found = boundary && compare(line, start, boundary)
      if (found) {
        this.leaveTo(child, line.byteOffset)
        return found === 'next' ? 'sibling' : 'end of siblings'
      }
      child = owner
    }
    return false
  }

  /** Ends all parts from the present one up to `last`, which is the one mailsplit then goes on from. */
  private leaveTo(last: MimeNode, offset: number): void {
    if (!this.node.headers) this.endHeader()
    for (let node: MimeNode | false = this.node; node; node = node._parentBoundaryOwner) {
      if (!this.ends.has(node)) this.ends.set(node, offset)
      if (node === last) break
    }
    this.node = last
  }

  private endHeader(): void {
    this.node.parseHeaders()
    this.push(this.node)
  }

  private boundary(node: MimeNode): Buffer | null {
    if (!node.headers) return null
    const known = this.boundaries.get(node)
    if (known !== undefined) return known
    const boundary = boundaryOf(node)
    this.boundaries.set(node, boundary)
    return boundary
  }
}

function compare(line: Buffer, start: number, boundary: Buffer): 'next' | 'end' | false {
  const text = start + 2
  const after = text + boundary.length
  if (line.length < after) return false
  // Boundaries of one message begin alike and end unlike; a call into the platform for each line would cost more than the loop.
  for (let i = boundary.length - 1; i >= 0; i--) if (line[text + i] !== boundary[i]) return false
  if (isLineEndOrSpace(line[after])) return 'next'
  return line[after] === DASH && line[after + 1] === DASH && isLineEndOrSpace(line[after + 2]) ? 'end' : false
}

function isLineEndOrSpace(octet: number | undefined): boolean {
  return octet === undefined || octet === LF || octet === CR || octet === SPACE || octet === TAB
}
