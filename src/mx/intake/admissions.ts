/** Open connections of all sessions, wherever they run: their number, and which one yields to a newcomer. */
import type { Refusal } from '../../smtp/replies.js'
import type { MxLimits } from '../limits/limits.js'
import { ADDRESS_CONNECTIONS, NETWORK_CONNECTIONS, SERVER_FULL } from '../limits/refusals.js'
import { clientOf, type Client, type ClientLimits } from './client-limits.js'
import { createNetworks } from './networks.js'
import type { Answer, Sessions } from './types.js'

export interface Connected extends Client {
  readonly sessions: Sessions
  /** Its first message was accepted. */
  isPaid: boolean
}

export interface AdmissionsDeps {
  limits: Pick<MxLimits, 'maxConnections' | 'maxConnectionsPerAddress' | 'maxConnectionsPerNetwork'>
  clients: ClientLimits
}

export function createAdmissions({ limits, clients }: AdmissionsDeps) {
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
      const tooOften = clients.connection(client)
      if (tooOften) return tooOften
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
