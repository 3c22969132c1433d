/** Serves a web-standard handler, `(Request) => Promise<Response>`, on the server's own requests and answers. */
import type { Caller } from '../accounts/types.js'
import type { Auth } from './authorize.js'
import type { Holds } from './holds.js'
import { checkStructure } from './json.js'
import type { HttpRequest, HttpResponse } from './message.js'

/** A handler for every method on one path. */
export interface Mount {
  path: string
  /** Checked, and counted against the limits, before the body is read. */
  auth: Auth
  maxBodyBytes: number
  /** Bodies are JSON: what would keep its parser busy is refused before. */
  json?: boolean
  /**
   * @param request its signal is aborted when the client goes away
   * @param context `caller` unless `auth` is `none`; `request.holdSignal` is aborted when the server stops as well
   */
  fetch(request: Request, context: { caller: Caller | undefined; request: HttpRequest }): Promise<Response>
}

/**
 * @param baseUrl what the request's URL begins with; the Host header is the client's word and not taken for it
 * @param holds tells of callers whose access ends; their event streams end with it
 */
export async function serveFetch(
  mount: Mount,
  request: HttpRequest,
  caller: Caller | undefined,
  baseUrl: string,
  holds: Pick<Holds, 'watch'> | undefined,
): Promise<HttpResponse> {
  const { method, headers, signal } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const sent = hasBody
    ? await request.readBody(mount.maxBodyBytes, caller && (caller.account?.id ?? caller.keyId))
    : null
  if (mount.json && sent) checkStructure(sent)
  const url = new URL(mount.path, baseUrl)
  url.search = request.query
  const response = await mount.fetch(new Request(url, { method, headers, body: sent, signal }), { caller, request })
  const stream = response.body
  const body = stream && (isEventStream(response) ? eventsOf(stream, request, caller, holds) : chunksOf(stream, signal))
  return {
    status: response.status,
    headers: headersOf(response.headers),
    ...(body && { body }),
  }
}

function headersOf(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
}

function isEventStream(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').startsWith('text/event-stream')
}

/** An event stream has no end of its own: a server that stops has to end it, and so has a caller whose access ends. */
function eventsOf(
  stream: ReadableStream<Uint8Array>,
  request: HttpRequest,
  caller: Caller | undefined,
  holds: Pick<Holds, 'watch'> | undefined,
): AsyncIterable<Uint8Array> {
  if (!caller || !holds) return chunksOf(stream, request.holdSignal)
  const over = new AbortController()
  const end = (): void => over.abort()
  const { holdSignal } = request
  const { letGo } = holds.watch(caller, end)
  if (holdSignal.aborted) end()
  else holdSignal.addEventListener('abort', end, { once: true })
  return chunksOf(stream, over.signal, () => {
    letGo()
    holdSignal.removeEventListener('abort', end)
  })
}

/** The stream's chunks, to its end or until the signal; its source is told when nobody reads on. */
function chunksOf(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onEnd: () => void = () => undefined,
): AsyncIterable<Uint8Array> {
  const reader = stream.getReader()
  // A stream that can't be cancelled because it broke says so to whoever reads it.
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
