/** Limits of invites, and recipients who get none any more. Counted in the store, so that neither restarts nor concurrent claims give more. */
import { DAY, HOUR, SECOND } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import { sha256Hex } from '../../lib/ids.js'
import { addressKey } from '../../mime/address.js'
import { createExpiring } from '../../store/expiring.js'
import { encode, decode, key, keyParts, prefixRange } from '../../store/keys.js'
import type { Store, Transaction } from '../../store/types.js'

/** Ten claims of one network can send their invites in an hour; larger setups need the operator. */
const PER_NETWORK_AN_HOUR = 20
/** Two agents of one human may each send two per day. */
const PER_HUMAN_A_DAY = 4
const REFUSED_MS = 30 * DAY
/** Number of networks that a human has to reject before nobody can invite them any more. */
const NETWORKS_REFUSED = 3
/** More than each adds, so that they can't pile up between two sweeps. */
const SWEPT_WITH_EACH = 4
const SWEPT_AT_ONCE = 200

export interface Counted {
  inviteId: string
  at: number
  network: string
  human: string
}

/** Stored key of the human behind an address. */
export const humanOf = (address: string): string => sha256Hex(addressKey(address))

export const INVITES = 'invites'
const row = (at: number, id: string): Uint8Array => key('on', at, id)

export function createInviteLimits({ store, perHour }: { store: Store; perHour: number }) {
  const pairs = createExpiring<true>(store, 'invite-refused')
  const humans = createExpiring<string[]>(store, 'invite-refuser')
  const pairOf = (network: string, human: string): string => sha256Hex(`${network}\0${human}`)

  return {
    /** Counts an invite within a transaction of `INVITES`. @throws ServiceError `rate_limited` */
    async take(tx: Transaction, { inviteId, at, network, human }: Counted): Promise<void> {
      const net = sha256Hex(network)
      const limited =
        (await waitFor(tx, ['network', net], at, HOUR, PER_NETWORK_AN_HOUR, 'from your network')) ??
        (await waitFor(tx, ['human', human], at, DAY, PER_HUMAN_A_DAY, 'to this address')) ??
        (await waitFor(tx, ['on'], at, HOUR, perHour, 'from this server'))
      if (limited)
        throw new ServiceError(
          'rate_limited',
          `Too many invites ${limited.whence} for now. This one was not sent and is not counted.`,
          `Give claim_url to your human yourself, or try again in ${limited.seconds} seconds.`,
          { retryAfterSeconds: limited.seconds },
        )
      tx.put(row(at, inviteId), encode({ net, human }))
      tx.put(key('network', net, at, inviteId), encode(1))
      tx.put(key('human', human, at, inviteId), encode(1))
      await removeOld(tx, at, SWEPT_WITH_EACH)
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

async function waitFor(
  tx: Transaction,
  prefix: string[],
  now: number,
  spanMs: number,
  limit: number,
  whence: string,
): Promise<{ whence: string; seconds: number } | undefined> {
  const { lt } = prefixRange(...prefix)
  const found = await tx.range({ gte: key(...prefix, Math.max(0, now - spanMs)), lt, limit: Math.max(1, limit) })
  const [first] = found
  if (found.length < limit) return undefined
  const at = first ? Number(keyParts(first[0])[prefix.length]) : now
  return { whence, seconds: Math.max(1, Math.ceil((at + spanMs - now) / SECOND)) }
}

/** Removes invites that no limit counts any more, a bounded number at a time. */
export async function sweepInvites(store: Store, now: number): Promise<{ removed: number; more: boolean }> {
  const removed = await store.write(INVITES, (tx) => removeOld(tx, now, SWEPT_AT_ONCE))
  return { removed, more: removed === SWEPT_AT_ONCE }
}

async function removeOld(tx: Transaction, now: number, limit: number): Promise<number> {
  const { gte } = prefixRange('on')
  const old = await tx.range({ gte, lt: key('on', Math.max(0, now - DAY)), limit })
  for (const [entry, value] of old) {
    const [, at, id] = keyParts(entry)
    const { net, human } = decode<{ net: string; human: string }>(value)
    tx.delete(entry)
    tx.delete(key('network', net, at ?? 0, id ?? ''))
    tx.delete(key('human', human, at ?? 0, id ?? ''))
  }
  return old.length
}
