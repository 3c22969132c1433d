/** A listening socket of uWebSockets.js, which says why when there is none. */
import { createServer } from 'node:net'
import uWS, { type TemplatedApp, type us_listen_socket } from 'uWebSockets.js'
import { formatHostPort, type HostPort } from '../lib/host-port.js'

declare module 'uWebSockets.js' {
  // The binary has these; its types do not tell of them.
  interface TemplatedApp {
    listen(host: string, port: number, options: number, cb: (socket: us_listen_socket | false) => void): TemplatedApp
    close(): TemplatedApp
  }
}

/** LIBUS_LISTEN_EXCLUSIVE_PORT: without it a second listener on a taken port succeeds, and each gets half of the connections. */
const EXCLUSIVE_PORT = 1

export interface ListeningSocket {
  port: number
  /** Connections that were made stay. */
  close(): void
}

/** Listens at once: what the server below calls back with is there before it returns. Undefined when the address can't be had. */
export function tryListen(app: TemplatedApp, { host, port }: HostPort): ListeningSocket | undefined {
  let found: us_listen_socket | false = false
  app.listen(host, port, EXCLUSIVE_PORT, (socket) => {
    found = socket
  })
  const socket: us_listen_socket | false = found
  if (socket === false) return undefined
  return { port: uWS.us_socket_local_port(socket), close: () => uWS.us_listen_socket_close(socket) }
}

/** @param port 0 takes a free one @throws Error that says which address can't be listened on and why */
export async function listenOn(app: TemplatedApp, address: HostPort, protocol: string): Promise<ListeningSocket> {
  const socket = tryListen(app, address)
  if (!socket) throw new Error(`Cannot listen for ${protocol} on ${formatHostPort(address)}: ${await whyNot(address)}`)
  return socket
}

/** The server below only says that it failed; Node's own says why. */
function whyNot({ host, port }: HostPort): Promise<string> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(REASONS[error.code ?? ''] ?? error.message))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve('another process may have it')))
  })
}

const REASONS: Record<string, string> = {
  EADDRINUSE: 'the port is in use. Stop the process that has it (`ss -ltnp` names it) or choose another port.',
  EACCES: 'ports below 1024 need a privilege (CAP_NET_BIND_SERVICE).',
  EADDRNOTAVAIL: 'this machine does not have that address.',
  ENOTFOUND: 'there is no such host.',
}
