/**
 * One request and its answer on a uWebSockets.js connection. Everything that is easy to get wrong there is done here and nowhere else:
 * `req` is gone after the first await, chunks are neutered after their callback, a body has no limit, `res` may not be touched after an
 * abort or an end, writes want to be corked, and `write` buffers without bound.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { HttpRequest as UwsRequest, HttpResponse as UwsResponse } from 'uWebSockets.js'
import { ServiceError } from '../lib/errors.js'
import { newId } from '../lib/ids.js'
import { addressText } from '../lib/ip.js'
import type { ClientAddress } from './forwarded.js'
import { ClientGone, type HttpRequest, type HttpResponse } from './message.js'
import { outgoingHeaders, statusLine } from './head.js'

/** Up to here an answer is handed over whole; a longer one goes out as the client takes it. */
const WHOLE_ANSWER_BYTES = 16 * 1024

/** How much of a refused body is read and thrown away, so that the client gets to read the refusal before the connection closes. */
const DRAIN_BYTES = 64 * 1024 * 1024
const DRAIN_MS = 10_000

/** A whole body may take so long, and a second more for each so many bytes of it. */
const BODY_MS = 60_000
const BODY_BYTES_A_SECOND = 128 * 1024

/** Bytes of request bodies that all exchanges of a server hold together. */
export interface BodyBudget {
  heldBytes: number
  readonly maxBytes: number
  /** Of them, who holds how many, and how many one may. */
  readonly byHolder: Map<string, number>
  readonly maxBytesEach: number
  /** How long a body may stand still. */
  readonly idleMs: number
}

/** What a request came in by. */
export interface Front {
  /** Header fields that stand on all its answers. */
  readonly headers: readonly (readonly [string, string])[]
  /** Whether its connections are to end, each with its next answer. */
  isRetired: boolean
}

export class Exchange implements HttpRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly remoteAddress: string
  readonly requestId: string
  /** The length of the body can be read in more than one way; such a request must be refused and its connection closed (RFC 9112 §6.3). */
  readonly malformed: boolean

  /** Whether `res` is still ours: neither aborted nor ended. */
  private live = true
  private gone = false
  private stopping: boolean
  private goneController: AbortController | undefined
  private holdController: AbortController | undefined

  private bodyComplete: boolean
  private readonly declaredBytes: number | undefined
  private holder: string | undefined
  private idle: NodeJS.Timeout | undefined
  private late: NodeJS.Timeout | undefined
  private hasTimedOut = false
  /** Somebody waits to hear that the client is gone, which only reading from it tells. */
  private isWatched = false
  private isAnswering = false
  /** What the client sends behind this request waits until the answer goes out. */
  private isHeldBack = false
  private endings: (() => void)[] = []
  private chunks: Buffer[] = []
  /** Where a body of known length is put together as it comes, rather than all of it at the end. */
  private whole: Buffer | undefined
  private heldBytes = 0
  private maxBytes: number | undefined
  private paused = false
  private draining: { leftBytes: number; done: () => void } | undefined
  private bodyWaiter: { resolve: (body: Buffer) => void; reject: (error: Error) => void } | undefined
  private bodyError: Error | undefined
  private wake: (() => void) | undefined

  constructor(
    private readonly res: UwsResponse,
    req: UwsRequest,
    private readonly budget: BodyBudget,
    readonly arrivedAt: number,
    stopping: boolean,
    clientAddress: ClientAddress,
    private readonly front: Front,
  ) {
    this.method = req.getCaseSensitiveMethod().toUpperCase()
    this.path = req.getUrl()
    // Undefined, and not '' as the types say, when there is no question mark.
    this.query = req.getQuery() || ''
    this.requestId = newId('req', arrivedAt)
    this.stopping = stopping
    const headers: Record<string, string> = Object.create(null)
    req.forEach((name, value) => {
      const earlier = headers[name]
      headers[name] = earlier === undefined ? value : `${earlier}${name === 'cookie' ? '; ' : ', '}${value}`
    })
    this.headers = headers
    this.remoteAddress = clientAddress(addressText(new Uint8Array(res.getRemoteAddress())), headers['x-forwarded-for'])

    const length = headers['content-length']
    const coding = headers['transfer-encoding']
    // The server below takes every coding for chunked; a proxy in front may not (RFC 9112 §6.1).
    this.malformed =
      (length !== undefined && !/^\d{1,15}$/.test(length)) ||
      (coding !== undefined && coding.toLowerCase() !== 'chunked')
    this.declaredBytes = length === undefined || this.malformed ? undefined : Number(length)
    this.bodyComplete = coding === undefined && (length === undefined || this.declaredBytes === 0)

    res.onAborted(() => this.aborted())
    if (this.bodyComplete) this.holdBackLater()
    else res.onData((chunk, isLast) => this.received(chunk, isLast))
  }

  /** Whether the connection was closed before the answer was whole. */
  get clientGone(): boolean {
    return this.gone
  }

  get signal(): AbortSignal {
    this.watch()
    this.goneController ??= new AbortController()
    if (this.gone) this.goneController.abort(new ClientGone())
    return this.goneController.signal
  }

  get holdSignal(): AbortSignal {
    this.watch()
    this.holdController ??= new AbortController()
    if (this.gone || this.stopping) this.holdController.abort()
    return this.holdController.signal
  }

  /** Somebody took the signal of those who hold a request open. */
  get mayBeHeld(): boolean {
    return this.holdController !== undefined
  }

  /** The server stops: what is held open is to be answered now, and the connection closes with the answer. */
  stop(): void {
    this.stopping = true
    this.holdController?.abort()
  }

  /** Cuts the connection in the middle of whatever it does. */
  cut(): void {
    // The abort handler runs inside close().
    if (this.live) this.res.close()
  }

  onEnd(fn: () => void): void {
    this.endings.push(fn)
  }

  /** All is over: to be called once. */
  ended(): void {
    for (const fn of this.endings.splice(0)) fn()
  }

  readBody(maxBytes: number, holder?: string): Promise<Buffer> {
    if (this.bodyError) return Promise.reject(this.bodyError)
    if (this.gone) return Promise.reject(new ClientGone())
    if ((this.declaredBytes ?? this.heldBytes) > maxBytes || this.heldBytes > maxBytes)
      return Promise.reject(tooLarge(maxBytes))
    if (this.bodyComplete) return Promise.resolve(this.takeBody())
    this.holder = holder
    if (holder !== undefined) this.addToHolder(holder, this.heldBytes)
    this.maxBytes = maxBytes
    if (this.declaredBytes !== undefined) {
      this.whole = Buffer.allocUnsafeSlow(this.declaredBytes)
      Buffer.concat(this.chunks).copy(this.whole)
      this.chunks = []
    }
    this.startClocks()
    if (this.paused) {
      this.paused = false
      this.res.resume()
    }
    return new Promise((resolve, reject) => {
      this.bodyWaiter = { resolve, reject }
    })
  }

  /**
   * Sends the answer; resolves when the last byte has left the process or the client is gone.
   *
   * @throws Error when the answer can't be sent as it is (nothing was sent then), or when its stream breaks (the connection is cut then)
   */
  async respond(response: HttpResponse): Promise<void> {
    const status = statusLine(response.status)
    const headers = outgoingHeaders(response, this.requestId)
    const { body, length } = response
    const close = await this.drainBody()
    this.isAnswering = true
    if (!this.live) return isStream(body) ? discard(body) : undefined
    const writeHead = (): void => {
      this.res.writeStatus(status)
      for (const [name, value] of headers) this.res.writeHeader(name, value)
      for (const [name, value] of this.front.headers) this.res.writeHeader(name, value)
    }
    const withoutBody = this.method === 'HEAD' && !this.malformed
    if (isStream(body)) {
      if (!withoutBody)
        return length === undefined ? this.stream(body, writeHead) : this.streamWhole(body, length, writeHead)
      await discard(body)
      return this.endEmpty(writeHead, length, close)
    }
    const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? EMPTY)
    if (withoutBody || bytes.length === 0) {
      const hasLength = response.status !== 204 && response.status !== 304
      this.endEmpty(writeHead, hasLength ? bytes.length : undefined, close)
    } else if (bytes.length <= WHOLE_ANSWER_BYTES) {
      this.end(() => (writeHead(), this.res.end(bytes, close)))
    } else await this.sendAsTaken(bytes, writeHead)
  }

  /**
   * The server below takes the next request of a connection while this one is unanswered, and then closes the connection under both. So what
   * is behind this one is left in the network until its answer goes out; all but what came in the same packet. Requests that are answered
   * at once never come to that.
   */
  private holdBackLater(): void {
    setImmediate(() => {
      if (!this.live || this.isWatched || this.isAnswering) return
      this.isHeldBack = true
      this.res.pause()
    })
  }

  private watch(): void {
    this.isWatched = true
    this.letCome()
  }

  private letCome(): void {
    if (!this.isHeldBack) return
    this.isHeldBack = false
    this.res.resume()
  }

  /** A body that stands still, or drips, is refused while the connection is still there to say so: the server below cuts it soon after. */
  private startClocks(): void {
    const expire = (): void => {
      this.hasTimedOut = true
      this.failBody(tooSlow())
    }
    this.idle = setTimeout(expire, this.budget.idleMs)
    this.late = setTimeout(expire, BODY_MS + ((this.declaredBytes ?? 0) / BODY_BYTES_A_SECOND) * 1000)
  }

  private stopClocks(): void {
    clearTimeout(this.idle)
    clearTimeout(this.late)
  }

  private addToHolder(holder: string, bytes: number): void {
    const held = (this.budget.byHolder.get(holder) ?? 0) + bytes
    if (held === 0) this.budget.byHolder.delete(holder)
    else this.budget.byHolder.set(holder, held)
  }

  private aborted(): void {
    this.live = false
    this.gone = true
    this.goneController?.abort(new ClientGone())
    this.holdController?.abort()
    this.failBody(new ClientGone())
    this.draining?.done()
    this.release()
    this.wake?.()
  }

  private received(chunk: ArrayBuffer, isLast: boolean): void {
    if (isLast) {
      this.bodyComplete = true
      this.stopClocks()
    }
    // What still comes in after the answer has ended is of no interest, and `res` must not be touched.
    if (!this.live) return
    if (this.draining) {
      this.draining.leftBytes -= chunk.byteLength
      if (isLast || this.draining.leftBytes < 0) this.draining.done()
      return
    }
    if (this.bodyError) return
    if (this.budget.heldBytes + chunk.byteLength > this.budget.maxBytes) return this.failBody(tooBusy())
    if (this.maxBytes !== undefined && this.heldBytes + chunk.byteLength > this.maxBytes)
      return this.failBody(tooLarge(this.maxBytes))
    if (this.holder !== undefined) {
      const held = this.budget.byHolder.get(this.holder) ?? 0
      if (held + chunk.byteLength > this.budget.maxBytesEach) return this.failBody(tooMuchAtOnce())
    }
    this.idle?.refresh()
    if (chunk.byteLength > 0) {
      this.budget.heldBytes += chunk.byteLength
      if (this.holder !== undefined) this.addToHolder(this.holder, chunk.byteLength)
      if (this.whole) Buffer.from(chunk).copy(this.whole, this.heldBytes)
      this.heldBytes += chunk.byteLength
      // The outer Buffer.from copies: the chunk is neutered when this callback returns.
      if (!this.whole) this.chunks.push(Buffer.from(Buffer.from(chunk)))
    }
    if (isLast) {
      this.holdBackLater()
      const waiter = this.bodyWaiter
      this.bodyWaiter = undefined
      waiter?.resolve(this.takeBody())
    } else if (this.maxBytes === undefined && !this.paused) {
      this.paused = true
      this.res.pause()
    }
  }

  private takeBody(): Buffer {
    const { chunks, whole } = this
    this.chunks = []
    this.whole = undefined
    if (whole) return whole
    return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)
  }

  private failBody(error: Error): void {
    this.stopClocks()
    this.bodyError = error
    this.chunks = []
    this.whole = undefined
    this.release()
    const waiter = this.bodyWaiter
    this.bodyWaiter = undefined
    waiter?.reject(error)
  }

  /**
   * Closing a connection with unread data in it makes the kernel reset it, and the client may lose the answer (RFC 9112 §9.6). So the rest
   * of an unwanted body is thrown away first, within limits.
   *
   * @returns whether the connection has to be closed with the answer
   */
  private async drainBody(): Promise<boolean> {
    if (!this.bodyComplete && this.live && !this.malformed && !this.hasTimedOut) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, DRAIN_MS)
        this.draining = {
          leftBytes: DRAIN_BYTES,
          done: () => {
            clearTimeout(timer)
            resolve()
          },
        }
        if (this.paused) {
          this.paused = false
          this.res.resume()
        }
      })
    }
    // What came in behind it would be taken for the next request if this one ended at once; while it is open, the connection is closed.
    if (this.malformed) await nextTurn()
    return this.stopping || this.front.isRetired || !this.bodyComplete || this.malformed
  }

  /** Runs the last calls on `res`. */
  private end(write: () => void): void {
    if (!this.live) return
    this.letCome()
    this.res.cork(write)
    this.live = false
    this.release()
  }

  /** `endWithoutBody` takes a length and a wish to close too, but never ends the answer then. */
  private endEmpty(writeHead: () => void, length: number | undefined, close: boolean): void {
    this.end(() => {
      writeHead()
      if (length !== undefined) this.res.writeHeader('Content-Length', String(length))
      if (close) this.res.writeHeader('Connection', 'close')
      this.res.endWithoutBody()
    })
  }

  private release(): void {
    this.stopClocks()
    this.budget.heldBytes -= this.heldBytes
    if (this.holder !== undefined) this.addToHolder(this.holder, -this.heldBytes)
    this.heldBytes = 0
  }

  private sendAsTaken(bytes: Uint8Array, writeHead: () => void): Promise<void> {
    return new Promise((resolve) => {
      const { res } = this
      const finish = (): void => {
        this.live = false
        this.release()
        resolve()
      }
      this.wake = resolve
      this.letCome()
      let done = false
      res.cork(() => {
        writeHead()
        done = res.tryEnd(bytes, bytes.length)[1]
      })
      if (done) return finish()
      res.onWritable((offset) => {
        const [ok, ended] = res.tryEnd(bytes.subarray(offset), bytes.length)
        if (ended) finish()
        return ok
      })
    })
  }

  private async stream(body: AsyncIterable<Uint8Array>, writeHead: () => void): Promise<void> {
    const { res } = this
    this.letCome()
    res.cork(writeHead)
    res.onWritable(() => {
      this.wake?.()
      return true
    })
    try {
      for await (const chunk of body) {
        if (!this.live) return
        // A chunk of nothing would end the answer.
        if (chunk.length === 0) continue
        let taken = true
        res.cork(() => {
          taken = res.write(chunk)
        })
        if (!taken) await new Promise<void>((resolve) => (this.wake = resolve))
        if (!this.live) return
      }
    } catch (error) {
      this.cut()
      throw error
    }
    this.end(() => res.end())
  }

  /** A stream of known length; the next piece is asked for when the client has taken the one before. */
  private async streamWhole(body: AsyncIterable<Uint8Array>, length: number, writeHead: () => void): Promise<void> {
    const { res } = this
    this.letCome()
    res.cork(writeHead)
    res.onWritable(() => {
      this.wake?.()
      return true
    })
    let given = 0
    try {
      for await (const chunk of body) {
        given += chunk.length
        if (given > length) throw new Error(`A streamed answer has more than its ${length} bytes`)
        for (let left = chunk; left.length > 0;) {
          if (!this.live) return
          let taken = true
          let done = false
          res.cork(() => {
            ;[taken, done] = res.tryEnd(left, length)
          })
          if (done) {
            this.live = false
            this.release()
            return
          }
          if (taken) break
          await new Promise<void>((resolve) => (this.wake = resolve))
          if (!this.live) return
          left = chunk.subarray(chunk.length - (given - res.getWriteOffset()))
        }
      }
      throw new Error(`A streamed answer has ${given} bytes and not its ${length}`)
    } catch (error) {
      this.cut()
      throw error
    }
  }
}

const EMPTY = new Uint8Array(0)

function isStream(body: HttpResponse['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && !(body instanceof Uint8Array)
}

/** Tells a stream that nobody will read it. */
async function discard(body: AsyncIterable<Uint8Array>): Promise<void> {
  await body[Symbol.asyncIterator]().return?.()
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError(
    'payload_too_large',
    `The body is larger than ${maxBytes} bytes.`,
    'Send less: leave attachments out or make them smaller.',
  )
}

function tooSlow(): ServiceError {
  return new ServiceError(
    'request_timeout',
    'The body did not arrive in time.',
    'Send the whole request again, all of the body at once. Chunks with extensions are not understood: send a Content-Length.',
  )
}

function tooMuchAtOnce(): ServiceError {
  return new ServiceError(
    'rate_limited',
    'Too many large requests of yours are at work.',
    'Wait for the answers of those before sending more.',
    { retryAfterSeconds: 5 },
  )
}

function tooBusy(): ServiceError {
  return new ServiceError('unavailable', 'Too many large requests are at work.', 'Try again in a few seconds.', {
    retryAfterSeconds: 5,
  })
}
