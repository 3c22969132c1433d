/** Listens on several addresses, all or none. */
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

export interface ListenAddress {
  host: string
  port: number
}

const BACKLOG = 511

export class Listener {
  readonly #servers: Server[]

  constructor(
    private readonly addresses: readonly ListenAddress[],
    onSocket: (socket: Socket) => void,
    onError: (error: Error) => void,
  ) {
    // Replies are written whole, and must not wait for the ACK of the previous one.
    this.#servers = addresses.map(() => createServer({ noDelay: true }, onSocket).on('error', onError))
  }

  /** Resolves with the addresses, in order. @throws if one is not available */
  async open(): Promise<ListenAddress[]> {
    try {
      for (const [i, server] of this.#servers.entries())
        await once(server.listen({ ...this.addresses[i], backlog: BACKLOG }), 'listening')
    } catch (error) {
      await this.close()
      throw error
    }
    return this.#servers.map((server) => boundAddress(server.address()))
  }

  /** Accepts no more connections; resolves when existing ones have ended. */
  async close(): Promise<void> {
    const listening = this.#servers.filter((server) => server.listening)
    await Promise.all(listening.map((server) => new Promise<void>((done) => server.close(() => done()))))
  }
}

/** Opens listeners one after the other. @returns their addresses, in order @throws if one cannot be opened; then all are closed */
export async function openAll(listeners: readonly Listener[]): Promise<ListenAddress[]> {
  const addresses: ListenAddress[] = []
  try {
    for (const listener of listeners) addresses.push(...(await listener.open()))
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.close()))
    throw error
  }
  return addresses
}

function boundAddress(address: AddressInfo | string | null): ListenAddress {
  if (address === null || typeof address === 'string') throw new Error('not listening on a network address')
  return { host: address.address, port: address.port }
}
