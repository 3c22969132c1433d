/** Answers that a client has already: ETag and 304 (RFC 9110 §8.8.3, §13.1.2). */
import { hash } from 'node:crypto'
import type { HttpRequest, HttpResponse } from '../message.js'

/** Max length of If-None-Match that is read. */
const MAX_FIELD_CHARACTERS = 4096

/**
 * The same answer with an ETag of its body, or a 304 in its place when the client named that. The tag is weak: the same content has one tag
 * whichever way it is compressed.
 */
export function conditional(
  { method, headers }: Pick<HttpRequest, 'method' | 'headers'>,
  response: HttpResponse,
): HttpResponse {
  const { status, body, kept } = response
  if ((method !== 'GET' && method !== 'HEAD') || status !== 200) return response
  const tag = kept?.tag ?? (typeof body === 'string' ? tagOf(body) : undefined)
  if (tag === undefined) return response
  // It may be kept by the one who asked, to be asked for again; `no-store`, as on all else, would make tags useless to HTTP caches.
  const tagged: NonNullable<HttpResponse['headers']> = {
    'Cache-Control': 'private, no-cache',
    ...response.headers,
    ETag: tag,
  }
  const known = headers['if-none-match']
  if (known === undefined || !names(known, tag)) return { ...response, headers: tagged }
  const { 'Content-Type': _type, ...rest } = tagged
  return { status: 304, headers: rest }
}

/** A weak tag of a body. */
export function tagOf(body: string): string {
  return `W/"${hash('sha1', body, 'base64url')}"`
}

/** Weak comparison (RFC 9110 §8.8.3.2): ignores the prefix before the quotes. */
function names(field: string, tag: string): boolean {
  if (field.trim() === '*') return true
  const opaque = tag.slice(2)
  return field
    .slice(0, MAX_FIELD_CHARACTERS)
    .split(',')
    .some((each) => each.trim().replace(/^W\//, '') === opaque)
}
