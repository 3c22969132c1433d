/**
 * COMPRESS=DEFLATE (RFC 4978): a stream over a connection. What is written is compressed by itself, up to a flush, as no state of a compressor could be kept in the
 * memory that a session which waits may take: that would be 100 KB, and 15 KB are for the state of the other direction.
 */
import { Duplex } from 'node:stream'
import { promisify } from 'node:util'
import { constants, createInflateRaw, deflateRaw, deflateRawSync } from 'node:zlib'

/** Octets compressed at once. */
const PIECE = 64 * 1024
/** So few are compressed sooner than another thread has begun, and leave no memory behind. */
const SMALL = 4096
/** Octets of a buffer for what the client sent. */
const INFLATED = 1024
/** An empty block that ends a stream (RFC 1951 §3.2.3). */
const LAST_BLOCK = Buffer.from([0x03, 0x00])
const inThread = promisify(deflateRaw)
const PARAMETERS = { finishFlush: constants.Z_SYNC_FLUSH, memLevel: 5, windowBits: 12 }

const compressed = (octets: Buffer): Buffer | Promise<Buffer> =>
  octets.length <= SMALL ? deflateRawSync(octets, PARAMETERS) : inThread(octets, PARAMETERS)

export class CompressedStream extends Duplex {
  readonly #below: Duplex
  readonly #inflate = createInflateRaw({
    flush: constants.Z_SYNC_FLUSH,
    finishFlush: constants.Z_SYNC_FLUSH,
    chunkSize: INFLATED,
  })

  /** @param pending what came compressed before */
  constructor(below: Duplex, pending: Buffer) {
    super()
    this.#below = below
    this.#inflate
      .on('data', (chunk: Buffer) => {
        if (!this.push(chunk)) this.#inflate.pause()
      })
      .on('end', () => this.push(null))
      .on('error', (error) => this.destroy(error))
    below.once('close', () => this.destroy())
    if (pending.length > 0) this.#inflate.write(pending)
    below.pipe(this.#inflate)
  }

  override _read(): void {
    this.#inflate.resume()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    this.#send(chunk).then(() => done(), done)
  }

  override _final(done: () => void): void {
    this.#below.end(LAST_BLOCK)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#inflate.destroy()
    this.#below.destroy()
    done(error)
  }

  async #send(octets: Buffer): Promise<void> {
    for (let at = 0; at < octets.length; at += PIECE) {
      const piece = await compressed(octets.subarray(at, at + PIECE))
      await new Promise<void>((resolve, reject) =>
        this.#below.write(piece, (error) => (error ? reject(error) : resolve())),
      )
    }
  }
}
