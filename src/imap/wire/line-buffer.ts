/** One line as its octets arrive. Lines end with CRLF only: bare CR, bare LF and NUL are defects (RFC 9051 §4, §9: TEXT-CHAR, CRLF). */
import { OctetBuffer } from './octet-buffer.js'

export type LineDefect = 'bare CR' | 'bare LF' | 'NUL' | 'too long'

const CR = 0x0d
const LF = 0x0a
const CRLF_BYTES = 2
/** Enough for the announcement of a literal with a number of 20 digits. */
const TAIL_BYTES = 64

export class LineBuffer {
  readonly #start: OctetBuffer
  #tail = Buffer.alloc(0)
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

  /** The first defect. */
  get defect(): LineDefect | undefined {
    return this.#defect
  }

  /** @param piece not empty; has LF only as its last octet @returns true if the line is complete */
  append(piece: Buffer): boolean {
    const endsWithLf = piece.at(-1) === LF
    const beforeLf = piece.length > 1 ? piece.at(-2) : this.#last
    if (piece.includes(0)) this.#defect ??= 'NUL'
    if (this.#hasBareCr(piece)) this.#defect ??= 'bare CR'
    if (endsWithLf && beforeLf !== CR) this.#defect ??= 'bare LF'
    this.#size += piece.length
    this.#last = piece.at(-1) ?? 0
    this.#start.append(piece)
    this.#keepTail(piece)
    const isComplete = endsWithLf && beforeLf === CR
    if (this.#size > this.maxBytes + (isComplete ? CRLF_BYTES : 1)) this.#defect ??= 'too long'
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

  #hasBareCr(piece: Buffer): boolean {
    if (this.#last === CR && piece[0] !== LF) return true
    const cr = piece.indexOf(CR)
    return cr !== -1 && cr < piece.length - 1 && piece[cr + 1] !== LF
  }

  #keepTail(piece: Buffer): void {
    const end = piece.subarray(-TAIL_BYTES)
    // Copied: a few octets must not retain a whole packet.
    this.#tail = Buffer.concat([this.#tail, end]).subarray(-TAIL_BYTES)
  }
}
