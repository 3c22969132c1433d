/** Open connections of all sessions, wherever they run: their number, and which one yields to a newcomer. */
import type { Refusal } from '../replies.js'
import type { Answer, Sessions } from './door.js'
import { clientOf, createNetworks, type Client } from './networks.js'
import { ADDRESS_CONNECTIONS, NETWORK_CONNECTIONS, SERVER_FULL } from './refusals.js'

export interface Connected extends Client {
  readonly sessions: Sessions
  /** Its first message was accepted. */
  isPaid: boolean
}

export interface ConnectionLimits {
  maxConnections: number
  /** Per IPv4 address or IPv6 /64. */
  maxConnectionsPerAddress: number
  /** Per IPv4 /24 or IPv6 /48; at least that of one address. */
  maxConnectionsPerNetwork?: number
}

export interface AdmissionsDeps {
  limits: ConnectionLimits
  /** Counts a connection. @returns the refusal of a client that connects too often */
  tooOften?: ((client: Client) => Refusal | undefined) | undefined
}

export function createAdmissions({ limits, tooOften = () => undefined }: AdmissionsDeps) {
  const { maxConnections, maxConnectionsPerAddress, maxConnectionsPerNetwork = Infinity } = limits
  const open = new Map<string, Connected>()
  const networks = createNetworks<Connected>()

  function admit(connection: string, connected: Connected): undefined {
    open.set(connection, connected)
    networks.add(connected)
  }

  function left(connection: string): void {
    const connected = open.get(connection)
    if (!connected) return
    open.delete(connection)
    networks.delete(connected)
  }

  /** Ends a connection of the network with the most, unless it is the newcomer's. */
  async function makeRoom(newcomer: Client): Promise<boolean> {
    const members = networks.fullest()
    if (members.size <= networks.countNetwork(newcomer.network) + 1) return false
    const [{ network } = newcomer] = members
    for (const sessions of new Set([...members].map((member) => member.sessions))) {
      const ended = await sessions.makeRoom(network)
      if (ended === undefined) continue
      left(ended)
      return true
    }
    return false
  }

  return {
    /** @returns the refusal; without one the connection counts until `left` */
    arrive(connection: string, ip: string, sessions: Sessions): Answer<Refusal | undefined> {
      const client = clientOf(ip)
      const refusal = tooOften(client)
      if (refusal) return refusal
      if (networks.countAddress(client.address) >= maxConnectionsPerAddress) return ADDRESS_CONNECTIONS
      const inNetwork = networks.countNetwork(client.network)
      if (inNetwork >= Math.max(maxConnectionsPerNetwork, maxConnectionsPerAddress)) return NETWORK_CONNECTIONS
      const connected = { ...client, sessions, isPaid: false }
      if (open.size < maxConnections) return admit(connection, connected)
      return makeRoom(client).then((hasRoom) => (hasRoom ? admit(connection, connected) : SERVER_FULL))
    },
    left,
    get: (connection: string): Connected | undefined => open.get(connection),
    /** The sessions ended all at once. */
    allLeft(sessions: Sessions): void {
      for (const [connection, connected] of open) if (connected.sessions === sessions) left(connection)
    },
    get count(): number {
      return open.size
    },
  }
}
