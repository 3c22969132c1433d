/**
 * Difficulty of the next challenge: the configured one, a bit more for each doubling of the recent claim rate of the client's network or the server, and
 * two bits for each human who rejected an invite from that network. Rates are in memory, and shared with the other daemons on the store: they decay within hours.
 */
import { isIP } from 'node:net'
import { type Clock, DAY, HOUR } from '../../lib/clock.js'
import { sha256Hex } from '../../lib/ids.js'
import { clientNetwork } from '../../lib/ip.js'
import { createExpiring, EXPIRING_PARTITION } from '../../store/expiring.js'
import { NOT_SHARED, type SharedCounts } from '../../store/nodes/shared-counts.js'
import type { Store, View } from '../../store/types.js'

/** Claims per hour that do not raise the difficulty. */
const USUAL_OF_NETWORK = 8
const USUAL_OF_SERVER = 240
/** 64 times the work: with more, a small machine could not solve the hardest challenge within its 10 minutes. */
const MAX_RISE = 6
/** Max networks in memory. Beyond that, those that claimed longest ago are dropped: the server's rate still counts. */
const MAX_NETWORKS = 20_000

/** Bits that a proof may be below the current difficulty: others claim while an honest agent computes. */
const GRACE_BITS = 1

const BITS_FOR_BLAME = 2
const BLAME_HALVES_MS = DAY
const BLAME_KEPT_MS = 7 * DAY
/** Further ones do not raise the difficulty. */
const MAX_BLAMES = 20

/** A decaying count: the weight of a claim halves every hour. */
interface Rate {
  count: number
  at: number
}

interface Blame extends Rate {
  /** Causes, so that none counts twice. */
  causes: string[]
}

export type Difficulty = ReturnType<typeof createDifficulty>

export interface DifficultyDeps {
  store: Store
  clock: Clock
  base: number
  shared?: SharedCounts | undefined
}

export function createDifficulty({ store, clock, base, shared = NOT_SHARED }: DifficultyDeps) {
  const tell = shared.join('claims of a network', record)
  const networks = new Map<string, Rate>()
  const server: Rate = { count: 0, at: clock.now() }
  const blamed = createExpiring<Blame>(store, 'network-blame')

  const faded = (rate: Rate, halvesMs = HOUR): number =>
    rate.count * 2 ** (-Math.max(0, clock.now() - rate.at) / halvesMs)
  const add = (rate: Rate, count: number): void => {
    rate.count = faded(rate) + count
    rate.at = clock.now()
  }

  async function blameOf(view: View, client: string): Promise<number> {
    const blame = await blamed.getIn(view, sha256Hex(networkOf(client)), clock.now())
    return blame ? Math.round(BITS_FOR_BLAME * faded(blame, BLAME_HALVES_MS)) : 0
  }

  function bitsNow(network: string, forBlame: number): number {
    const rate = networks.get(network)
    const ofNetwork = rate ? rise(faded(rate), USUAL_OF_NETWORK) : 0
    return base + Math.min(MAX_RISE, forBlame + Math.max(ofNetwork, rise(faded(server), USUAL_OF_SERVER)))
  }

  function record(network: string, count: number): void {
    const rate = networks.get(network) ?? { count: 0, at: clock.now() }
    add(rate, count)
    add(server, count)
    // Deleted and inserted again, so that the map is ordered by last claim.
    networks.delete(network)
    networks.set(network, rate)
    if (networks.size <= MAX_NETWORKS) return
    // Many at a time: iteration walks over the gaps that earlier deletions left at the front of a map.
    let excess = MAX_NETWORKS / 4
    for (const oldest of networks.keys()) {
      networks.delete(oldest)
      if (--excess <= 0) break
    }
  }

  return {
    /** Leading zero bits for a challenge to this client, now. */
    async current(client: string): Promise<number> {
      return bitsNow(networkOf(client), await store.read(EXPIRING_PARTITION, (view) => blameOf(view, client)))
    },

    /** Leading zero bits that rejected invites from the client's network add, for `admit`. */
    blameOf,

    /**
     * Counts a solved challenge, if its work suffices for a claim made now. The difficulty at issue does not count, or many challenges could be fetched
     * while they are easy, and solved later.
     *
     * @param bits number of leading zero bits of its digest
     * @param forBlame as `blameOf` found it
     * @returns the difficulty required now, if these do not suffice; then nothing is counted
     */
    admit(client: string, bits: number, forBlame: number): number | undefined {
      const network = networkOf(client)
      // Checked and counted in one step, so that of concurrent claims each counts those before it.
      const needed = bitsNow(network, forBlame)
      if (bits < needed - GRACE_BITS) return needed
      record(network, 1)
      tell(network, 1)
      return undefined
    },

    /** Records that a human rejected an invite from this network. Durable, and idempotent by `cause`. */
    async blame(network: string, cause: string): Promise<void> {
      const now = clock.now()
      await blamed.change(sha256Hex(network), now, (before) => {
        if (before?.causes.includes(cause)) return undefined
        const count = Math.min(MAX_BLAMES, (before ? faded(before, BLAME_HALVES_MS) : 0) + 1)
        const causes = [...(before?.causes ?? []), cause].slice(-MAX_BLAMES)
        return { record: { count, at: now, causes }, endsAt: now + BLAME_KEPT_MS }
      })
    },
  }
}

function rise(count: number, usual: number): number {
  return Math.min(MAX_RISE, Math.max(0, Math.floor(Math.log2(count / usual)) + 1))
}

/** The network of an address, the unit assigned to one party: /24 of IPv4, /64 of IPv6. */
export function networkOf(client: string): string {
  const network = isIP(client) === 0 ? 'unknown' : clientNetwork(client)
  return isIP(network) === 4 ? `${network.slice(0, network.lastIndexOf('.'))}.0/24` : network
}
