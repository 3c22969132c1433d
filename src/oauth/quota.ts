/** So many of something in an hour, for each network and for all together. In memory: a restart begins anew. */
import type { Clock } from '../lib/clock.js'
import { HOUR } from '../lib/clock.js'
import { clientNetwork } from '../lib/ip.js'

export interface Quota {
  /** Takes one. @returns false when none is left; nothing is taken then */
  take(remoteAddress: string): boolean
  /** Milliseconds until there are some again. */
  wait(): number
}

export function createQuota(limits: { perNetwork: number; inAll: number }, clock: Clock): Quota {
  // Each network in it has taken one at least, so it has no more than there are in all.
  const networks = new Map<string, number>()
  let taken = 0
  let endsAt = 0
  return {
    take(remoteAddress) {
      const now = clock.now()
      if (now >= endsAt) {
        networks.clear()
        taken = 0
        endsAt = now + HOUR
      }
      const network = clientNetwork(remoteAddress)
      const own = networks.get(network) ?? 0
      if (taken >= limits.inAll || own >= limits.perNetwork) return false
      networks.set(network, own + 1)
      taken++
      return true
    },
    wait: () => Math.max(0, endsAt - clock.now()),
  }
}
