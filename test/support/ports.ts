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

/** Files of tests that run side by side take from ports of their own. */
const FILES_AT_ONCE = 8
const file = Number(process.env['TAP_JOB_ID'] ?? 0) % FILES_AT_ONCE

const given = new Set<number>()

/** A port on which nobody listens, given once only: whoever asked may not listen on it yet. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = LOWEST + FILES_AT_ONCE * randomInt((HIGHEST - LOWEST) / FILES_AT_ONCE) + file
    if (given.has(port)) continue
    given.add(port)
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
