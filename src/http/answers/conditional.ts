/** ETag and 304 (RFC 9110 §8.8.3, §13.1.2). */
import { hash } from 'node:crypto'
import type { HttpRequest, HttpResponse } from '../message.js'
import { onceForKept } from './once-for-kept.js'

/** Max length of If-None-Match that is read. */
const MAX_FIELD_CHARACTERS = 4096

/** Adds an ETag of the body, or replaces the response by a 304. The tag is weak: the same content has one tag for all codings. */
export function conditional(
  { method, headers }: Pick<HttpRequest, 'method' | 'headers'>,
  response: HttpResponse,
): HttpResponse {
  if ((method !== 'GET' && method !== 'HEAD') || response.status !== 200) return response
  const tagged = withTag(response)
  const known = headers['if-none-match']
  const tag = tagged.headers?.['ETag']
  if (known === undefined || typeof tag !== 'string' || tagged === response || !names(known, tag)) return tagged
  const { 'Content-Type': _type, ...rest } = tagged.headers ?? {}
  return { status: 304, headers: rest }
}

/** The same response if its body has no tag. */
const withTag = onceForKept((response) => {
  const { body, kept } = response
  const tag = kept?.tag ?? (typeof body === 'string' ? tagOf(body) : undefined)
  if (tag === undefined) return response
  // May be stored by the client for revalidation; the default `no-store` would make tags useless.
  return { ...response, headers: { 'Cache-Control': 'private, no-cache', ...response.headers, ETag: tag } }
})

/** A weak tag of a body. */
export function tagOf(body: string | Uint8Array): string {
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
