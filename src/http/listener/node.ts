/**
 * Node's HTTP server as a driver, with and without TLS. Node emits all requests of a packet at once; here those of one connection are served in sequence, and
 * invalid input is answered after them.
 */
import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TlsOptions } from 'node:tls'
import { SECOND } from '../../lib/clock.js'
import { invalidRequest, type ServiceError } from '../../lib/errors.js'
import type { HostPort } from '../../lib/host-port.js'
import { unmapped } from '../../lib/ip.js'
import { cannotListen } from './address.js'
import { addField, faultOf, headTooLarge, lengthOf, MAX_HEAD_BYTES, noFields, otherTarget } from './head.js'
import type { AnswerHead, Arrival, Driver, Flow, Head, Listening, OnArrival, Outgoing } from './types.js'

/** Max idle time between requests, or while a client reads a response. */
const IDLE_MS = 12 * SECOND
/** Smaller responses are sent in one write. */
const WHOLE_ANSWER_BYTES = 16 * 1024
/** Max queued requests per connection. */
const MAX_WAITING = 64
/** Max time to keep reading after a response that ends a connection with data still to come. */
const LINGER_MS = SECOND

const OPTIONS: ServerOptions = {
  maxHeaderSize: MAX_HEAD_BYTES,
  headersTimeout: 10 * SECOND,
  connectionsCheckingInterval: 2 * SECOND,
  keepAliveTimeout: IDLE_MS,
  // Bodies have their own timeouts.
  requestTimeout: 0,
  // Reported by our own error.
  requireHostHeader: false,
  // Whatever Node was started with.
  insecureHTTPParser: false,
}

export const nodeDriver: Driver = {
  name: 'node',
  listen: (at, onArrival) => listenWith(createServer(OPTIONS), 'HTTP', at, onArrival),
}

export type TlsListening = Listening & Pick<TlsServer, 'setSecureContext'>

/** `listen` over TLS (RFC 9112 §9.7). @throws Error with the failing address or TLS setting */
export async function listenTls(at: HostPort, onArrival: OnArrival, tls: TlsOptions): Promise<TlsListening> {
  const server = createTlsServer({ ...OPTIONS, handshakeTimeout: IDLE_MS, ...tls })
  const listening = await listenWith(server, 'HTTPS', at, onArrival)
  return { ...listening, setSecureContext: (context) => server.setSecureContext(context) }
}

async function listenWith(
  server: Server | TlsServer,
  protocol: string,
  at: HostPort,
  onArrival: OnArrival,
): Promise<Listening> {
  // Unlimited, since the size is limited; Node would silently drop the rest.
  server.maxHeadersCount = 0
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  // With TLS, HTTP begins on the TLS socket.
  const connections = new WeakMap<Duplex, Connection>()
  server.on(protocol === 'HTTPS' ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.set(socket, new Connection(socket, onArrival))
  })
  const take: RequestListener = (req, res) => connections.get(req.socket)?.take(req, res, false)
  server.on('request', take)
  // RFC 9110 §10.1.1: other expectations are ignored.
  server.on('checkExpectation', take)
  server.on('checkContinue', (req, res) => connections.get(req.socket)?.take(req, res, true))
  server.on('connect', (_req, socket) => connections.get(socket)?.refuse(noTunnels()))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const connection = connections.get(socket)
    if (connection) connection.broken(error)
    else socket.destroy()
  })

  const closed = new Promise<void>((resolve) => server.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(protocol, at, error)))
    server.listen({ host: at.host, port: at.port, exclusive: true }, resolve)
  })
  // A failed connection; its client notices.
  server.on('error', () => undefined)
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : at.port,
    stop: () => void server.close(),
    closeAll() {
      for (const socket of sockets) socket.destroy()
      return closed
    },
  }
}

/** Requests of one connection, served one at a time. */
class Connection {
  private current: NodeArrival | undefined
  private latest: NodeArrival | undefined
  private readonly waiting: NodeArrival[] = []
  /** Input is ignored from here on. */
  private isEnding = false
  private isPaused = false

  constructor(
    readonly socket: Socket,
    private readonly onArrival: OnArrival,
  ) {
    // A reset: 'close' follows. After CONNECT nobody else listens.
    socket.on('error', () => socket.destroy())
  }

  take(req: IncomingMessage, res: ServerResponse, awaitsContinue: boolean): void {
    if (!this.isEnding) this.queue(new NodeArrival(this, { req, res, awaitsContinue }))
  }

  /** Answers with the fault once all earlier requests are answered, then closes; nothing more is read. */
  refuse(fault: ServiceError): void {
    if (this.isEnding) return
    this.isEnding = true
    this.queue(new NodeArrival(this, fault))
  }

  broken(error: NodeJS.ErrnoException): void {
    const { code = '' } = error
    // RFC 9112 §9.6: input after "Connection: close" is ignored. Earlier requests are answered, then the connection ends.
    if (this.isEnding || code === 'HPE_CLOSED_CONNECTION') return
    const isHttp = code.startsWith('HPE_') && code !== 'HPE_INVALID_EOF_STATE'
    if (!isHttp || !this.socket.writable) {
      // An incomplete head ends the connection silently, after earlier requests.
      if (code !== 'ERR_HTTP_REQUEST_TIMEOUT' || !this.current) this.socket.destroy()
      else this.isEnding = true
    } else if (this.latest?.isIncomplete) this.latest.bodyBroken()
    else this.refuse(notHttp(code))
  }

  /** A response was sent, or the connection is gone. */
  ended(arrival: NodeArrival): void {
    if (this.current !== arrival) return
    this.current = undefined
    if (this.socket.destroyed) return
    const next = this.waiting.shift()
    if (next) {
      this.socket.setTimeout(0)
      this.begin(next)
    } else if (this.isEnding) this.socket.destroySoon()
  }

  /** Sends a response and ends the connection, reading on briefly so that no reset drops it (RFC 9112 §9.6). */
  sayLast(text: Uint8Array): Promise<void> {
    this.isEnding = true
    const { socket } = this
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    return new Promise((resolve) => {
      socket.once('close', () => {
        clearTimeout(timer)
        resolve()
      })
      socket.end(text, resolve)
      socket.resume()
    })
  }

  private queue(arrival: NodeArrival): void {
    this.latest = arrival
    if (!this.current) return this.begin(arrival)
    if (this.waiting.length === MAX_WAITING) return void this.socket.destroy()
    this.waiting.push(arrival)
    this.isPaused = true
    this.socket.pause()
  }

  private begin(arrival: NodeArrival): void {
    this.current = arrival
    if (this.isPaused && this.waiting.length === 0) {
      this.isPaused = false
      this.socket.resume()
    }
    arrival.begin()
    this.onArrival(arrival)
  }
}

interface Exchanged {
  req: IncomingMessage
  res: ServerResponse
  awaitsContinue: boolean
}

class NodeArrival implements Arrival {
  readonly head: Head
  readonly peer: string
  readonly fault: ServiceError | undefined
  readonly bodyLength: number | undefined
  readonly awaitsContinue: boolean
  private readonly exchanged: Exchanged | undefined
  /** The response is sent, or the client gone. */
  private isOver = false
  private gone: (() => void) | undefined
  /** Resumes the writer once the connection has drained. */
  private wake: (() => void) | undefined
  private lost: ServiceError | undefined
  private onBroken: ((error: ServiceError) => void) | undefined

  /** @param from a request, or the reason why input is invalid */
  constructor(
    private readonly connection: Connection,
    from: Exchanged | ServiceError,
  ) {
    this.peer = unmapped(connection.socket.remoteAddress ?? '')
    if ('req' in from) {
      const { head, fault } = readHead(from.req)
      this.head = head
      this.fault = fault
      this.exchanged = from
      this.bodyLength = fault ? 0 : lengthOf(head)
      this.awaitsContinue = from.awaitsContinue
    } else {
      this.head = { method: '', path: '', query: '', headers: noFields() }
      this.fault = from
      this.bodyLength = 0
      this.awaitsContinue = false
    }
  }

  /** Some of the body has not come yet. */
  get isIncomplete(): boolean {
    return this.exchanged !== undefined && !this.exchanged.req.complete
  }

  /** Its turn has come. */
  begin(): void {
    const emitter = this.exchanged?.res ?? this.connection.socket
    emitter.once('close', () => this.over())
  }

  onGone(fn: () => void): void {
    this.gone = fn
  }

  watch(): void {
    // Node keeps reading, and so notices.
  }

  read(take: (chunk: Uint8Array, isLast: boolean) => void, broken: (error: ServiceError) => void): Flow {
    const { req, res } = this.requireExchanged()
    this.onBroken = broken
    if (this.lost) broken(this.lost)
    let isBegun = false
    return {
      pause: () => void req.pause(),
      resume: () => {
        if (isBegun) return void req.resume()
        isBegun = true
        if (this.awaitsContinue) res.writeContinue()
        req.on('data', (chunk: Buffer) => take(chunk, false))
        req.on('end', () => take(EMPTY, true))
      },
    }
  }

  bodyBroken(): void {
    this.lost = invalidRequest(
      'The chunks of the body are not those of HTTP/1.1.',
      'Send a Content-Length, or chunks as RFC 9112 §7.1 has them.',
    )
    this.onBroken?.(this.lost)
  }

  send(head: AnswerHead, bytes: Uint8Array, close: boolean): Promise<void> {
    if (this.isOver) return Promise.resolve()
    if (this.fault || (close && this.isIncomplete)) return this.sayLast(head, bytes)
    const { res } = this.requireExchanged()
    res.writeHead(head.status, linesOf(head, close))
    if (bytes.length === 0) res.end()
    else if (bytes.length > WHOLE_ANSWER_BYTES) res.end(bytes)
    // A string shares a write with the head; bytes would not.
    else res.end(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'), 'latin1')
    return this.taken()
  }

  async stream(head: AnswerHead, close: boolean): Promise<Outgoing> {
    const { res } = this.requireExchanged()
    res.writeHead(head.status, linesOf(head, close))
    res.flushHeaders()
    res.on('drain', () => {
      this.connection.socket.setTimeout(0)
      this.wake?.()
    })
    return {
      write: (chunk) => (this.isOver || res.write(chunk) ? undefined : this.taken()),
      end: () => {
        if (this.isOver) return Promise.resolve()
        res.end()
        return this.taken()
      },
    }
  }

  cut(): void {
    if (!this.isOver) this.connection.socket.destroy()
  }

  private over(): void {
    if (!this.isOver && this.exchanged?.res.writableFinished !== true) this.gone?.()
    this.isOver = true
    this.wake?.()
    this.connection.ended(this)
  }

  private async sayLast({ status, fields, shared, length }: AnswerHead, bytes: Uint8Array): Promise<void> {
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `Date: ${new Date().toUTCString()}`,
      ...[...fields, ...shared].map(([name, value]) => `${name}: ${value}`),
      ...(length === undefined ? [] : [`Content-Length: ${length}`]),
      'Connection: close',
    ]
    this.exchanged?.req.resume()
    await this.connection.sayLast(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), bytes]))
    this.isOver = true
  }

  /** Cuts a client that does not read for a while. */
  private taken(): Promise<void> {
    const { socket } = this.connection
    if (socket.writableLength > 0) socket.setTimeout(IDLE_MS)
    return new Promise((resolve) => (this.wake = resolve))
  }

  private requireExchanged(): Exchanged {
    if (!this.exchanged) throw new Error('Invalid input has neither a body nor a streamed response')
    return this.exchanged
  }
}

const EMPTY = new Uint8Array(0)

function linesOf({ fields, shared, length }: AnswerHead, close: boolean): string[] {
  const lines: string[] = []
  for (const [name, value] of fields) lines.push(name, value)
  for (const [name, value] of shared) lines.push(name, value)
  if (length !== undefined) lines.push('Content-Length', String(length))
  if (close) lines.push('Connection', 'close')
  return lines
}

function readHead(req: IncomingMessage): { head: Head; fault: ServiceError | undefined } {
  const { method = '', url = '', rawHeaders } = req
  const headers = noFields()
  // Node's `headers` drops a second Host.
  for (let i = 0; i < rawHeaders.length; i += 2)
    addField(headers, (rawHeaders[i] ?? '').toLowerCase(), rawHeaders[i + 1] ?? '')
  const mark = url.indexOf('?')
  const asPath = mark === -1 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) }
  const other = url[0] === '/' ? undefined : otherTarget(method, url)
  const { path, query = '' } = other ?? asPath
  const head = { method, path, query, headers }
  const fault = faultOf(head, req.httpVersion)
  // RFC 9112 §3.2.2: the target's host wins over the field.
  if (other?.host !== undefined) headers['host'] = other.host
  return { head, fault }
}

function noTunnels(): ServiceError {
  return invalidRequest(
    'This server is not a proxy and does not accept CONNECT.',
    'Send the request to the host that it is for.',
  )
}

function notHttp(code: string): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW') return headTooLarge()
  return invalidRequest(
    'This is not an HTTP/1.1 request.',
    'Send a request as RFC 9112 has it, each line ended by CR LF.',
  )
}
