/** Ports on the loopback address. */
import { randomInt } from 'node:crypto'
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

/** Below those from which the kernel chooses for whoever asks for any port, other tests at the same time among them. */
const [LOWEST, HIGHEST] = [12_000, 32_000]

/** A port on which nobody listens, and hardly anybody will before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST)
    const server = createServer()
    const isFree = await listenAnywhere(server, port).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return false
        throw error
      },
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
