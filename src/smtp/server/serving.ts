/** A server of sessions: its listeners, its time limits, and its end in order. */
import type { Socket } from 'node:net'
import { Listener, openAll, type ListenAddress } from '../listener.js'
import type { Connections } from './connections.js'
import type { Deadlines } from './deadlines.js'

export interface ServingDeps {
  listen: ListenAddress[]
  /** TLS from the first byte (RFC 8314 §3.3). */
  listenTls?: ListenAddress[]
  connections: Connections
  deadlines: Pick<Deadlines, 'sweepMs'>
  /** Resolves when all messages in progress have their reply. */
  settled: () => Promise<unknown>
  onError: (error: Error) => void
}

export function createServing({ listen, listenTls = [], connections, deadlines, settled, onError }: ServingDeps) {
  const listenerOn = (addresses: ListenAddress[], open: (socket: Socket) => void): Listener =>
    new Listener(addresses, open, onError)
  const plain = listenerOn(listen, (socket) => connections.open(socket, 'plain'))
  const tls = listenerOn(listenTls, (socket) => connections.open(socket, 'tls'))
  let sweeper: NodeJS.Timeout | undefined

  return {
    /** Resolves with the addresses, in the order of `listen` and then `listenTls`. @throws if one is not available; then it listens on none */
    async listen(): Promise<ListenAddress[]> {
      const addresses = await openAll([plain, tls])
      sweeper = setInterval(() => connections.sweep(), deadlines.sweepMs).unref()
      return addresses
    },
    /** Stops listening, lets messages in progress get their reply, and cuts the rest after `graceMs`. */
    async close(graceMs = 10_000): Promise<void> {
      clearInterval(sweeper)
      const closed = Promise.all([plain.close(), tls.close()])
      connections.shutDown()
      let grace: NodeJS.Timeout | undefined
      const expired = new Promise<void>((resolve) => {
        grace = setTimeout(() => {
          connections.destroyAll()
          resolve()
        }, graceMs)
      })
      await Promise.race([settled(), expired])
      await closed
      clearTimeout(grace)
    },
  }
}
