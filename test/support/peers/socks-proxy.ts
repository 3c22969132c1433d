/** A SOCKS proxy (RFC 1928) for a program under test: names and ports of the Internet are ports of this machine, and all others are refused. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface SocksProxy {
  port: number
  /** What was connected to, as `name:port`. */
  reached: ReadonlySet<string>
  close(): Promise<void>
}

const VERSION = 5
/** RFC 1928 §6. */
const SUCCEEDED = 0
const NOT_ALLOWED = 2
const NAME = 3

const reply = (code: number): Buffer => Buffer.from([VERSION, code, 0, 1, 0, 0, 0, 0, 0, 0])

/** @param ports ports of 127.0.0.1 by `name:port` */
export async function startSocksProxy(ports: Readonly<Record<string, number>>): Promise<SocksProxy> {
  const sockets = new Set<Socket>()
  const reached = new Set<string>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('close', () => sockets.delete(socket))
  }
  const server = createServer({ noDelay: true }, (near) => {
    keep(near).on('error', () => near.destroy())
    let pending = Buffer.alloc(0)
    let isGreeted = false
    const onData = (piece: Buffer): void => {
      pending = Buffer.concat([pending, piece])
      if (!isGreeted) {
        const length = 2 + (pending[1] ?? 0)
        if (pending.length < Math.max(length, 2)) return
        isGreeted = true
        pending = pending.subarray(length)
        near.write(Buffer.from([VERSION, 0]))
      }
      // Version, CONNECT, 0, type of address, length of the name, name, port.
      const length = 7 + (pending[4] ?? 0)
      if (pending.length < 5 || (pending[3] === NAME && pending.length < length)) return
      near.off('data', onData)
      const name = pending.toString('latin1', 5, length - 2).toLowerCase()
      const target = pending[3] === NAME ? `${name}:${pending.readUInt16BE(length - 2)}` : ''
      const port = ports[target]
      if (port === undefined) return void near.end(reply(NOT_ALLOWED))
      reached.add(target)
      const far = keep(connect({ port, host: '127.0.0.1', noDelay: true }))
      far.on('error', () => near.destroy()).on('close', () => near.destroy())
      near.on('close', () => far.destroy())
      far.on('connect', () => {
        near.write(reply(SUCCEEDED))
        near.pipe(far).pipe(near)
      })
    }
    near.on('data', onData)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    reached,
    async close() {
      sockets.forEach((socket) => socket.destroy())
      server.close()
      await once(server, 'close')
    },
  }
}
