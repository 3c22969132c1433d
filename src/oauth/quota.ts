/** A limit per hour, for each network and for all together. In memory, and shared with the other daemons on the store: a restart resets it. */
import { type Clock, HOUR } from '../lib/clock.js'
import { clientNetwork } from '../lib/ip.js'
import type { SharedCounts } from '../store/nodes/shared-counts.js'

export type Quota = ReturnType<typeof createQuota>

export interface QuotaLimits {
  perNetwork: number
  inAll: number
}

/** @param shared with the name of the quota */
export function createQuota(limits: QuotaLimits, clock: Clock, shared?: { counts: SharedCounts; name: string }) {
  // Each network has taken at least one, so there are at most as many as the total limit of each daemon.
  const networks = new Map<string, number>()
  let taken = 0
  let endsAt = 0
  const tell = shared?.counts.join(shared.name, (network, count) => {
    renew()
    add(network, count)
  })

  function renew(): void {
    const now = clock.now()
    if (now < endsAt) return
    networks.clear()
    taken = 0
    endsAt = now + HOUR
  }

  function add(network: string, count: number): void {
    networks.set(network, (networks.get(network) ?? 0) + count)
    taken += count
  }

  return {
    /** Takes one. @returns false if none is left */
    take(remoteAddress: string): boolean {
      renew()
      const network = clientNetwork(remoteAddress)
      const own = networks.get(network) ?? 0
      if (taken >= limits.inAll || own >= limits.perNetwork) return false
      add(network, 1)
      tell?.(network, 1)
      return true
    },
    /** Milliseconds until the limit resets. */
    wait: (): number => Math.max(0, endsAt - clock.now()),
  }
}
