/** A TCP proxy whose connections a test can cut or hold. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Ends all connections, as a lost network does. */
  cut(): void
  /** Lets nothing through in either direction, new connections included, until the returned function is called. */
  hold(): () => void
  /** Ends all connections, and new ones at once, while it is on. */
  refuse(on: boolean): void
  close(): Promise<void>
}

/** @param target a port of this machine, or a function that names it for each connection */
export async function startTcpProxy(target: number | (() => number)): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let held = false
  let refusing = false
  const server = createServer((near) => {
    if (refusing) return void near.destroy()
    const far = connect(typeof target === 'number' ? target : target(), '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('data', (piece) => void other.write(piece))
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      if (held) socket.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    hold() {
      held = true
      sockets.forEach((socket) => socket.pause())
      return () => {
        held = false
        sockets.forEach((socket) => socket.resume())
      }
    },
    refuse(on) {
      refusing = on
      if (on) sockets.forEach((socket) => socket.destroy())
    },
    async close() {
      sockets.forEach((socket) => socket.destroy())
      server.close()
      await once(server, 'close')
    },
  }
}
