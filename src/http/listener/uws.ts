/**
 * uWebSockets.js as a driver for plain HTTP. Its pitfalls are handled here: `req` is invalid after the first await, chunks after their callback, `res` after an
 * abort or end; writes need corking, and `write` buffers without limit. It reads chunked bodies against RFC 9112 §7.1, so they are refused.
 */
import { STATUS_CODES } from 'node:http'
import { createServer } from 'node:net'
import { ServiceError } from '../../lib/errors.js'
import type { HostPort } from '../../lib/host-port.js'
import { addressText } from '../../lib/ip.js'
import { after, type Maybe } from '../../lib/maybe.js'
import { loadUwsBinary } from '../../lib/native.js'
import { cannotListen } from './address.js'
import { addField, faultOf, headTooLarge, lengthOf, MAX_HEAD_BYTES, noFields } from './head.js'
import type { AnswerHead, Arrival, Driver, Fields, Flow, Head, Outgoing } from './types.js'

/** Used parts of its interface. */
interface Uws {
  App(): UwsApp
  us_socket_local_port(socket: UwsSocket): number
  us_listen_socket_close(socket: UwsSocket): void
}

type UwsSocket = object

interface UwsApp {
  any(pattern: string, handler: (res: UwsResponse, req: UwsRequest) => void): void
  listen(host: string, port: number, options: number, done: (socket: UwsSocket | false) => void): void
  close(): void
}

interface UwsRequest {
  getCaseSensitiveMethod(): string
  getUrl(): string
  /** Undefined without a question mark. */
  getQuery(): string | undefined
  forEach(fn: (name: string, value: string) => void): void
}

interface UwsResponse {
  cork(write: () => void): void
  writeStatus(status: string): void
  writeHeader(name: string, value: string): void
  write(chunk: Uint8Array): boolean
  end(body?: Uint8Array, close?: boolean): void
  endWithoutBody(): void
  tryEnd(rest: Uint8Array, totalSize: number): [taken: boolean, done: boolean]
  getWriteOffset(): number
  onWritable(handler: (offset: number) => boolean): void
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): void
  onAborted(handler: () => void): void
  getRemoteAddress(): ArrayBuffer
  pause(): void
  resume(): void
  close(): void
}

/** LIBUS_LISTEN_EXCLUSIVE_PORT: otherwise a second listener on a port succeeds, and each gets half of the connections. */
const EXCLUSIVE_PORT = 1
/** Longer responses are sent as the client takes them. */
const WHOLE_ANSWER_BYTES = 16 * 1024

/** How often the timer of uWebSockets.js is put off: it ends a connection after 8 to 12 seconds. */
const PUT_OFF_MS = 4000

const CLOSE = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i

/** @returns a problem if not available here */
export function loadUws(): { driver: Driver } | { problem: string } {
  const loaded = loadUwsBinary()
  if ('problem' in loaded) return loaded
  return isUws(loaded.binary)
    ? { driver: driverOver(loaded.binary) }
    : { problem: 'the binary of uWebSockets.js is of an unknown version' }
}

function isUws(binary: unknown): binary is Uws {
  return typeof binary === 'object' && binary !== null && 'App' in binary && 'us_listen_socket_close' in binary
}

function driverOver(uws: Uws): Driver {
  const shared = { corks: createCorks(), timers: createTimers() }
  return {
    name: 'uws',
    async listen(at, onArrival) {
      const app = uws.App()
      app.any('/*', (res, req) => {
        const arrival = new UwsArrival(res, req, shared)
        onArrival(arrival)
        arrival.stays()
      })
      const socket = await new Promise<UwsSocket | false>((resolve) => {
        app.listen(at.host, at.port, EXCLUSIVE_PORT, resolve)
      })
      if (socket === false) throw cannotListen('HTTP', at, await whyNot(at))
      return {
        port: uws.us_socket_local_port(socket),
        stop: () => uws.us_listen_socket_close(socket),
        async closeAll() {
          app.close()
        },
      }
    },
  }
}

/** It gives no reason; Node's server does. */
function whyNot({ host, port }: HostPort): Promise<NodeJS.ErrnoException> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', resolve)
    probe.listen({ host, port, exclusive: true }, () =>
      probe.close(() => resolve(new Error('another process may have it'))),
    )
  })
}

/**
 * One response owns the cork buffer while its handler runs. Others written meanwhile, such as a poll woken by the handler, would be sent in a packet per field,
 * so they wait for the end of the turn.
 */
interface Corks {
  /** The handler of this response starts. */
  take(res: UwsResponse): void
  /** Runs `write` once the buffer is free. */
  whenFree(res: UwsResponse, write: () => void): void
}

function createCorks(): Corks {
  let owner: UwsResponse | undefined
  let later: { res: UwsResponse; write: () => void }[] = []
  function endOfTurn(): void {
    owner = undefined
    const due = later
    later = []
    for (const { write } of due) write()
  }
  return {
    take(res) {
      if (owner === undefined) setImmediate(endOfTurn)
      owner = res
    },
    whenFree(res, write) {
      const isFree = owner === undefined || (owner === res && !later.some((each) => each.res === res))
      if (isFree) write()
      else later.push({ res, write })
    },
  }
}

/**
 * `resume` starts a timer that ends a connection on which the client sends nothing more. Whoever waits for an answer sends nothing: for those it is put off, by
 * `pause` and `resume` again, until they have one.
 */
interface Timers {
  /** @param putOff false once it is not needed any more */
  add(putOff: () => boolean): void
}

function createTimers(): Timers {
  const waiting = new Set<() => boolean>()
  let interval: NodeJS.Timeout | undefined
  function putAllOff(): void {
    for (const putOff of waiting) if (!putOff()) waiting.delete(putOff)
    if (waiting.size > 0) return
    clearInterval(interval)
    interval = undefined
  }
  return {
    add(putOff) {
      waiting.add(putOff)
      interval ??= setInterval(putAllOff, PUT_OFF_MS).unref()
    },
  }
}

interface Shared {
  corks: Corks
  timers: Timers
}

class UwsArrival implements Arrival {
  readonly head: Head
  private peerText: string | undefined
  readonly fault: ServiceError | undefined
  readonly bodyLength: number | undefined
  /** It sends 100 Continue itself. */
  readonly awaitsContinue = false
  /** True while `res` is usable: neither aborted nor ended. */
  private live = true
  private readonly wantsClose: boolean
  private isAnswering = false
  /** A caller waits for the disconnect, which only reading reveals. */
  private isWatched = false
  /** Pipelined data waits until the response is sent. */
  private isHeldBack = false
  /** Its timer runs. */
  private isTimed = false
  /** The client does not take what was written. */
  private isBlocked = false
  private gone: (() => void) | undefined
  private wake: (() => void) | undefined
  /** Bytes sent so far of a response with known length. */
  private given = 0

  constructor(
    private readonly res: UwsResponse,
    req: UwsRequest,
    private readonly shared: Shared,
  ) {
    shared.corks.take(res)
    const headers = noFields()
    const path = req.getUrl()
    const query = req.getQuery() || ''
    let bytes = path.length + query.length
    req.forEach((name, value) => {
      bytes += name.length + value.length
      addField(headers, name, value)
    })
    this.head = {
      method: req.getCaseSensitiveMethod().toUpperCase(),
      path,
      query,
      headers,
    }
    // RFC 9112 §9.6. It only detects the field without other values.
    this.wantsClose = CLOSE.test(headers['connection'] ?? '')
    const fault = bytes > MAX_HEAD_BYTES ? headTooLarge() : faultOf(this.head, '1.1')
    const isChunked = headers['transfer-encoding'] !== undefined
    this.fault = fault ?? (isChunked ? lengthRequired() : undefined)
    this.bodyLength = fault ? 0 : lengthOf(this.head)
    res.onAborted(() => {
      this.live = false
      this.gone?.()
      this.wake?.()
    })
  }

  /** Read when it is asked for, while `res` is usable. */
  get peer(): string {
    return (this.peerText ??= addressText(new Uint8Array(this.res.getRemoteAddress())))
  }

  /** Its handler has returned. If it was not answered, the client may go before it is. */
  stays(): void {
    if (!this.live) return
    void this.peer
    if (this.bodyLength === 0) this.holdBackLater()
  }

  onGone(fn: () => void): void {
    this.gone = fn
  }

  watch(): void {
    this.isWatched = true
    this.letCome()
    this.stayOpen()
  }

  read(take: (chunk: Uint8Array, isLast: boolean) => void): Flow {
    this.res.onData((chunk, isLast) => {
      // Input after the response is ignored, and `res` must not be touched.
      if (!this.live) return
      this.shared.corks.take(this.res)
      if (isLast) this.holdBackLater()
      take(new Uint8Array(chunk), isLast)
    })
    let isPaused = false
    return {
      pause: () => {
        isPaused = true
        this.res.pause()
      },
      resume: () => {
        if (isPaused && this.live) this.res.resume()
        isPaused = false
      },
    }
  }

  send(head: AnswerHead, bytes: Uint8Array, close: boolean): Maybe<void> {
    return after(this.answering(), () => this.sendNow(head, bytes, close))
  }

  private sendNow(head: AnswerHead, bytes: Uint8Array, close: boolean): Maybe<void> {
    if (!this.live) return
    const ends = close || this.wantsClose
    if (bytes.length > WHOLE_ANSWER_BYTES) return this.sendAsTaken(head, bytes, ends)
    return this.finish(() => {
      this.writeHead(head, ends && bytes.length === 0)
      if (bytes.length > 0) return this.res.end(bytes, ends)
      // `endWithoutBody` with a length never ends the response.
      if (head.length !== undefined) this.res.writeHeader('Content-Length', String(head.length))
      this.res.endWithoutBody()
    })
  }

  async stream(head: AnswerHead, close: boolean): Promise<Outgoing> {
    await this.answering()
    const ends = close || this.wantsClose
    this.write(() => {
      this.writeHead(head, ends)
      this.res.onWritable(() => {
        this.isBlocked = false
        this.wake?.()
        return true
      })
    })
    const { length } = head
    if (length === undefined) this.stayOpen()
    return {
      write: (chunk) => (length === undefined ? this.writeChunk(chunk) : this.writePiece(chunk, length)),
      end: () => (this.live && length === undefined ? this.finish(() => this.res.end(undefined, ends)) : undefined),
    }
  }

  cut(): void {
    // The abort handler runs inside close().
    if (this.live) this.res.close()
  }

  /**
   * uWebSockets.js takes the next request while this one is unanswered, and then closes the connection under both. So later input stays in the network until
   * the response is sent, except what came in the same packet. Requests answered at once are not affected.
   */
  private holdBackLater(): void {
    setImmediate(() => {
      if (!this.live || this.isWatched || this.isAnswering) return
      this.isHeldBack = true
      this.res.pause()
    })
  }

  private letCome(): void {
    if (!this.isHeldBack || !this.live) return
    this.isHeldBack = false
    this.res.resume()
    this.isTimed = true
  }

  private stayOpen(): void {
    if (!this.isTimed) return
    this.isTimed = false
    this.shared.timers.add(() => {
      // Whoever takes nothing is cut off by that timer.
      if (!this.live || this.isBlocked) return this.live
      this.res.pause()
      this.res.resume()
      return true
    })
  }

  private answering(): Maybe<void> {
    this.isAnswering = true
    this.letCome()
    // Input in the same packet would be served if this one ended at once; while it is open, the connection is closed.
    if (this.fault || this.wantsClose) return new Promise((resolve) => setImmediate(resolve))
  }

  private writeHead({ status, fields, shared }: AnswerHead, ends: boolean): void {
    this.res.writeStatus(STATUS_LINES[status] ?? String(status))
    const [first, ...rest] = fields
    // One call for all: each costs as much as ten lines, and none changes its text. No value has a line end (../head.ts).
    if (first) this.res.writeHeader(first[0], first[1] + linesOf(rest) + sharedLinesOf(shared))
    if (ends) this.res.writeHeader('Connection', 'close')
  }

  /** Runs `write` corked, unless the client is gone. */
  private write(write: () => void): void {
    this.shared.corks.whenFree(this.res, () => {
      if (this.live) this.res.cork(write)
    })
  }

  /** Runs the last calls on `res`. */
  private finish(write: () => void): Maybe<void> {
    this.write(() => {
      write()
      this.live = false
      this.wake?.()
    })
    if (!this.live) return
    return new Promise((resolve) => {
      this.wake = resolve
    })
  }

  private sendAsTaken(head: AnswerHead, bytes: Uint8Array, ends: boolean): Promise<void> {
    return new Promise((resolve) => {
      const { res } = this
      const go = (from: number): boolean => {
        const [taken, done] = res.tryEnd(bytes.subarray(from), bytes.length)
        if (done) this.live = false
        if (done) resolve()
        return taken
      }
      this.wake = resolve
      res.onWritable(go)
      this.write(() => {
        this.writeHead(head, ends)
        go(0)
      })
    })
  }

  private writeChunk(chunk: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve
      this.write(() => {
        if (this.res.write(chunk)) resolve()
        else this.isBlocked = true
      })
      if (!this.live) resolve()
    })
  }

  /** Writes a piece of a response of known length, which ends with its last piece. */
  private writePiece(chunk: Uint8Array, length: number): Promise<void> {
    this.given += chunk.length
    return new Promise((resolve) => {
      const go = (left: Uint8Array): void => {
        const [taken, done] = this.res.tryEnd(left, length)
        if (done) this.live = false
        if (taken || done) resolve()
      }
      this.wake = () => {
        const left = this.live ? this.given - this.res.getWriteOffset() : 0
        if (left === 0) resolve()
        else this.write(() => go(chunk.subarray(chunk.length - left)))
      }
      this.write(() => go(chunk))
      if (!this.live) resolve()
    })
  }
}

const STATUS_LINES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.entries(STATUS_CODES).map(([status, words]) => [status, `${status} ${words}`]),
)

/** Each with the line end before it. */
function linesOf(fields: Fields): string {
  let lines = ''
  for (const [name, value] of fields) lines += `\r\n${name}: ${value}`
  return lines
}

const sharedLines = new WeakMap<Fields, string>()

function sharedLinesOf(fields: Fields): string {
  const known = sharedLines.get(fields)
  if (known !== undefined) return known
  const lines = linesOf(fields)
  sharedLines.set(fields, lines)
  return lines
}

function lengthRequired(): ServiceError {
  return new ServiceError(
    'length_required',
    'A chunked body is not accepted.',
    'Send the body with a Content-Length and without Transfer-Encoding.',
  )
}
