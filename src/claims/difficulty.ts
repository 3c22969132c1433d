/**
 * How hard the next challenge is: the configured difficulty, and a bit more for each doubling of the recent claim rate beyond what
 * is usual, of the client's network or of the whole server, whichever asks for more.
 *
 * Rates live in memory: they fade within hours, and a restart that forgets them costs little.
 */
import { isIP } from 'node:net'
import type { Clock } from '../lib/clock.js'
import { HOUR } from '../lib/clock.js'
import { clientNetwork } from '../lib/ip.js'

/** Claims an hour that raise nothing. */
const USUAL_OF_NETWORK = 8
const USUAL_OF_SERVER = 240
/** 64 times the work: past that, the hardest challenge could not be solved within its 10 minutes on a small machine. */
const MAX_RISE = 6
/** Networks remembered at once. When there are more, those that claimed longest ago are forgotten: the server's rate still counts. */
const MAX_NETWORKS = 20_000

/** A count that fades: each claim weighs half after an hour. */
interface Rate {
  count: number
  at: number
}

export interface Difficulty {
  /** Leading zero bits for a challenge to this client, now. */
  current(client: string): number
  /** Counts a solved challenge. */
  record(client: string): void
}

export function createDifficulty(deps: { clock: Clock; base: number }): Difficulty {
  const { clock, base } = deps
  const networks = new Map<string, Rate>()
  const server: Rate = { count: 0, at: clock.now() }

  const faded = (rate: Rate): number => rate.count * 2 ** (-Math.max(0, clock.now() - rate.at) / HOUR)
  const add = (rate: Rate): void => {
    rate.count = faded(rate) + 1
    rate.at = clock.now()
  }

  return {
    current(client) {
      const rate = networks.get(networkOf(client))
      const ofNetwork = rate ? rise(faded(rate), USUAL_OF_NETWORK) : 0
      return base + Math.max(ofNetwork, rise(faded(server), USUAL_OF_SERVER))
    },

    record(client) {
      const network = networkOf(client)
      const rate = networks.get(network) ?? { count: 0, at: clock.now() }
      add(rate)
      add(server)
      // Taken out and put in again, so that the map's order is that of the last claim.
      networks.delete(network)
      networks.set(network, rate)
      if (networks.size <= MAX_NETWORKS) return
      // Many at once: a map walks over the gaps that earlier deletions left at its front.
      let excess = MAX_NETWORKS / 4
      for (const oldest of networks.keys()) {
        networks.delete(oldest)
        if (--excess <= 0) break
      }
    },
  }
}

function rise(count: number, usual: number): number {
  return Math.min(MAX_RISE, Math.max(0, Math.floor(Math.log2(count / usual)) + 1))
}

/** The network behind an address, the unit that one party is given: /24 of IPv4, /64 of IPv6. */
export function networkOf(client: string): string {
  const network = isIP(client) === 0 ? 'unknown' : clientNetwork(client)
  return isIP(network) === 4 ? `${network.slice(0, network.lastIndexOf('.'))}.0/24` : network
}
