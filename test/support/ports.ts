/** Ports on the loopback address. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Listens on a free port, or on this one. @returns the port */
export async function listenAnywhere(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** A port on which nobody listens. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listenAnywhere(server)
  server.close()
  await once(server, 'close')
  return port
}
