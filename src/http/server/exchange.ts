/** One request and its response on any server: limited body, timeouts, and backpressure. */
import { ServiceError } from '../../lib/errors.js'
import { newId } from '../../lib/ids.js'
import { after, type Maybe } from '../../lib/maybe.js'
import type { ClientAddress } from './forwarded.js'
import { addTo } from '../limits/concurrency.js'
import { outgoingFields } from '../head.js'
import type { AnswerHead, Arrival, Fields, Flow } from '../listener/types.js'
import { ClientGone, type HttpRequest, type HttpResponse } from '../message.js'

/** Max bytes of a refused body read and discarded, so that the client can read the refusal before the connection closes. */
const DRAIN_BYTES = 64 * 1024 * 1024
const DRAIN_MS = 10_000
/** The time limit when the connection ends anyway. */
const FAULT_DRAIN_MS = 1000

/** Time for a whole body, plus a second per this many bytes. */
const BODY_MS = 60_000
const BODY_BYTES_A_SECOND = 128 * 1024

/** Memory of all request bodies of a server. */
export interface BodyBudget {
  heldBytes: number
  readonly maxBytes: number
  /** Bytes held per client, and the limit for one. */
  readonly byHolder: Map<string, number>
  readonly maxBytesEach: number
  /** Max time a body may stall. */
  readonly idleMs: number
}

export interface ExchangeDeps {
  budget: BodyBudget
  clientAddress: ClientAddress
  /** Added to every response. */
  fields: Fields
  arrivedAt: number
  stopping: boolean
}

export class Exchange implements HttpRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly requestId: string
  readonly arrivedAt: number

  private readonly clientAddress: ClientAddress
  private clientAddressText: string | undefined
  private readonly budget: BodyBudget
  private readonly fields: Fields
  private stopping: boolean
  private gone = false
  private isAnswered = false
  private goneController: AbortController | undefined
  private holdController: AbortController | undefined
  private endings: (() => void)[] = []

  /** Undefined without a body. */
  private readonly flow: Flow | undefined
  private paused = false
  private bodyComplete: boolean
  /** The body is unreadable, or no longer awaited. */
  private bodyLost = false
  private bodyError: Error | undefined
  private bodyWaiter: { resolve: (body: Buffer) => void; reject: (error: Error) => void } | undefined
  private maxBytes: number | undefined
  private holder: string | undefined
  private idle: NodeJS.Timeout | undefined
  private late: NodeJS.Timeout | undefined
  private chunks: Buffer[] = []
  /** Buffer of a body of known length, filled as it arrives. */
  private whole: Buffer | undefined
  private heldBytes = 0
  private draining: { leftBytes: number; done: () => void } | undefined

  constructor(
    private readonly arrival: Arrival,
    { budget, clientAddress, fields, arrivedAt, stopping }: ExchangeDeps,
  ) {
    const { method, path, query, headers } = arrival.head
    this.method = method
    this.path = path
    this.query = query
    this.headers = headers
    this.arrivedAt = arrivedAt
    this.requestId = newId('req', arrivedAt)
    this.clientAddress = clientAddress
    this.budget = budget
    this.fields = fields
    this.stopping = stopping
    arrival.onGone(() => this.left())
    this.bodyComplete = arrival.bodyLength === 0
    if (!this.bodyComplete)
      this.flow = arrival.read(
        (chunk, isLast) => this.received(chunk, isLast),
        (error) => this.broken(error),
      )
  }

  get remoteAddress(): string {
    return (this.clientAddressText ??= this.clientAddress(this.arrival.peer, this.headers['x-forwarded-for']))
  }

  /** The reason not to serve this; see Arrival. */
  get fault(): ServiceError | undefined {
    return this.arrival.fault
  }

  /** True if the connection closed before the response was complete. */
  get clientGone(): boolean {
    return this.gone
  }

  get signal(): AbortSignal {
    this.arrival.watch()
    this.goneController ??= new AbortController()
    if (this.gone) this.goneController.abort(new ClientGone())
    return this.goneController.signal
  }

  get holdSignal(): AbortSignal {
    this.arrival.watch()
    this.holdController ??= new AbortController()
    if (this.gone || this.stopping) this.holdController.abort()
    return this.holdController.signal
  }

  /** True once the hold signal was requested. */
  get mayBeHeld(): boolean {
    return this.holdController !== undefined
  }

  /** The server stops: held requests respond now, and the connection closes. */
  stop(): void {
    this.stopping = true
    this.holdController?.abort()
  }

  /** Closes the connection at once. */
  cut(): void {
    this.arrival.cut()
  }

  onEnd(fn: () => void): void {
    this.endings.push(fn)
  }

  /** Called once, at the end. */
  ended(): void {
    this.release()
    for (const fn of this.endings.splice(0)) fn()
  }

  readBody(maxBytes: number, holder?: string): Promise<Buffer> {
    const { bodyLength } = this.arrival
    if (this.bodyError) return Promise.reject(this.bodyError)
    if (this.gone) return Promise.reject(new ClientGone())
    if ((bodyLength ?? this.heldBytes) > maxBytes || this.heldBytes > maxBytes)
      return Promise.reject(tooLarge(maxBytes))
    if (this.bodyComplete) return Promise.resolve(this.takeBody())
    this.holder = holder
    if (holder !== undefined) addTo(this.budget.byHolder, holder, this.heldBytes)
    this.maxBytes = maxBytes
    if (bodyLength !== undefined) {
      this.whole = Buffer.allocUnsafeSlow(bodyLength)
      Buffer.concat(this.chunks).copy(this.whole)
      this.chunks = []
    }
    this.startClocks(bodyLength ?? 0)
    this.letFlow()
    return new Promise((resolve, reject) => {
      this.bodyWaiter = { resolve, reject }
    })
  }

  /**
   * Sends the response.
   *
   * @returns a promise, unless it is done, that resolves when the last byte left the process or the client is gone
   * @throws Error, or rejects with it, if the response is invalid (nothing was sent), or its stream breaks (the connection is cut)
   */
  respond(response: HttpResponse): Maybe<void> {
    const head = outgoingFields(response, this.requestId, this.fields)
    return after(this.drainBody(), () => this.send(response, head))
  }

  private send(
    { status, body, length }: HttpResponse,
    { fields, shared }: Pick<AnswerHead, 'fields' | 'shared'>,
  ): Maybe<void> {
    const close = this.stopping || this.fault !== undefined || !this.bodyComplete
    if (this.gone || this.isAnswered) return isStream(body) ? discard(body) : undefined
    this.isAnswered = true
    if (isStream(body)) {
      if (this.method !== 'HEAD') return this.stream(body, { status, fields, shared, length }, close)
      return discard(body).then(() => this.arrival.send({ status, fields, shared, length }, EMPTY, close))
    }
    const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? EMPTY)
    // RFC 9110 §8.6.
    const hasLength = status !== 204 && status !== 304
    return this.arrival.send(
      { status, fields, shared, length: hasLength ? bytes.length : undefined },
      this.method === 'HEAD' || !hasLength ? EMPTY : bytes,
      close,
    )
  }

  /** A stalled or dripping body is refused while the connection can still say so. */
  private startClocks(bodyLength: number): void {
    const expire = (): void => {
      this.bodyLost = true
      this.failBody(tooSlow())
    }
    this.idle = setTimeout(expire, this.budget.idleMs)
    this.late = setTimeout(expire, BODY_MS + (bodyLength / BODY_BYTES_A_SECOND) * 1000)
  }

  private stopClocks(): void {
    clearTimeout(this.idle)
    clearTimeout(this.late)
  }

  private left(): void {
    this.gone = true
    this.goneController?.abort(new ClientGone())
    this.holdController?.abort()
    this.failBody(new ClientGone())
    this.draining?.done()
  }

  private broken(error: ServiceError): void {
    this.bodyLost = true
    this.failBody(error)
    this.draining?.done()
  }

  private letFlow(): void {
    this.paused = false
    this.flow?.resume()
  }

  private received(chunk: Uint8Array, isLast: boolean): void {
    if (isLast) {
      this.bodyComplete = true
      this.stopClocks()
    }
    if (this.draining) {
      this.draining.leftBytes -= chunk.length
      if (isLast || this.draining.leftBytes < 0) this.draining.done()
      return
    }
    if (this.isAnswered || this.bodyError) return
    if (this.budget.heldBytes + chunk.length > this.budget.maxBytes) return this.failBody(tooBusy())
    if (this.maxBytes !== undefined && this.heldBytes + chunk.length > this.maxBytes)
      return this.failBody(tooLarge(this.maxBytes))
    if (this.holder !== undefined) {
      const held = this.budget.byHolder.get(this.holder) ?? 0
      if (held + chunk.length > this.budget.maxBytesEach) return this.failBody(tooMuchAtOnce())
    }
    this.idle?.refresh()
    if (chunk.length > 0) {
      this.budget.heldBytes += chunk.length
      if (this.holder !== undefined) addTo(this.budget.byHolder, this.holder, chunk.length)
      if (this.whole) this.whole.set(chunk, this.heldBytes)
      else this.chunks.push(Buffer.from(chunk))
      this.heldBytes += chunk.length
    }
    if (isLast) {
      const waiter = this.bodyWaiter
      this.bodyWaiter = undefined
      waiter?.resolve(this.takeBody())
    } else if (this.maxBytes === undefined && !this.paused) {
      this.paused = true
      this.flow?.pause()
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
   * Closing a connection with unread data resets it, and the client may lose the response (RFC 9112 §9.6). So the rest of an unwanted body is discarded first,
   * within limits. A body that is not complete then ends the connection.
   */
  private drainBody(): Maybe<void> {
    const { fault, awaitsContinue } = this.arrival
    const mayCome =
      !this.bodyComplete && !this.bodyLost && !this.gone && (!awaitsContinue || this.maxBytes !== undefined)
    if (!mayCome) return undefined
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, fault ? FAULT_DRAIN_MS : DRAIN_MS)
      this.draining = {
        leftBytes: DRAIN_BYTES,
        done: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      this.letFlow()
    })
  }

  private release(): void {
    this.stopClocks()
    this.budget.heldBytes -= this.heldBytes
    if (this.holder !== undefined) addTo(this.budget.byHolder, this.holder, -this.heldBytes)
    this.heldBytes = 0
  }

  /** The next chunk is read when the client took the last. */
  private async stream(body: AsyncIterable<Uint8Array>, head: AnswerHead, close: boolean): Promise<void> {
    const { length } = head
    const outgoing = await this.arrival.stream(head, close)
    let given = 0
    try {
      for await (const chunk of body) {
        if (this.gone) return
        // An empty chunk would end a chunked response.
        if (chunk.length === 0) continue
        given += chunk.length
        if (length !== undefined && given > length)
          throw new Error(`A streamed answer has more than its ${length} bytes`)
        await outgoing.write(chunk)
        if (this.gone) return
      }
      if (length !== undefined && given < length)
        throw new Error(`A streamed answer has ${given} bytes and not its ${length}`)
    } catch (error) {
      this.cut()
      throw error
    }
    await outgoing.end()
  }
}

const EMPTY = new Uint8Array(0)

function isStream(body: HttpResponse['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && !(body instanceof Uint8Array)
}

/** Cancels a stream that nobody will read. */
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
    'Send the whole request again, all of the body at once.',
  )
}

function tooMuchAtOnce(): ServiceError {
  return new ServiceError(
    'rate_limited',
    'Too many of your large requests are in progress.',
    'Wait for their responses before sending more.',
    { retryAfterSeconds: 5 },
  )
}

function tooBusy(): ServiceError {
  return new ServiceError('unavailable', 'Too many large requests are in progress.', 'Try again in a few seconds.', {
    retryAfterSeconds: 5,
  })
}
