/** One HTTP request to an address that was looked up and judged before: nothing is looked up again, and no redirect is followed. */
import { request as plainRequest } from 'node:http'
import type { Agent as PlainAgent, IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import type { Agent } from 'node:https'
import { isIP } from 'node:net'
import { hasCode } from './thrown.js'

export interface PinnedRequest {
  url: URL
  /** Where the URL's host is. */
  address: string
  method: 'GET' | 'HEAD' | 'POST'
  headers?: Record<string, string>
  body?: Uint8Array
  /** For all of it, however slowly the other side answers. */
  timeoutMs: number
  /** Of the answer's body; a longer one is an error. */
  maxBytes: number
  /** What is over the limit is left unread, and no error. */
  cutsOff?: boolean
  /** Whether the certificate has to be valid for the URL's host. */
  verify: boolean
  /** Further certificates to trust; for tests. */
  ca?: string[] | undefined
  /**
   * Keep connections for the next request to the same address and name. An agent of the URL's own protocol; without one a connection serves
   * one request.
   */
  agent?: PlainAgent | Agent | undefined
  /** Ends the request early. */
  signal?: AbortSignal | undefined
}

export interface PinnedAnswer {
  status: number
  contentType: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/** @throws Error of the network, of TLS, or that says which limit was met */
export function requestPinned(options: PinnedRequest): Promise<PinnedAnswer> {
  const deadline = AbortSignal.timeout(options.timeoutMs)
  return attempt(options, options.signal ? AbortSignal.any([deadline, options.signal]) : deadline)
}

function attempt(options: PinnedRequest, signal: AbortSignal): Promise<PinnedAnswer> {
  const { url, address, method, headers = {}, body, maxBytes, verify, agent } = options
  const isPlain = url.protocol === 'http:'
  return new Promise((resolve, reject) => {
    const asked = (isPlain ? plainRequest : request)({
      host: address,
      port: url.port === '' ? (isPlain ? 80 : 443) : Number(url.port),
      path: `${url.pathname}${url.search}`,
      method,
      headers: { Host: url.host, ...(body && { 'Content-Length': body.length }), ...headers },
      ...(isIP(url.hostname) === 0 && { servername: url.hostname }),
      rejectUnauthorized: verify,
      ...(options.ca && { ca: options.ca }),
      maxHeaderSize: 16 * 1024,
      agent: agent ?? false,
      signal,
    })
    asked.on('error', (error) => {
      // A kept connection that its other end had just closed: nothing of the request was read.
      if (asked.reusedSocket && hasCode(error, 'ECONNRESET')) resolve(attempt({ ...options, agent: undefined }, signal))
      else reject(error)
    })
    asked.on('response', (response) => {
      const chunks: Buffer[] = []
      let length = 0
      const finish = (): void =>
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers['content-type'] ?? '',
          headers: response.headers,
          body: Buffer.concat(chunks).subarray(0, maxBytes),
        })
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length <= maxBytes) return
        if (options.cutsOff) finish()
        else reject(new Error(`the answer has more than ${maxBytes} bytes`))
        asked.destroy()
      })
      response.on('end', finish)
    })
    asked.end(body)
  })
}
