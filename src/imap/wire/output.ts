/** Writes responses to a client, and waits for one that does not read. */
import { once } from 'node:events'
import type { Duplex } from 'node:stream'

/** Octets in the socket's buffer beyond which a response waits for the client. */
const HIGH_WATER = 256 * 1024

export interface Output {
  /** Resolves when more may be written; what is written goes out by the end of this turn. @throws if the connection is gone */
  write(buffers: readonly Buffer[]): Promise<void> | void
}

/** Lines are gathered to pieces of this size. */
const PIECE = 64 * 1024

export class StreamOutput implements Output {
  #stream: Duplex
  #waiting: Buffer[] = []
  #bytes = 0
  #scheduled: NodeJS.Immediate | undefined

  constructor(
    stream: Duplex,
    /** A client that reads nothing for this long is cut off. */
    private readonly stalledMs: number,
  ) {
    this.#stream = stream
  }

  /** Goes on over TLS or compression, once all that was written has gone. */
  use(stream: Duplex): void {
    this.flush()
    this.#stream = stream
  }

  write(buffers: readonly Buffer[]): Promise<void> | void {
    const stream = this.#stream
    // After BYE nothing more is said: a write would cut the connection before the client has read that.
    if (stream.destroyed || stream.writableEnded) throw new ConnectionGone()
    for (const buffer of buffers) {
      this.#waiting.push(buffer)
      this.#bytes += buffer.length
    }
    if (this.#bytes < PIECE) {
      this.#scheduled ??= setImmediate(() => this.flush())
      return
    }
    this.flush()
    if (stream.writableLength > HIGH_WATER) return this.#drained(stream)
  }

  flush(): void {
    clearImmediate(this.#scheduled)
    this.#scheduled = undefined
    if (this.#bytes === 0) return
    const waiting = this.#waiting
    this.#waiting = []
    this.#bytes = 0
    if (this.#stream.destroyed) return
    // Small ones go out as one; large ones, such as messages, are not copied.
    let small: Buffer[] = []
    const writeSmall = (): void => {
      if (small.length > 0) this.#stream.write(small.length === 1 ? small[0] : Buffer.concat(small))
      small = []
    }
    this.#stream.cork()
    for (const buffer of waiting) {
      if (buffer.length < PIECE) small.push(buffer)
      else {
        writeSmall()
        this.#stream.write(buffer)
      }
    }
    writeSmall()
    this.#stream.uncork()
  }

  async #drained(stream: Duplex): Promise<void> {
    const timer = setTimeout(() => stream.destroy(), this.stalledMs)
    const over = new AbortController()
    try {
      await Promise.race(['drain', 'close'].map((event) => once(stream, event, { signal: over.signal })))
    } finally {
      clearTimeout(timer)
      over.abort()
    }
    if (stream.destroyed) throw new ConnectionGone()
  }
}

/** The client has gone: there is nobody to answer. */
export class ConnectionGone extends Error {
  override readonly name = 'ConnectionGone'
  constructor() {
    super('the connection is closed')
  }
}
