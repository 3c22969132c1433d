/** Limits of invites, and recipients who get none any more. Counted in the store, so that neither restarts nor concurrent claims give more. */
import { DAY, HOUR } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { sha256Hex } from '../../lib/ids.js'
import { addressKey } from '../../mime/address.js'
import { createExpiring } from '../../store/expiring.js'
import { countRecent, removeRecent } from '../../store/recent.js'
import type { Store, Transaction } from '../../store/types.js'

/** Ten claims of one network can send their invites in an hour; larger setups need the operator. */
const PER_NETWORK_AN_HOUR = 20
/** Two agents of one human may each send two per day. */
const PER_HUMAN_A_DAY = 4
const REFUSED_MS = 30 * DAY
/** Number of networks that a human has to reject before nobody can invite them any more. */
const NETWORKS_REFUSED = 3
const SWEPT_AT_ONCE = 200

const RULES = {
  net: { row: 'network', spanMs: HOUR, limit: PER_NETWORK_AN_HOUR },
  human: { row: 'human', spanMs: DAY, limit: PER_HUMAN_A_DAY },
}
const WHENCE = { net: 'from your network', human: 'to this address', total: 'from this server' }

export interface Counted {
  inviteId: string
  at: number
  network: string
  human: string
}

/** Stored key of the human behind an address. */
export const humanOf = (address: string): string => sha256Hex(addressKey(address))

export const INVITES = 'invites'

export function createInviteLimits({ store, perHour }: { store: Store; perHour: number }) {
  const pairs = createExpiring<true>(store, 'invite-refused')
  const humans = createExpiring<string[]>(store, 'invite-refuser')
  const pairOf = (network: string, human: string): string => sha256Hex(`${network}\0${human}`)

  return {
    /** Counts an invite within a transaction of `INVITES`. @throws ServiceError `rate_limited` */
    async take(tx: Transaction, { inviteId, at, network, human }: Counted): Promise<void> {
      const counted = { id: inviteId, at, of: { net: sha256Hex(network), human } }
      const limited = await countRecent(tx, RULES, { spanMs: HOUR, limit: perHour }, counted)
      if (limited)
        throw new ServiceError(
          'rate_limited',
          `Too many invites ${WHENCE[limited.by]} for now. This one was not sent and is not counted.`,
          `Give claim_url to your human yourself, or try again in ${limited.seconds} seconds.`,
          { retryAfterSeconds: limited.seconds },
        )
    },

    /** True if this human rejected invites of this network, or of several. */
    async isRefused(network: string, human: string, now: number): Promise<boolean> {
      if (await pairs.get(pairOf(network, human), now)) return true
      return ((await humans.get(human, now)) ?? []).length >= NETWORKS_REFUSED
    },

    /** Idempotent. */
    async refuse(network: string, human: string, now: number): Promise<void> {
      await pairs.put(pairOf(network, human), true, now + REFUSED_MS)
      const net = sha256Hex(network)
      await humans.change(human, now, (before = []) => {
        if (before.includes(net) || before.length >= NETWORKS_REFUSED) return undefined
        return { record: [...before, net], endsAt: now + REFUSED_MS }
      })
    },
  }
}

/** Removes invites that no limit counts any more, a bounded number at a time. */
export async function sweepInvites(store: Store, now: number): Promise<{ removed: number; more: boolean }> {
  const total = { spanMs: HOUR, limit: 0 }
  const removed = await store.write(INVITES, (tx) => removeRecent(tx, RULES, total, now, SWEPT_AT_ONCE))
  return { removed, more: removed === SWEPT_AT_ONCE }
}
