/** Serves a web-standard handler, `(Request) => Promise<Response>`, on the server's own requests and answers. */
import type { Caller } from '../../accounts/types.js'
import type { Asker } from '../../lib/thread-pool.js'
import { askerOf } from './thread-caller.js'
import type { Auth } from './authorize.js'
import type { Holds } from './long-polls.js'
import type { ServiceError } from '../../lib/errors.js'
import type { RateLimits } from './limits.js'
import type { HttpRequest, HttpResponse } from '../message.js'

/** Loads Node's fetch classes at startup (50 ms or more) rather than in the first request. */
const { Request } = globalThis

/** A handler for every method on one path. */
export interface Mount {
  path: string
  /** Checked, and counted against the limits, before the body is read. */
  auth: Auth
  /** Accepts OAuth tokens for these resources; undefined: API keys only. */
  audiences?: readonly string[]
  /** `WWW-Authenticate` of a 401. @param sent true if invalid credentials were sent */
  challenge?: (sent: boolean) => string
  maxBodyBytes: number
  /**
   * Bodies are JSON: the context has them parsed. The request has neither body nor signal, since streams for those cost more than a small call
   * does. An answer that is no event stream goes out whole.
   */
  json?: boolean
  /** Formats errors raised before the handler; as in the API when not given. */
  refuse?: (error: ServiceError, requestId: string) => HttpResponse
  /**
   * @param request its signal is aborted when the client goes away
   * @param context `caller` unless `auth` is `none`; `request.holdSignal` is aborted when the server stops as well
   */
  fetch(request: Request, context: MountContext): Promise<Response>
}

export interface MountContext {
  caller: Caller | undefined
  /** The caller as one who waits for work in threads. */
  asker: Asker | undefined
  request: HttpRequest
  /** The body of a mount that takes JSON. @throws ServiceError `invalid_request` when it is none, or would keep its parser busy */
  json(): Promise<unknown>
  /** For one that stands for several: each counts against the limits of its caller. @throws ServiceError `rate_limited` */
  countMore(requests: number): Promise<void>
}

/** Grace period of a stream for its last events. */
const LAST_WORDS_MS = 1000

export interface FetchDeps {
  /** Base of the request's URL; the client's Host header is not trusted. */
  baseUrl: string
  /** Reports callers whose access ends; this ends their event streams. */
  holds?: Pick<Holds, 'watch'> | undefined
  /** Undefined: nobody is limited. */
  rates: Pick<RateLimits, 'countCaller' | 'charge'> | undefined
  /** Reads a body as JSON. @throws ServiceError `invalid_request` */
  parse: (body: Buffer) => unknown
}

export async function serveFetch(
  mount: Mount,
  request: HttpRequest,
  caller: Caller | undefined,
  { baseUrl, holds, rates, parse }: FetchDeps,
): Promise<HttpResponse> {
  const { method, headers, signal } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const sent = hasBody
    ? await request.readBody(mount.maxBodyBytes, caller && (caller.account?.id ?? caller.keyId))
    : null
  const url = new URL(mount.path, baseUrl)
  url.search = request.query
  const json = async (): Promise<unknown> => parse(sent ?? Buffer.alloc(0))
  const asked = new Request(url, mount.json ? { method, headers } : { method, headers, body: sent, signal })
  const asker = caller && askerOf(caller, request, rates)
  const response = await mount.fetch(asked, { caller, asker, request, json, countMore })
  const body = response.body && (await bodyOf(response, response.body))
  return {
    status: response.status,
    headers: headersOf(response.headers),
    ...(body && { body }),
  }

  async function countMore(requests: number): Promise<void> {
    if (rates && caller) await rates.countCaller(caller, requests)
  }

  function bodyOf(answer: Response, stream: ReadableStream<Uint8Array>): HttpResponse['body'] | Promise<string> {
    if (isEventStream(answer)) return eventsOf(stream, request, caller, holds)
    return mount.json ? answer.text() : chunksOf(stream, signal)
  }
}

function headersOf(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
}

function isEventStream(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').startsWith('text/event-stream')
}

/**
 * Ends an event stream when the server stops or the caller's access ends, as it may have no end of its own. A waiting call that
 * answers as a stream gets the same signal and time to answer.
 */
function eventsOf(
  stream: ReadableStream<Uint8Array>,
  request: HttpRequest,
  caller: Caller | undefined,
  holds: Pick<Holds, 'watch'> | undefined,
): AsyncIterable<Uint8Array> {
  const over = new AbortController()
  let lastWords: NodeJS.Timeout | undefined
  const end = (): void => {
    if (request.signal.aborted) over.abort()
    else lastWords ??= setTimeout(() => over.abort(), LAST_WORDS_MS)
  }
  const { holdSignal } = request
  const { letGo } = caller && holds ? holds.watch(caller, end) : { letGo: () => undefined }
  if (holdSignal.aborted) end()
  else holdSignal.addEventListener('abort', end, { once: true })
  return chunksOf(stream, over.signal, () => {
    letGo()
    clearTimeout(lastWords)
    holdSignal.removeEventListener('abort', end)
  })
}

/** The stream's chunks, until its end or the signal; cancels the source when reading stops. */
function chunksOf(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onEnd: () => void = () => undefined,
): AsyncIterable<Uint8Array> {
  const reader = stream.getReader()
  // If the stream broke, cancelling fails too, and its reader gets the error.
  const onAbort = (): void => void reader.cancel().catch(() => undefined)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const { done, value } = await reader.read()
        if (done) onEnd()
        return done ? { done, value: undefined } : { done, value }
      },
      async return() {
        signal.removeEventListener('abort', onAbort)
        onEnd()
        await reader.cancel()
        return { done: true, value: undefined }
      },
    }),
  }
}
