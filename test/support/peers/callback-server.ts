/** Redirect endpoint of an OAuth client (RFC 8252 §7.3), over http or https. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Certificate } from './certificates.js'

export interface CallbackServer {
  port: number
  /** Every visit, with the header fields that the browser sent. */
  visits: { url: URL; headers: IncomingMessage['headers'] }[]
  /** The next visit that was not waited for. */
  next(): Promise<URL>
  close(): Promise<void>
}

export interface CallbackOptions {
  certificate?: Certificate
  host?: '127.0.0.1' | '::1'
  /** Text of its page; by default that it can be closed. */
  answer?: (request: IncomingMessage, response: ServerResponse) => void
}

export async function startCallback({
  certificate,
  host = '127.0.0.1',
  answer,
}: CallbackOptions = {}): Promise<CallbackServer> {
  const visits: CallbackServer['visits'] = []
  let seen = 0
  let told: (() => void) | undefined
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const url = new URL(request.url ?? '/', 'http://callback')
    if (url.pathname !== '/favicon.ico') {
      visits.push({ url, headers: request.headers })
      told?.()
    }
    if (answer) return answer(request, response)
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end('<!doctype html><title>Back</title><h1>You can close this page</h1>')
  }
  const server = certificate ? createSecureServer(certificate, handle) : createServer(handle)
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    visits,
    async next() {
      while (visits.length <= seen) await new Promise<void>((resolve) => (told = resolve))
      const visit = visits[seen++]
      if (!visit) throw new Error('no visit')
      return visit.url
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
