/** One HTTPS request to an address that was looked up and judged before: nothing is looked up again, and no redirect is followed. */
import { request } from 'node:https'
import { isIP } from 'node:net'

export interface PinnedRequest {
  url: URL
  /** Where the URL's host is. */
  address: string
  method: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: Buffer
  /** For all of it, however slowly the other side answers. */
  timeoutMs: number
  /** Of the answer's body; a longer one is an error. */
  maxBytes: number
  /** Whether the certificate has to be valid for the URL's host. */
  verify: boolean
}

export interface PinnedAnswer {
  status: number
  contentType: string
  body: Buffer
}

/** @throws Error of the network, of TLS, or that says which limit was met */
export function requestPinned(options: PinnedRequest): Promise<PinnedAnswer> {
  const { url, address, method, headers = {}, body, timeoutMs, maxBytes, verify } = options
  return new Promise((resolve, reject) => {
    const asked = request({
      host: address,
      port: url.port === '' ? 443 : Number(url.port),
      path: `${url.pathname}${url.search}`,
      method,
      headers: { Host: url.host, ...(body && { 'Content-Length': body.length }), ...headers },
      ...(isIP(url.hostname) === 0 && { servername: url.hostname }),
      rejectUnauthorized: verify,
      maxHeaderSize: 16 * 1024,
      agent: false,
      signal: AbortSignal.timeout(timeoutMs),
    })
    asked.on('error', reject)
    asked.on('response', (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length <= maxBytes) return
        reject(new Error(`the answer has more than ${maxBytes} bytes`))
        asked.destroy()
      })
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers['content-type'] ?? '',
          body: Buffer.concat(chunks),
        }),
      )
    })
    asked.end(body)
  })
}
