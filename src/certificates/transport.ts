/** HTTP requests to the authority: limited in time and size, without redirects or proxies of the environment, and only to addresses that a setting may name. */
import { messageOf } from '../lib/thrown.js'
import { SECOND } from '../lib/clock.js'
import { keepConnections, sendRequest } from '../lib/http-client.js'
import { isSafeOrigin } from '../config/setting/setting.js'
import { AcmeError } from './errors.js'

export interface TransportOptions {
  /** Certificates (PEM) to trust in place of those that are known to all. */
  ca: string | undefined
  userAgent: string
  /** Ends what is under way. */
  signal: AbortSignal
}

export interface TransportRequest {
  method: 'GET' | 'HEAD' | 'POST'
  url: string
  /** A signed request, in JSON. */
  body?: string
}

export interface TransportAnswer {
  /** Any status code. */
  status: number
  /** A field of the answer's head. */
  field(name: 'location' | 'replay-nonce' | 'retry-after'): string | undefined
  text: string
}

export interface Transport {
  /** @throws AcmeError when there is no answer, or the address is not safe; the signal's reason */
  send(request: TransportRequest): Promise<TransportAnswer>
}

const REQUEST_MS = 30 * SECOND
const IDLE_MS = 5 * SECOND
/** A chain has some 10 KiB, a directory less. */
const MAX_BYTES = 256 * 1024

/** Runs what talks to an authority. Connections are kept until it ends. */
export async function withTransport<T>(
  { ca, userAgent, signal }: TransportOptions,
  work: (transport: Transport) => Promise<T>,
): Promise<T> {
  const connections = keepConnections({ ca, idleMs: IDLE_MS, connectMs: REQUEST_MS })

  async function send({ url: text, method, body }: TransportRequest): Promise<TransportAnswer> {
    const url = parseUrl(text)
    const answer = await sendRequest({
      url,
      method,
      headers: {
        'User-Agent': userAgent,
        'Accept-Language': 'en',
        // RFC 8555 §6.2
        ...(body !== undefined && { 'Content-Type': 'application/jose+json' }),
      },
      ...(body !== undefined && { body: Buffer.from(body) }),
      timeoutMs: REQUEST_MS,
      maxBytes: MAX_BYTES,
      connections,
      signal,
    }).catch((error: unknown) => {
      signal.throwIfAborted()
      throw new AcmeError('unreachable', `${url.host} gives no answer (${messageOf(error)})`, { cause: error })
    })
    const { status, headers } = answer
    return { status, field: (name) => headers[name], text: answer.body.toString('utf8') }
  }

  try {
    return await work({ send })
  } finally {
    connections.close()
  }
}

/** Checks a URL of the authority's response, which is untrusted. */
function parseUrl(text: string): URL {
  if (!URL.canParse(text) || !isSafeOrigin(new URL(text)))
    throw new AcmeError('malformed', 'the authority names an address that is neither https nor on this machine')
  return new URL(text)
}
