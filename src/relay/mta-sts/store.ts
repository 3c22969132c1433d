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
  /** When mail asked for it, to about a day; missing where that was not noted yet. */
  usedAt?: number
}

export interface PolicyStore {
  get(domain: string): Promise<KeptPolicy | undefined>
  /** By domain, from the one after `after` on. */
  page(after: string | undefined, limit: number): Promise<{ domain: string; kept: KeptPolicy }[]>
  /** Resolves when it is durable. A later use that is noted already stays noted. */
  put(domain: string, kept: KeptPolicy): Promise<void>
  /** Notes that a policy is in use, if it is there. */
  touch(domain: string, usedAt: number): Promise<void>
  /** False when there was none. */
  remove(domain: string): Promise<boolean>
}

/** RFC 8461 §10.2: a policy in use is fetched again once a day, also when its id is the old one. */
const REFRESH_MS = DAY
/** A policy that ends sooner would be fetched for each message. */
const MIN_AGE_MS = 10 * MINUTE

const PARTITION = 'mta-sts'
const COUNT = key('count')
const NOTHING = new Uint8Array(0)

export function createPolicyStore(store: Store, maxPolicies: number): PolicyStore {
  return {
    get: (domain) =>
      store.read(PARTITION, async (view) => {
        const bytes = await view.get(policyKey(domain))
        return bytes && decode<KeptPolicy>(bytes)
      }),

    async page(after, limit) {
      const { gte, lt } = prefixRange('policy')
      const from = after === undefined ? gte : keyAfter(policyKey(after))
      const rows = await store.read(PARTITION, (view) => view.range({ gte: from, lt, limit }))
      return rows.map(([bytes, value]) => ({ domain: String(keyParts(bytes)[1]), kept: decode<KeptPolicy>(value) }))
    },

    put: (domain, kept) =>
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

    touch: (domain, usedAt) =>
      store.write(PARTITION, async (tx) => {
        const bytes = await tx.get(policyKey(domain))
        if (bytes) tx.put(policyKey(domain), encode({ ...decode<KeptPolicy>(bytes), usedAt }))
      }),

    remove: (domain) =>
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

/** When it holds no longer. */
export function endOf(kept: KeptPolicy): number {
  return kept.fetchedAt + lifeOf(kept)
}

/** From when on it is to be fetched again. */
export function refreshAt(kept: KeptPolicy): number {
  return kept.fetchedAt + Math.min(REFRESH_MS, lifeOf(kept) / 2)
}

function policyKey(domain: string): Uint8Array {
  return key('policy', domain)
}

function ageKey(domain: string, fetchedAt: number): Uint8Array {
  return key('age', fetchedAt, domain)
}
