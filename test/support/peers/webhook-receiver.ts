/** A receiver of webhooks on the loopback address that does what a test wants of it, and checks signatures by the text of Standard Webhooks. */
import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenAnywhere } from '../ports.js'

export interface Received {
  headers: IncomingHttpHeaders
  path: string
  body: string
  // Tests look into events freely; a wrong shape fails their assertions.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  event: any
}

export type Answering = number | ((response: ServerResponse, received: Received, request: IncomingMessage) => void)

export interface Receiver {
  url: string
  port: number
  /** All requests so far, in order. */
  received: Received[]
  /** Answers to the next deliveries, in order; then `otherwise`. */
  next: Answering[]
  otherwise: Answering
  /** Numbers of the events that came, in order. */
  seqs(): number[]
  /** Resolves once at least this many requests were received. */
  count(atLeast: number): Promise<void>
  close(): void
}

/** @param port a free one when not given */
export async function startReceiver(port = 0): Promise<Receiver> {
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const received: Received = {
        headers: request.headers,
        path: request.url ?? '',
        body,
        event: JSON.parse(body),
      }
      receiver.received.push(received)
      const answering = receiver.next.shift() ?? receiver.otherwise
      if (typeof answering === 'number') response.writeHead(answering).end('said by the receiver')
      else answering(response, received, request)
      for (const look of waiting) look()
    })
  })
  const listening = await listenAnywhere(server, port)
  const receiver: Receiver = {
    url: `http://127.0.0.1:${listening}/hook`,
    port: listening,
    received: [],
    next: [],
    otherwise: 204,
    seqs: () => receiver.received.map(({ event }) => event.seq),
    count: (atLeast) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (receiver.received.length < atLeast) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}

const signed = ({ headers, body }: Received): string =>
  `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`

const signaturesOf = ({ headers }: Received, version: string): Buffer[] =>
  String(headers['webhook-signature'])
    .split(' ')
    .map((one) => one.split(','))
    .flatMap(([name, value]) => (name === version ? [Buffer.from(value ?? '', 'base64')] : []))

/** True if one of the `v1` signatures was made with this secret (`whsec_…`). */
export function isSignedBy(secret: string, received: Received): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const wanted = createHmac('sha256', key).update(signed(received)).digest()
  return signaturesOf(received, 'v1').some((one) => one.length === wanted.length && timingSafeEqual(one, wanted))
}

/** True if one of the `v1a` signatures verifies with this public key (`whpk_…`). */
export function isSignedFor(publicKey: string, received: Received): boolean {
  const x = Buffer.from(publicKey.replace(/^whpk_/, ''), 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return signaturesOf(received, 'v1a').some((one) => verify(null, Buffer.from(signed(received)), key, one))
}
