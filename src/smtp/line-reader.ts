/** Command lines, wherever the client cuts its packets. CR LF ends a line; a bare LF ends it too, but as a defect (RFC 5321 §2.3.8). */

/** What is wrong with the form of a command line. It is not looked at any further. */
export type LineDefect = 'bare LF' | 'too long'

export interface CommandLine {
  /** Without its CR LF, cut off past the limit. */
  line: Buffer
  defect: LineDefect | undefined
  /** Where the next one begins in the chunk. */
  end: number
}

const CR = 0x0d
const LF = 0x0a
/** Longer lines are skipped up to here; past it the client is taken to have no line end in mind. */
const ENDLESS_BYTES = 64 * 1024

export class LineReader {
  readonly #maxBytes: number
  /** The line that has begun, without what is over the limit. */
  #begun: Buffer[] = []
  #begunBytes = 0

  /** @param maxBytes of a line without its CR LF */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The line that ends in the chunk next from `at` on; without one the rest is kept for the chunks to come. */
  read(chunk: Buffer, at: number): CommandLine | undefined {
    const lf = chunk.indexOf(LF, at)
    if (lf === -1) {
      this.#keep(chunk.subarray(at))
      return undefined
    }
    if (this.#begunBytes === 0 && lf - at <= this.#maxBytes + 1)
      return { ...this.#withoutEnd(chunk.subarray(at, lf)), end: lf + 1 }
    this.#keep(chunk.subarray(at, lf))
    const line = Buffer.concat(this.#begun)
    const isTooLong = this.#begunBytes > this.#maxBytes + 1
    this.#begun = []
    this.#begunBytes = 0
    return { ...(isTooLong ? { line, defect: 'too long' as const } : this.#withoutEnd(line)), end: lf + 1 }
  }

  /** Whether the line that has begun is beyond all measure. */
  get isEndless(): boolean {
    return this.#begunBytes > ENDLESS_BYTES
  }

  #withoutEnd(line: Buffer): Pick<CommandLine, 'line' | 'defect'> {
    return line.at(-1) === CR ? { line: line.subarray(0, -1), defect: undefined } : { line, defect: 'bare LF' }
  }

  #keep(bytes: Buffer): void {
    const room = this.#maxBytes + 1 - this.#begunBytes
    // A copy: a few bytes must not hold a whole packet.
    if (room > 0 && bytes.length > 0) this.#begun.push(Buffer.from(bytes.subarray(0, room)))
    this.#begunBytes += bytes.length
  }
}
