/** Cross-origin access (Fetch Standard, CORS): only origins named by the operator may call the API. There are no ambient credentials: a page needs the key. */
import { withVary } from '../head.js'
import type { HttpRequest, HttpResponse } from '../message.js'
import { onceForKept } from './once-for-kept.js'

export interface Cors {
  /** The response to a preflight; undefined for other requests and origins. */
  preflight(request: HttpRequest, methods: string): HttpResponse | undefined
  /** Makes the response readable by an allowed origin. */
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

function preflightFor(origin: string, { headers }: HttpRequest, methods: string): HttpResponse | undefined {
  if (headers['access-control-request-method'] === undefined) return undefined
  return {
    status: 204,
    headers: {
      Allow: methods,
      ...(origin !== '*' && { Vary: 'Origin' }),
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': REQUEST_HEADERS,
      'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
    },
  }
}

/** For public responses: readable by every page. */
export const CORS_FOR_ANYBODY: Cors = {
  preflight: (request, methods) => preflightFor('*', request, methods),
  open: (_request, response) => ({
    ...response,
    headers: { ...response.headers, 'Access-Control-Allow-Origin': '*' },
  }),
}

const variedByOrigin = onceForKept((response) => withVary(response, 'Origin'))

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
      return origin === undefined ? undefined : preflightFor(origin, request, methods)
    },
    open(request, response) {
      if (allowed.size === 0) return response
      const varied = variedByOrigin(response)
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
