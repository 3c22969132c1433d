/** Splits input into command lines, however packets are cut. CRLF ends a line; a bare LF too, as a defect (RFC 5321 §2.3.8). */

/** A malformed line is not parsed further. */
export type LineDefect = 'bare LF' | 'too long'

export interface CommandLine {
  /** Without CRLF, truncated at the limit. */
  line: Buffer
  defect: LineDefect | undefined
  /** Offset of the next line in the chunk. */
  end: number
}

const CR = 0x0d
const LF = 0x0a
/** Longer lines are skipped up to this size; beyond it the line is endless. */
const ENDLESS_BYTES = 64 * 1024

export class LineReader {
  /** Start of the current line, up to the limit. */
  #begun: Buffer[] = []
  #begunBytes = 0

  /** @param maxBytes of a line without its CRLF */
  constructor(private readonly maxBytes: number) {}

  /** The line that ends in the chunk after `at`; without one the rest is kept. */
  read(chunk: Buffer, at: number): CommandLine | undefined {
    const lf = chunk.indexOf(LF, at)
    if (lf === -1) {
      this.#keep(chunk.subarray(at))
      return undefined
    }
    if (this.#begunBytes === 0 && lf - at <= this.maxBytes + 1)
      return { ...this.#withoutEnd(chunk.subarray(at, lf)), end: lf + 1 }
    this.#keep(chunk.subarray(at, lf))
    const line = Buffer.concat(this.#begun)
    const isTooLong = this.#begunBytes > this.maxBytes + 1
    this.#begun = []
    this.#begunBytes = 0
    return { ...(isTooLong ? { line, defect: 'too long' as const } : this.#withoutEnd(line)), end: lf + 1 }
  }

  /** True if the current line exceeds ENDLESS_BYTES. */
  get isEndless(): boolean {
    return this.#begunBytes > ENDLESS_BYTES
  }

  #withoutEnd(line: Buffer): Pick<CommandLine, 'line' | 'defect'> {
    return line.at(-1) === CR ? { line: line.subarray(0, -1), defect: undefined } : { line, defect: 'bare LF' }
  }

  #keep(bytes: Buffer): void {
    const room = this.maxBytes + 1 - this.#begunBytes
    // Copied: a few bytes must not retain a whole packet.
    if (room > 0 && bytes.length > 0) this.#begun.push(Buffer.from(bytes.subarray(0, room)))
    this.#begunBytes += bytes.length
  }
}
