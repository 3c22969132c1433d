/** A TCP proxy whose connections a test can cut or hold. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface TcpProxy {
  port: number
  /** Ends all connections, as a lost network does. */
  cut(): void
  /** Lets nothing through in either direction, new connections included, until the returned function is called. */
  hold(): () => void
  /**
   * Lets through all that is sent to the target, and nothing that comes back once these words were sent, as they are or in hexadecimal digits in one
   * piece.
   */
  holdAnswersTo(words: string): HeldAnswers
  /** Ends all connections, and new ones at once, while it is on. */
  refuse(on: boolean): void
  close(): Promise<void>
}

export interface HeldAnswers {
  /** Resolves once the words were sent. */
  reached: Promise<void>
  release(): void
}

/** @param target a port of this machine, or a function that names it for each connection */
export async function startTcpProxy(target: number | (() => number)): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const fars = new Set<Socket>()
  let onSent: (piece: Buffer) => void = () => undefined
  let held = false
  let refusing = false
  // As the network does: with Nagle's algorithm, an answer of two pieces would wait 40 ms for an acknowledgement (RFC 9293 §3.7.4).
  const server = createServer({ noDelay: true }, (near) => {
    if (refusing) return void near.destroy()
    const port = typeof target === 'number' ? target : target()
    const far = connect({ port, host: '127.0.0.1', noDelay: true })
    fars.add(far)
    far.on('close', () => fars.delete(far))
    near.on('data', (piece) => onSent(piece))
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
    holdAnswersTo(words) {
      const forms = [Buffer.from(words), Buffer.from(Buffer.from(words).toString('hex'))]
      const reached = new Promise<void>((resolve) => {
        onSent = (piece) => {
          if (!forms.some((form) => piece.includes(form))) return
          fars.forEach((far) => far.pause())
          resolve()
        }
      })
      return {
        reached,
        release() {
          onSent = () => undefined
          fars.forEach((far) => far.resume())
        },
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
