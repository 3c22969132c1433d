/** In which order servers are asked: one that does not answer costs each look-up a time-out, so it goes to the end for a while. */
import { SECOND, type Clock } from '../lib/clock.js'
import type { Server } from './transport.js'

export interface ServerList {
  /** Never empty when there is a server at all: where none answers, all are tried. */
  inOrder(): Server[]
  answered(server: Server): void
  /** Nothing came, or nothing readable. */
  failed(server: Server): void
}

/** One silence may be that of a domain whose own servers are down; so many in a row are the server's. */
const FAILURES_IN_A_ROW = 3
const REST_MS = 30 * SECOND

export function createServerList(servers: Server[], clock: Clock): ServerList {
  const health = new Map(servers.map((server) => [server, { failures: 0, restsUntil: 0 }]))

  return {
    inOrder() {
      const now = clock.now()
      const rests = (server: Server): boolean => (health.get(server)?.restsUntil ?? 0) > now
      return [...servers.filter((server) => !rests(server)), ...servers.filter(rests)]
    },
    answered(server) {
      health.set(server, { failures: 0, restsUntil: 0 })
    },
    failed(server) {
      const failures = (health.get(server)?.failures ?? 0) + 1
      health.set(server, { failures, restsUntil: failures < FAILURES_IN_A_ROW ? 0 : clock.now() + REST_MS })
    },
  }
}
