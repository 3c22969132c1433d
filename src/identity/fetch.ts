/** Requests to a provider: over TLS or on this machine, with a time limit, an answer of bounded size, and no redirect followed. */
import { isLoopback } from '../lib/ip.js'
import { messageOf } from '../lib/thrown.js'
import { ProviderError } from './types.js'

/** For one request with its whole answer. */
export const TIMEOUT_SECONDS = 10
/** Keys, metadata and claims are a few kilobytes; directories put long lists of groups into tokens. */
const MAX_BYTES = 512 * 1024

interface Request {
  method?: string
  headers?: Record<string, string>
  body?: string | null
  signal?: AbortSignal
}

/** @throws ProviderError `unavailable`, `refused` for an address without TLS or an answer that is too large */
export async function fetchBounded(address: string, options: Request): Promise<Response> {
  const url = new URL(address)
  if (!isSafe(url)) throw new ProviderError('refused', `${url.origin} is neither https nor on a loopback address`)
  const { method = 'GET', headers = {}, body = null } = options
  const signal = options.signal ?? AbortSignal.timeout(TIMEOUT_SECONDS * 1000)
  let response: Response
  let bytes: Uint8Array
  try {
    response = await fetch(url, { method, headers, body, signal, redirect: 'manual' })
    bytes = await readBounded(response)
  } catch (error) {
    if (error instanceof ProviderError) throw error
    throw new ProviderError('unavailable', `${url.origin}: ${causeOf(error)}`)
  }
  if (response.status >= 500 || response.status === 429)
    throw new ProviderError('unavailable', `${url.origin} answers with ${response.status}`)
  return new Response(bytes.length === 0 ? null : bytes, { status: response.status, headers: response.headers })
}

async function readBounded(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = response.body?.getReader()
  for (;;) {
    const part = await reader?.read()
    if (!part || part.done) return Buffer.concat(chunks)
    length += part.value.length
    if (length > MAX_BYTES) {
      await reader?.cancel()
      throw new ProviderError('refused', `an answer has more than ${MAX_BYTES} bytes`)
    }
    chunks.push(part.value)
  }
}

function isSafe({ protocol, hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return protocol === 'https:' || (protocol === 'http:' && (host === 'localhost' || isLoopback(host)))
}

/** fetch says "fetch failed" and hides the reason in its cause. */
function causeOf(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? error.cause.message : messageOf(error)
}
