/**
 * Policies in the partition `mta-sts`:
 *
 * - `("policy", domain)` → the policy
 * - `("age", fetched at, domain)` → nothing: the order in which they make room
 * - `("count")` → how many there are
 */
import { DAY, MINUTE, SECOND } from '../../lib/clock.js'
import { decode, encode, key, keyAfter, keyParts, prefixRange } from '../../store/keys.js'
import type { Store } from '../../store/types.js'
import type { StsPolicy } from './policy.js'

/** Times are milliseconds since the epoch. */
export interface KeptPolicy {
  policy: StsPolicy
  fetchedAt: number
  /** Last use, to about a day; missing if not recorded yet. */
  usedAt?: number
}

export type PolicyStore = ReturnType<typeof createPolicyStore>

/** RFC 8461 §10.2: refreshed daily while in use, even with an unchanged id. */
const REFRESH_MS = DAY
/** A shorter lifetime would mean a fetch per message. */
const MIN_AGE_MS = 10 * MINUTE

const PARTITION = 'mta-sts'
const COUNT = key('count')
const NOTHING = new Uint8Array(0)

export function createPolicyStore(store: Store, maxPolicies: number) {
  return {
    get: (domain: string): Promise<KeptPolicy | undefined> =>
      store.read(PARTITION, async (view) => {
        const bytes = await view.get(policyKey(domain))
        return bytes && decode<KeptPolicy>(bytes)
      }),

    async page(after: string | undefined, limit: number): Promise<{ domain: string; kept: KeptPolicy }[]> {
      const { gte, lt } = prefixRange('policy')
      const from = after === undefined ? gte : keyAfter(policyKey(after))
      const rows = await store.read(PARTITION, (view) => view.range({ gte: from, lt, limit }))
      return rows.map(([bytes, value]) => ({ domain: String(keyParts(bytes)[1]), kept: decode<KeptPolicy>(value) }))
    },

    /** Resolves when durable. A later recorded use is kept. */
    put: (domain: string, kept: KeptPolicy): Promise<void> =>
      store.write(PARTITION, async (tx) => {
        const [bytes, counted] = await tx.getMany([policyKey(domain), COUNT])
        let count = counted ? decode<number>(counted) : 0
        const old = bytes && decode<KeptPolicy>(bytes)
        if (old) tx.delete(ageKey(domain, old.fetchedAt))
        else count++
        const usedAt = Math.max(kept.usedAt ?? 0, old?.usedAt ?? 0)
        tx.put(policyKey(domain), encode(usedAt === 0 ? kept : { ...kept, usedAt }))
        tx.put(ageKey(domain, kept.fetchedAt), NOTHING)
        if (count > maxPolicies) {
          for (const [oldest] of await tx.range({ ...prefixRange('age'), limit: count - maxPolicies })) {
            const other = String(keyParts(oldest)[2])
            tx.delete(oldest)
            tx.delete(policyKey(other))
            count--
          }
        }
        tx.put(COUNT, encode(count))
      }),

    touch: (domain: string, usedAt: number): Promise<void> =>
      store.write(PARTITION, async (tx) => {
        const bytes = await tx.get(policyKey(domain))
        if (bytes) tx.put(policyKey(domain), encode({ ...decode<KeptPolicy>(bytes), usedAt }))
      }),

    /** False if there was none. */
    remove: (domain: string): Promise<boolean> =>
      store.write(PARTITION, async (tx) => {
        const [bytes, counted] = await tx.getMany([policyKey(domain), COUNT])
        if (!bytes) return false
        tx.delete(policyKey(domain))
        tx.delete(ageKey(domain, decode<KeptPolicy>(bytes).fetchedAt))
        tx.put(COUNT, encode(Math.max(0, (counted ? decode<number>(counted) : 0) - 1)))
        return true
      }),
  }
}

function lifeOf({ policy }: KeptPolicy): number {
  return Math.max(policy.maxAgeSeconds * SECOND, MIN_AGE_MS)
}

export function endOf(kept: KeptPolicy): number {
  return kept.fetchedAt + lifeOf(kept)
}

export function refreshAt(kept: KeptPolicy): number {
  return kept.fetchedAt + Math.min(REFRESH_MS, lifeOf(kept) / 2)
}

function policyKey(domain: string): Uint8Array {
  return key('policy', domain)
}

function ageKey(domain: string, fetchedAt: number): Uint8Array {
  return key('age', fetchedAt, domain)
}
