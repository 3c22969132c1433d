/** Order of servers: one that does not answer costs each look-up a time-out, so it goes to the end for a while. */
import { SECOND, type Clock } from '../lib/clock.js'
import type { Server } from './transport.js'

export type ServerList = ReturnType<typeof createServerList>

/** A single failure may be due to the domain's own servers; this many in a row are due to the server. */
const FAILURES_IN_A_ROW = 3
const REST_MS = 30 * SECOND

export function createServerList(servers: Server[], clock: Clock) {
  const health = new Map(servers.map((server) => [server, { failures: 0, restsUntil: 0 }]))

  return {
    /** All servers, even if none answers. */
    inOrder(): Server[] {
      const now = clock.now()
      const rests = (server: Server): boolean => (health.get(server)?.restsUntil ?? 0) > now
      return [...servers.filter((server) => !rests(server)), ...servers.filter(rests)]
    },
    answered(server: Server): void {
      health.set(server, { failures: 0, restsUntil: 0 })
    },
    /** To be called if no readable answer came. */
    failed(server: Server): void {
      const failures = (health.get(server)?.failures ?? 0) + 1
      health.set(server, { failures, restsUntil: failures < FAILURES_IN_A_ROW ? 0 : clock.now() + REST_MS })
    },
  }
}
