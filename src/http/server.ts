/** The HTTP server: uWebSockets.js behind plain requests and answers, with a stop that loses nothing it has begun. */
import { createServer } from 'node:net'
import uWS, {
  type HttpRequest as UwsRequest,
  type HttpResponse as UwsResponse,
  type us_listen_socket,
} from 'uWebSockets.js'
import { systemClock, type Clock } from '../lib/clock.js'
import { invalidRequest, ServiceError } from '../lib/errors.js'
import { isImitation } from '../lib/native.js'
import { errorResponse } from './errors.js'
import { Exchange, type BodyBudget } from './exchange.js'
import { createClientAddress, type ClientAddress } from './forwarded.js'
import { ClientGone, type HttpHandler, type HttpRequest, type HttpResponse } from './message.js'

declare module 'uWebSockets.js' {
  // The binary has these; its types do not tell of them.
  interface TemplatedApp {
    listen(host: string, port: number, options: number, cb: (socket: us_listen_socket | false) => void): TemplatedApp
    close(): TemplatedApp
  }
}

/** LIBUS_LISTEN_EXCLUSIVE_PORT: without it a second listener on a taken port succeeds, and each gets half of the connections. */
const EXCLUSIVE_PORT = 1

const BODY_IDLE_MS = 8000

export interface ListenOptions {
  host: string
  /** 0 takes a free one. */
  port: number
  handler: HttpHandler
  /** Bytes of request bodies held at once over all connections; a further one is told 503. */
  maxHeldBodyBytes: number
  /** How long a body may stand still before its request is refused; 8 seconds when not given, since the server below cuts it after 10. */
  bodyIdleMs?: number
  /** Whose request it is behind a proxy; that of the connection when not given. */
  clientAddress?: ClientAddress
  /** Told of every error that is ours, once; its answer carries the same request id. */
  onError: (error: unknown, request: HttpRequest) => void
  /** Told of every answer that went out. */
  onAnswer?: (request: HttpRequest, status: number, timing: Timing) => void
  /** Told what the operator should know at the start. */
  warn: (message: string) => void
  clock?: Clock
}

export interface Timing {
  /** From the head of the request to the last byte of its answer. */
  ms: number
  /** It may have waited for something to happen: what it took tells nothing of the server then. */
  mayBeHeld: boolean
}

export interface HttpServer {
  port: number
  /** Requests at work. */
  readonly openRequests: number
  /**
   * Stops listening, has held requests answered, lets those at work finish, and cuts what is left after `graceMs`. Every connection is
   * closed when it resolves.
   */
  close(graceMs: number): Promise<void>
}

/** @throws Error that says which address can't be listened on and why */
export async function listen(options: ListenOptions): Promise<HttpServer> {
  const { host, port, handler, onError, clock = systemClock, clientAddress = createClientAddress([]) } = options
  if (isImitation(uWS.App)) {
    options.warn(
      `uWebSockets.js has no native binary for Node ${process.versions.node} on ${process.platform} ${process.arch}: a slow imitation in JavaScript was loaded. ` +
        'Use Node 20, or install the build of its author for this version.',
    )
  }
  const budget: BodyBudget = {
    heldBytes: 0,
    maxBytes: options.maxHeldBodyBytes,
    byHolder: new Map(),
    maxBytesEach: Math.ceil(options.maxHeldBodyBytes / 2),
    idleMs: options.bodyIdleMs ?? BODY_IDLE_MS,
  }
  const open = new Set<Exchange>()
  let stopping = false
  let allDone: (() => void) | undefined

  async function answer(exchange: Exchange): Promise<HttpResponse> {
    try {
      if (exchange.malformed)
        throw invalidRequest(
          'How long the body is can be read in more than one way.',
          'Send one Content-Length, a decimal number, or Transfer-Encoding: chunked.',
        )
      return await handler(exchange)
    } catch (error) {
      // The client is not there to read it: any answer will do.
      if (!(error instanceof ServiceError) && !(error instanceof ClientGone)) onError(error, exchange)
      return errorResponse(error, exchange.requestId)
    }
  }

  async function serve(exchange: Exchange): Promise<void> {
    const begunAt = performance.now()
    const told = (status: number): void =>
      options.onAnswer?.(exchange, status, { ms: performance.now() - begunAt, mayBeHeld: exchange.mayBeHeld })
    const response = await answer(exchange)
    try {
      await exchange.respond(response)
      if (!exchange.clientGone) told(response.status)
    } catch (error) {
      onError(error, exchange)
      await exchange.respond(errorResponse(error, exchange.requestId))
      told(500)
    }
  }

  const app = uWS.App()
  app.any('/*', (res: UwsResponse, req: UwsRequest) => {
    const exchange = new Exchange(res, req, budget, clock.now(), stopping, clientAddress)
    open.add(exchange)
    void serve(exchange)
      .catch((error: unknown) => onError(error, exchange))
      .finally(() => {
        exchange.ended()
        open.delete(exchange)
        if (open.size === 0) allDone?.()
      })
  })

  const socket = await new Promise<us_listen_socket | false>((resolve) => {
    app.listen(host, port, EXCLUSIVE_PORT, resolve)
  })
  if (socket === false) throw new Error(`Cannot listen for HTTP on ${host}:${port}: ${await whyNot(host, port)}`)

  async function stop(graceMs: number): Promise<void> {
    stopping = true
    if (socket) uWS.us_listen_socket_close(socket)
    for (const exchange of open) exchange.stop()
    await new Promise<void>((resolve) => {
      if (open.size === 0) return resolve()
      const timer = setTimeout(resolve, graceMs)
      allDone = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    for (const exchange of open) exchange.cut()
    // Closes idle connections too.
    app.close()
  }

  let stopped: Promise<void> | undefined
  return {
    port: uWS.us_socket_local_port(socket),
    get openRequests() {
      return open.size
    },
    close: (graceMs) => (stopped ??= stop(graceMs)),
  }
}

/** The server below only says that it failed; Node's own says why. */
function whyNot(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(REASONS[error.code ?? ''] ?? error.message))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve('another process may have it')))
  })
}

const REASONS: Record<string, string> = {
  EADDRINUSE: 'the port is in use. Stop the process that has it (`ss -ltnp` names it) or choose another port.',
  EACCES: 'ports below 1024 need a privilege (CAP_NET_BIND_SERVICE).',
  EADDRNOTAVAIL: 'this machine does not have that address.',
  ENOTFOUND: 'there is no such host.',
}
