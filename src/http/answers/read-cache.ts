/** Caches responses to reads until their mailbox changes. */
import type { Store } from '../../store/types.js'
import { createMemory, type Remember } from '../../store/versioned-cache.js'
import { tagOf } from './conditional.js'
import type { HttpResponse } from '../message.js'

/** For all mailboxes. */
const MAX_BYTES = 32 * 1024 * 1024
const MAX_BYTES_EACH = 512 * 1024

export function createKeptAnswers(
  store: Pick<Store, 'version' | 'known' | 'newest' | 'onCommit'>,
): Remember<HttpResponse> {
  return createMemory<HttpResponse>({ store, maxBytes: MAX_BYTES, maxBytesEach: MAX_BYTES_EACH, bytesOf }).remember
}

/** Prepares a response for caching, with its derived forms; unchanged if it cannot be cached. */
export function toKeep(response: HttpResponse): HttpResponse {
  const { status, body } = response
  if (status !== 200 || typeof body !== 'string') return response
  const bytes = Buffer.from(body)
  return { ...response, body: bytes, kept: { tag: tagOf(bytes), coded: {} } }
}

/** Includes the compressed forms, made later: together smaller than the body. */
function bytesOf({ body, kept }: HttpResponse): number {
  return kept && body instanceof Uint8Array ? 2 * body.length : Infinity
}
