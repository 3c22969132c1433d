/** A limit per hour, for each network and for all together. In memory: a restart resets it. */
import { type Clock, HOUR } from '../lib/clock.js'
import { clientNetwork } from '../lib/ip.js'

export type Quota = ReturnType<typeof createQuota>

export function createQuota(limits: { perNetwork: number; inAll: number }, clock: Clock) {
  // Each network has taken at least one, so there are at most as many as the total limit.
  const networks = new Map<string, number>()
  let taken = 0
  let endsAt = 0
  return {
    /** Takes one. @returns false if none is left */
    take(remoteAddress: string): boolean {
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
    /** Milliseconds until the limit resets. */
    wait: (): number => Math.max(0, endsAt - clock.now()),
  }
}
