/** Serves a web-standard handler, `(Request) => Promise<Response>`, on the server's own requests and answers. */
import type { Caller } from '../accounts/types.js'
import type { Auth } from './authorize.js'
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

/** @param baseUrl what the request's URL begins with; the Host header is the client's word and not taken for it */
export async function serveFetch(
  mount: Mount,
  request: HttpRequest,
  caller: Caller | undefined,
  baseUrl: string,
): Promise<HttpResponse> {
  const { method, headers, signal } = request
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? await request.readBody(mount.maxBodyBytes) : null
  if (mount.json && body) checkStructure(body)
  const url = new URL(mount.path, baseUrl)
  url.search = request.query
  const response = await mount.fetch(new Request(url, { method, headers, body, signal }), { caller, request })
  const stream = response.body
  return {
    status: response.status,
    headers: headersOf(response.headers),
    // An event stream has no end of its own: a server that stops has to end it.
    ...(stream && { body: chunksOf(stream, isEventStream(response) ? request.holdSignal : signal) }),
  }
}

function headersOf(headers: Headers): Record<string, string | string[]> {
  const cookies = headers.getSetCookie()
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) }
}

function isEventStream(response: Response): boolean {
  return (response.headers.get('content-type') ?? '').startsWith('text/event-stream')
}

/** The stream's chunks, to its end or until the signal; its source is told when nobody reads on. */
function chunksOf(stream: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const reader = stream.getReader()
  // A stream that can't be cancelled because it broke says so to whoever reads it.
  const onAbort = (): void => void reader.cancel().catch(() => undefined)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const { done, value } = await reader.read()
        return done ? { done, value: undefined } : { done, value }
      },
      async return() {
        signal.removeEventListener('abort', onAbort)
        await reader.cancel()
        return { done: true, value: undefined }
      },
    }),
  }
}
