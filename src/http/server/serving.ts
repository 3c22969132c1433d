/** Running requests of all listeners of a server: shared body memory and shutdown. */
import { systemClock, type Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { after, attempt, type Maybe } from '../../lib/maybe.js'
import { errorResponse } from '../answers/errors.js'
import { Exchange, type BodyBudget } from './exchange.js'
import { createClientAddress, type ClientAddress } from './forwarded.js'
import type { Arrival, Fields } from '../listener/types.js'
import { ClientGone, type HttpHandler, type HttpRequest, type HttpResponse } from '../message.js'

const BODY_IDLE_MS = 8000

export interface ServingOptions {
  handler: HttpHandler
  /** Max bytes of request bodies held at once over all connections; more are refused with 503. */
  maxHeldBodyBytes: number
  /** Max time a body may stall before its request is refused; 8 seconds by default: uWebSockets.js closes after 10. */
  bodyIdleMs?: number
  /** By default the peer's. */
  clientAddress?: ClientAddress
  /** Called once for every internal error; its response has the same request id. */
  onError: (error: unknown, request: HttpRequest) => void
  /** Called for every response sent. */
  onAnswer?: (request: HttpRequest, status: number, timing: Timing) => void
  clock?: Clock
}

export interface Timing {
  /** From the request's head to the response's last byte. */
  ms: number
  /** It may have waited for an event, so its duration is meaningless. */
  mayBeHeld: boolean
}

export type Serving = ReturnType<typeof createServing>

export function createServing(options: ServingOptions) {
  const { handler, onError, clock = systemClock, clientAddress = createClientAddress([]) } = options
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

  function refusal(error: unknown, exchange: Exchange): HttpResponse {
    // The client is gone, so the response is not sent.
    if (!(error instanceof ServiceError) && !(error instanceof ClientGone)) onError(error, exchange)
    return errorResponse(error, exchange.requestId)
  }

  function respond(exchange: Exchange): Maybe<void> {
    const begunAt = performance.now()
    const answered = (status: number): void =>
      options.onAnswer?.(exchange, status, { ms: performance.now() - begunAt, mayBeHeld: exchange.mayBeHeld })
    const send = (response: HttpResponse): Maybe<void> =>
      attempt(
        () => exchange.respond(response),
        () => {
          if (!exchange.clientGone) answered(response.status)
        },
        (error) => {
          onError(error, exchange)
          return after(exchange.respond(errorResponse(error, exchange.requestId)), () => answered(500))
        },
      )
    if (exchange.fault) return send(refusal(exchange.fault, exchange))
    return attempt(
      () => handler(exchange),
      send,
      (error) => send(refusal(error, exchange)),
    )
  }

  return {
    /** Handles a request. @param fields headers of its response */
    serve(arrival: Arrival, fields: Fields): void {
      const exchange = new Exchange(arrival, { budget, clientAddress, fields, arrivedAt: clock.now(), stopping })
      open.add(exchange)
      const done = (): void => {
        exchange.ended()
        open.delete(exchange)
        if (open.size === 0) allDone?.()
      }
      void attempt(
        () => respond(exchange),
        done,
        (error) => {
          onError(error, exchange)
          done()
        },
      )
    },
    /** Running requests. */
    get openRequests(): number {
      return open.size
    },
    /** Ends held requests, lets running ones finish, and cuts the rest after `graceMs`. */
    async stop(graceMs: number): Promise<void> {
      stopping = true
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
    },
  }
}
