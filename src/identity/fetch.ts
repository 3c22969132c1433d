/** Requests to a provider: over TLS or on this machine, with a time limit, an answer of bounded size, and no redirect followed. */
import { isSafeOrigin } from '../config/setting/setting.js'
import { SECOND } from '../lib/clock.js'
import { AnswerTooLong, sendRequest } from '../lib/http-client.js'
import { messageOf } from '../lib/thrown.js'
import { ProviderError } from './types.js'

/** For one request with its whole answer. */
export const TIMEOUT_SECONDS = 10
/** Keys, metadata and claims are a few kilobytes; directories put long lists of groups into tokens. */
const MAX_BYTES = 512 * 1024

interface Request {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | null
  signal?: AbortSignal | undefined
}

/** @throws ProviderError `unavailable`, `refused` for an address without TLS or an answer that is too large */
export async function fetchBounded(address: string, { method = 'GET', body, ...rest }: Request): Promise<Response> {
  const url = new URL(address)
  if (!isSafeOrigin(url)) throw new ProviderError('refused', `${url.origin} is neither https nor on a loopback address`)
  const limits = { timeoutMs: TIMEOUT_SECONDS * SECOND, maxBytes: MAX_BYTES }
  const sent = typeof body === 'string' ? Buffer.from(body) : undefined
  const answer = await sendRequest({ url, method, body: sent, ...rest, ...limits }).catch((error: unknown) => {
    if (error instanceof AnswerTooLong) throw new ProviderError('refused', `an answer has more than ${MAX_BYTES} bytes`)
    throw new ProviderError('unavailable', `${url.origin}: ${messageOf(error)}`)
  })
  if (answer.status >= 500 || answer.status === 429)
    throw new ProviderError('unavailable', `${url.origin} answers with ${answer.status}`)
  return new Response(answer.body.length === 0 ? null : answer.body, answer)
}
