/** Clients for tests: one that speaks HTTP well, and one that sends whatever bytes a test wants. */
import { request as httpRequest, type Agent, type IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
  text: string
  /** The body as JSON; undefined when it is something else. */
  json: unknown
}

export interface Ask {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  agent?: Agent
  signal?: AbortSignal
}

export function ask(port: number, path: string, options: Ask = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body, agent, signal } = options
    const request = httpRequest(
      { host: '127.0.0.1', port, path, method, headers, agent: agent ?? false, signal },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const whole = Buffer.concat(chunks)
          const { 'content-type': type, 'content-encoding': coding } = response.headers
          const isJson = type === 'application/json' && coding === undefined && whole.length > 0
          const text = whole.toString()
          const json: unknown = isJson ? JSON.parse(text) : undefined
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: whole, text, json })
        })
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

export interface RawConnection {
  socket: Socket
  /** Everything received so far. */
  received: () => string
  /** Resolves when what was received contains `text`. */
  until: (text: string | RegExp) => Promise<string>
  /** Resolves when `isSo`, which is asked whenever something was received. */
  when: (isSo: () => boolean) => Promise<void>
  /** Resolves with everything received when the server has closed the connection. */
  closed: Promise<string>
}

/** @param to a port, or a connection that is there, such as one with TLS */
export function raw(to: number | Socket, bytes: string | Buffer): RawConnection {
  const socket = typeof to === 'number' ? connect(to, '127.0.0.1') : to
  let received = ''
  let look = (): void => undefined
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
    look()
  })
  const closed = new Promise<string>((resolve) => {
    socket.on('error', () => resolve(received))
    socket.on('close', () => resolve(received))
  })
  socket.write(bytes)
  const until = (text: string | RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const isThere = (): boolean => (typeof text === 'string' ? received.includes(text) : text.test(received))
      look = () => {
        if (isThere()) resolve(received)
      }
      look()
      void closed.then(() =>
        isThere() ? resolve(received) : reject(new Error(`closed before ${String(text)}: ${received.slice(0, 2000)}`)),
      )
    })
  const when = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      look = () => {
        if (isSo()) resolve()
      }
      look()
    })
  return { socket, received: () => received, until, when, closed }
}
