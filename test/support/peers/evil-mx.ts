/** Servers that misbehave on purpose, byte by byte: what a scripted peer can't, since it waits for lines and answers them. */
import { createServer, type Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import builtIn from 'smtp-server/lib/tls-options'
import { listenAnywhere } from '../ports.js'

export interface EvilMx {
  port: number
  connections: number
  /** Lines as they came, over all connections, those over TLS with `tls ` in front. */
  lines: string[]
  /** Pieces as they came, before lines were made of them. */
  chunks: string[]
  close(): Promise<void>
}

export interface EvilSession {
  socket: Socket
  write(text: string): void
  /** Goes on over TLS, from now. */
  startTls(): void
  connection: number
}

/** @param onLine each line of the client; `undefined` is the connection itself */
export async function startEvilMx(
  onLine: (line: string | undefined, session: EvilSession) => void,
  certificate: { key: string; cert: string } = builtIn(),
): Promise<EvilMx> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    let stream = socket
    const listen = (source: Socket, prefix: string): void => {
      let pending = ''
      source.setEncoding('latin1')
      source.on('error', () => source.destroy())
      source.on('data', (text: string) => {
        evil.chunks.push(text)
        const lines = (pending + text).split('\r\n')
        pending = lines.pop() ?? ''
        for (const line of lines) {
          evil.lines.push(prefix + line)
          onLine(line, session)
        }
      })
    }
    const session: EvilSession = {
      socket,
      connection: ++evil.connections,
      write: (text) => void stream.write(text),
      startTls() {
        socket.removeAllListeners('data')
        stream = new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(certificate) })
        listen(stream, 'tls ')
      },
    }
    listen(socket, '')
    onLine(undefined, session)
  })
  const evil: EvilMx = {
    port: await listenAnywhere(server),
    connections: 0,
    lines: [],
    chunks: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  return evil
}
