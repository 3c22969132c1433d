/** A proxy of PostgreSQL that passes no notifications, as pgbouncer in transaction mode, or no LISTEN, as a server that has none. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

const NOTIFICATION = 'A'.charCodeAt(0)

export interface DeafProxy {
  port: number
  /** LISTEN statements that came. */
  listens(): number
  /** Notifications that did not pass. */
  dropped(): number
  /** From now on connections pass everything. */
  heal(): void
  close(): Promise<void>
}

/** @param refusesListen answers LISTEN with a syntax error */
export async function startDeafProxy(target: number, { refusesListen = false } = {}): Promise<DeafProxy> {
  const sockets = new Set<Socket>()
  let listens = 0
  let dropped = 0
  let isDeaf = true
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    let rest = Buffer.alloc(0)
    near.on('data', (piece) => {
      const text = piece.toString('latin1')
      if (text.includes('listen ')) listens++
      far.write(Buffer.from(refusesListen ? text.replace('listen ', 'lisssn ') : text, 'latin1'))
    })
    // Each message of the server is a type, the length of what follows, and that.
    far.on('data', (piece) => {
      rest = Buffer.concat([rest, piece])
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const message = rest.subarray(0, 1 + rest.readUInt32BE(1))
        rest = rest.subarray(message.length)
        if (isDeaf && message[0] === NOTIFICATION) dropped++
        else near.write(message)
      }
    })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    listens: () => listens,
    dropped: () => dropped,
    heal: () => (isDeaf = false),
    async close() {
      sockets.forEach((socket) => socket.destroy())
      server.close()
      await once(server, 'close')
    },
  }
}
