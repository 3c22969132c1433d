/** One bounded `POST` to a service that the operator named: the caller's deadline for all of it, a bound on the answer, no redirect followed. */
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { OutgoingHttpHeaders } from 'node:http'

export interface PosterOptions {
  /** What it is called in errors. */
  name: string
  url: URL
  /** Connections at once. */
  concurrency: number
  maxReplyBytes: number
  /** Whether connections are used again. Where one may end just as it is, a request is lost that is not repeated. */
  keepAlive: boolean
}

export interface Reply {
  status: number
  body: string
}

export interface Poster {
  /**
   * @param signal ends it at once, wherever it is
   * @throws Error when there is no whole answer within the bounds
   */
  post(body: Uint8Array, headers: OutgoingHttpHeaders, signal: AbortSignal): Promise<Reply>
  /** Ends the connections that nobody uses. */
  close(): void
}

const IDLE_MS = 5_000

export function createPoster({ name, url, concurrency, maxReplyBytes, keepAlive }: PosterOptions): Poster {
  const isSecure = url.protocol === 'https:'
  const agentOptions = { keepAlive, maxSockets: concurrency, timeout: IDLE_MS }
  const agent = isSecure ? new HttpsAgent(agentOptions) : new Agent(agentOptions)
  const send = isSecure ? httpsRequest : httpRequest
  return {
    async post(body, headers, signal) {
      signal.throwIfAborted()
      const request = send(url, { agent, method: 'POST', headers: { ...headers, 'Content-Length': body.length } })
      // Before the answer a failure is heard below, within it by who reads it; after that nobody cares.
      request.on('error', () => undefined)
      const stop = (): void => {
        request.destroy(signal.reason instanceof Error ? signal.reason : new Error('given up'))
      }
      signal.addEventListener('abort', stop, { once: true })
      try {
        const answered = once(request, 'response')
        request.end(body)
        const [response] = await answered
        let bytes = 0
        const chunks: Buffer[] = []
        for await (const chunk of response) {
          bytes += chunk.length
          if (bytes > maxReplyBytes) throw new Error(`the answer of ${name} is too long`)
          chunks.push(chunk)
        }
        return { status: response.statusCode, body: Buffer.concat(chunks).toString() }
      } catch (error) {
        request.destroy()
        throw error
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
    close: () => agent.destroy(),
  }
}
