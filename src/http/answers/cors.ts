/**
 * Pages of other origins (Fetch Standard, CORS protocol): none may call the API unless the operator names it. There are no credentials a
 * browser would add by itself: a page has to hold the key.
 */
import { withVary } from '../head.js'
import type { HttpRequest, HttpResponse } from '../message.js'

export interface Cors {
  /** The answer to a question whether a call may be made; undefined when it is none, or of an origin that may not. */
  preflight(request: HttpRequest, methods: string): HttpResponse | undefined
  /** The same answer, readable by the page that asked when its origin may. */
  open(request: HttpRequest, response: HttpResponse): HttpResponse
}

const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-None-Match',
  'Last-Event-ID',
  'Range',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
].join(', ')

const EXPOSED_HEADERS = [
  'Content-Disposition',
  'Content-Range',
  'Deprecation',
  'ETag',
  'Link',
  'Mcp-Session-Id',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ')

const MAX_AGE_SECONDS = 3600

/** For what is public and the same for everybody: each page may read it, by its script. */
export const CORS_FOR_ANYBODY: Cors = {
  preflight(request, methods) {
    if (request.headers['access-control-request-method'] === undefined) return undefined
    return {
      status: 204,
      headers: {
        Allow: methods,
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Methods': methods,
        'Access-Control-Allow-Headers': REQUEST_HEADERS,
        'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
      },
    }
  },
  open: (_request, response) => ({
    ...response,
    headers: { ...response.headers, 'Access-Control-Allow-Origin': '*' },
  }),
}

/** @param origins `https://app.example.com`, exactly as browsers send them */
export function createCors(origins: readonly string[]): Cors {
  const allowed = new Set(origins)
  const originOf = ({ headers }: HttpRequest): string | undefined => {
    const origin = headers['origin']
    return origin !== undefined && allowed.has(origin) ? origin : undefined
  }
  return {
    preflight(request, methods) {
      const origin = originOf(request)
      if (origin === undefined || request.headers['access-control-request-method'] === undefined) return undefined
      return {
        status: 204,
        headers: {
          Allow: methods,
          Vary: 'Origin',
          'Access-Control-Allow-Origin': origin,
          'Access-Control-Allow-Methods': methods,
          'Access-Control-Allow-Headers': REQUEST_HEADERS,
          'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
        },
      }
    },
    open(request, response) {
      if (allowed.size === 0) return response
      const varied = withVary(response, 'Origin')
      const origin = originOf(request)
      if (origin === undefined) return varied
      return {
        ...varied,
        headers: {
          ...varied.headers,
          'Access-Control-Allow-Origin': origin,
          'Access-Control-Expose-Headers': EXPOSED_HEADERS,
        },
      }
    },
  }
}
