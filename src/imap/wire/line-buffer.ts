/** One line as its octets arrive. Lines end with CRLF only: bare CR, bare LF and NUL are defects (RFC 9051 §4, §9: TEXT-CHAR, CRLF). */
import { OctetBuffer } from './octet-buffer.js'

export type LineDefect = 'bare CR' | 'bare LF' | 'NUL' | 'too long'

const CR = 0x0d
const LF = 0x0a
const CRLF_BYTES = 2
/** Enough for the announcement of a literal with a number of 20 digits. */
const TAIL_BYTES = 64
const NOTHING = Buffer.alloc(0)

export class LineBuffer {
  readonly #start: OctetBuffer
  #tail: Buffer = NOTHING
  #size = 0
  #defect: LineDefect | undefined
  #last = 0

  /** @param maxBytes of the line without CRLF */
  constructor(private readonly maxBytes: number) {
    this.#start = new OctetBuffer(maxBytes + CRLF_BYTES)
  }

  /** Octets so far, those that are not kept included. */
  get size(): number {
    return this.#size
  }

  /** The first that there is. */
  get defect(): LineDefect | undefined {
    return this.#defect
  }

  /** @param piece not empty; has LF only as its last octet @returns true if the line is complete */
  append(piece: Buffer): boolean {
    const endsWithLf = piece.at(-1) === LF
    const isComplete = endsWithLf && (piece.length > 1 ? piece.at(-2) : this.#last) === CR
    this.#defect ??= this.#firstDefect(piece, isComplete)
    this.#size += piece.length
    this.#last = piece.at(-1) ?? 0
    this.#start.append(piece)
    this.#keepTail(piece)
    return isComplete
  }

  /** The line without CRLF; of a longer one its start. */
  text(): Buffer {
    const kept = this.#start.octets()
    return kept.subarray(0, Math.min(this.maxBytes, Math.max(0, this.#size - CRLF_BYTES)))
  }

  /** The last octets of a complete line, without CRLF. */
  tail(): string {
    return this.#tail.toString('latin1', 0, this.#tail.length - CRLF_BYTES)
  }

  /** The same, whatever the pieces. */
  #firstDefect(piece: Buffer, isComplete: boolean): LineDefect | undefined {
    const bareLf = piece.at(-1) === LF && !isComplete ? piece.length - 1 : Infinity
    // CR is the last octet within the limit when CRLF is not complete yet.
    const excess = this.maxBytes + 1 - this.#size
    const isLonger = piece.length > (isComplete ? excess + 1 : excess)
    const places: [LineDefect, number][] = [
      ['NUL', placeOf(piece, 0)],
      ['bare CR', this.#placeOfBareCr(piece)],
      ['bare LF', bareLf],
      ['too long', isLonger ? excess : Infinity],
    ]
    const [first] = places.filter(([, place]) => place < Infinity).sort((a, b) => a[1] - b[1])
    return first?.[0]
  }

  #placeOfBareCr(piece: Buffer): number {
    if (this.#last === CR && piece[0] !== LF) return -1
    const cr = piece.indexOf(CR)
    return cr !== -1 && cr < piece.length - 1 && piece[cr + 1] !== LF ? cr : Infinity
  }

  #keepTail(piece: Buffer): void {
    const end = piece.subarray(-TAIL_BYTES)
    // Copied: a few octets must not retain a whole packet.
    this.#tail = Buffer.concat([this.#tail, end]).subarray(-TAIL_BYTES)
  }
}

function placeOf(piece: Buffer, octet: number): number {
  const at = piece.indexOf(octet)
  return at === -1 ? Infinity : at
}
