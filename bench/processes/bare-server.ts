/** One of the two HTTP servers and nothing else, in a process of its own: it says its port, is told what to answer, and answers that to everybody. */
import { createServer } from 'node:http'
import { loadUwsBinary } from '../../src/lib/native.js'

interface Uws {
  App(): {
    get(
      pattern: string,
      handler: (res: { writeHeader(name: string, value: string): { end(body: string): void } }) => void,
    ): { listen(host: string, port: number, done: (socket: object | false) => void): void }
  }
  us_socket_local_port(socket: object): number
}

let body = ''

function listenWithUws(): void {
  const loaded = loadUwsBinary()
  if ('problem' in loaded) throw new Error(loaded.problem)
  // The part of it that is used here.
  const uws = loaded.binary as Uws
  uws
    .App()
    .get('/*', (res) => res.writeHeader('Content-Type', 'application/json').end(body))
    .listen('127.0.0.1', 0, (socket) => {
      if (!socket) throw new Error('The bare server cannot listen')
      process.send?.(uws.us_socket_local_port(socket))
    })
}

function listenWithNode(): void {
  const server = createServer((_req, res) => {
    res
      .writeHead(200, ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(body))])
      .end(body)
  })
  server.listen(0, '127.0.0.1', () => {
    const at = server.address()
    if (typeof at === 'object') process.send?.(at?.port)
  })
}

if (process.argv[2] === 'uws') listenWithUws()
else listenWithNode()
process.on('message', (told) => {
  body = String(told)
  process.send?.('ready')
})
