/**
 * How hard the next challenge is: the configured difficulty, and a bit more for each doubling of the recent claim rate beyond what
 * is usual, of the client's network or of the whole server, whichever asks for more; and two bits for each human whom claims of that network
 * have bothered.
 *
 * Rates live in memory: they fade within hours, each claim of them was paid for, and nobody but the operator can make the server restart. Who was
 * bothered is stored.
 */
import { isIP } from 'node:net'
import type { Clock } from '../../lib/clock.js'
import { DAY, HOUR } from '../../lib/clock.js'
import { sha256Hex } from '../../lib/ids.js'
import { clientNetwork } from '../../lib/ip.js'
import { createExpiring } from '../../store/expiring.js'
import type { Store } from '../../store/types.js'

/** Claims an hour that raise nothing. */
const USUAL_OF_NETWORK = 8
const USUAL_OF_SERVER = 240
/** 64 times the work: past that, the hardest challenge could not be solved within its 10 minutes on a small machine. */
const MAX_RISE = 6
/** Networks remembered at once. When there are more, those that claimed longest ago are forgotten: the server's rate still counts. */
const MAX_NETWORKS = 20_000

/** A proof may be so many bits under what is asked for by the time it comes: others claim while an honest agent counts. */
const GRACE_BITS = 1

const BITS_FOR_BLAME = 2
const BLAME_HALVES_MS = DAY
const BLAME_KEPT_MS = 7 * DAY
/** More raise nothing, so there is no need to tell them apart. */
const MAX_BLAMES = 20

/** A count that fades: each claim weighs half after an hour. */
interface Rate {
  count: number
  at: number
}

interface Blame extends Rate {
  /** What it was for, lest one counts twice. */
  causes: string[]
}

export interface Difficulty {
  /** Leading zero bits for a challenge to this client, now. */
  current(client: string): Promise<number>
  /**
   * Counts a solved challenge, if its work does for a claim that is made now. What was asked for when it was issued is not the measure: many could be fetched
   * while they are easy, and solved at leisure.
   *
   * @param bits zero bits with which its digest starts, which may be more than it asked for
   * @returns the bits that are asked for now where these do not do; then nothing is counted
   */
  admit(client: string, bits: number): Promise<number | undefined>
  /** A human did not want what came from this network. Durable, and idempotent by `cause`. */
  blame(network: string, cause: string): Promise<void>
}

export function createDifficulty(deps: { store: Store; clock: Clock; base: number }): Difficulty {
  const { store, clock, base } = deps
  const networks = new Map<string, Rate>()
  const server: Rate = { count: 0, at: clock.now() }
  const blamed = createExpiring<Blame>(store, 'network-blame')

  const faded = (rate: Rate, halvesMs = HOUR): number =>
    rate.count * 2 ** (-Math.max(0, clock.now() - rate.at) / halvesMs)
  const add = (rate: Rate): void => {
    rate.count = faded(rate) + 1
    rate.at = clock.now()
  }

  async function blameOf(network: string): Promise<number> {
    const blame = await blamed.get(sha256Hex(network), clock.now())
    return blame ? Math.round(BITS_FOR_BLAME * faded(blame, BLAME_HALVES_MS)) : 0
  }

  function bitsNow(network: string, forBlame: number): number {
    const rate = networks.get(network)
    const ofNetwork = rate ? rise(faded(rate), USUAL_OF_NETWORK) : 0
    return base + Math.min(MAX_RISE, forBlame + Math.max(ofNetwork, rise(faded(server), USUAL_OF_SERVER)))
  }

  function record(network: string): void {
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
  }

  return {
    async current(client) {
      const network = networkOf(client)
      return bitsNow(network, await blameOf(network))
    },

    async admit(client, bits) {
      const network = networkOf(client)
      const forBlame = await blameOf(network)
      // Looked at and counted in one step: of many that come at once each meets those before it.
      const needed = bitsNow(network, forBlame)
      if (bits < needed - GRACE_BITS) return needed
      record(network)
      return undefined
    },

    async blame(network, cause) {
      const now = clock.now()
      const name = sha256Hex(network)
      const before = await blamed.get(name, now)
      if (before?.causes.includes(cause)) return
      const count = Math.min(MAX_BLAMES, (before ? faded(before, BLAME_HALVES_MS) : 0) + 1)
      const causes = [...(before?.causes ?? []), cause].slice(-MAX_BLAMES)
      await blamed.put(name, { count, at: now, causes }, now + BLAME_KEPT_MS)
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
