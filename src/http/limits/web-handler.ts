/** Serves a web-standard handler, `(Request) => Promise<Response>`, over our requests and responses. */
import type { Caller } from '../../accounts/types.js'
import type { Asker } from '../../lib/thread-pool.js'
import type { Auth } from './authorize.js'
import type { Holds } from './long-polls.js'
import type { ServiceError } from '../../lib/errors.js'
import { askerOf, type RateLimits } from './limits.js'
import type { HttpRequest, HttpResponse } from '../message.js'

/** Node loads it lazily in 50 ms: with this file, not in somebody's first call. */
const { Request } = globalThis

/** A handler for every method on one path. */
export interface Mount {
  path: string
  /** Checked and rate-limited before the body is read. */
  auth: Auth
  /** Resources of accepted OAuth tokens; keys only without it. */
  audiences?: readonly string[]
  /** `WWW-Authenticate` of a 401. @param sent true if invalid credentials were sent */
  challenge?: (sent: boolean) => string
  maxBodyBytes: number
  /**
   * Bodies are JSON, parsed in the context. The request has neither body nor signal, since streams cost more than a small call. Responses other than event
   * streams are sent whole.
   */
  json?: boolean
  /** Formats errors before the handler; as in the API by default. */
  refuse?: (error: ServiceError, requestId: string) => HttpResponse
  /**
   * @param request its signal aborts when the client leaves
   * @param context `caller` unless `auth` is `none`; `request.holdSignal` also aborts when the server stops
   */
  fetch(request: Request, context: MountContext): Promise<Response>
}

export interface MountContext {
  caller: Caller | undefined
  /** The caller for work in threads. */
  asker: Asker | undefined
  request: HttpRequest
  /** The JSON body. @throws ServiceError `invalid_request` if invalid or too complex */
  json(): Promise<unknown>
  /** For a batch: each further request counts. @throws ServiceError `rate_limited` */
  countMore(requests: number): Promise<void>
}

/** Time for a stream's last output. */
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
  const { method, headers } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const sent = hasBody
    ? await request.readBody(mount.maxBodyBytes, caller && (caller.account?.id ?? caller.keyId))
    : null
  const url = new URL(mount.path, baseUrl)
  if (request.query !== '') url.search = request.query
  const json = async (): Promise<unknown> => parse(sent ?? Buffer.alloc(0))
  const asked = new Request(
    url,
    mount.json ? { method, headers } : { method, headers, body: sent, signal: request.signal },
  )
  const asker = caller && askerOf(caller, request, rates)
  const response = await mount.fetch(asked, { caller, asker, request, json, countMore })
  const body = response.body && (await bodyOf(response, response.body))
  return {
    status: response.status,
    headers: headersOf(response.headers),
    ...(body && { body }),
  }

  async function countMore(requests: number): Promise<void> {
    if (rates && caller) rates.countCaller(caller, requests)
  }

  function bodyOf(answer: Response, stream: ReadableStream<Uint8Array>): HttpResponse['body'] | Promise<Uint8Array> {
    if (isEventStream(answer)) return eventsOf(stream, request, caller, holds)
    return mount.json ? answer.arrayBuffer().then((bytes) => new Uint8Array(bytes)) : chunksOf(stream, request.signal)
  }
}

function headersOf(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
}

function isEventStream(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').startsWith('text/event-stream')
}

/** Ends event streams when the server stops or the caller's access ends. A waiting call that responds as a stream may still send its result. */
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
  const { release } = caller && holds ? holds.watch(caller, end) : { release: () => undefined }
  if (holdSignal.aborted) end()
  else holdSignal.addEventListener('abort', end, { once: true })
  return chunksOf(stream, over.signal, () => {
    release()
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
  // A broken stream fails to cancel, and reports that to its reader.
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
