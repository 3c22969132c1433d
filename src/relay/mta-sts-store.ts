/**
 * Policies in the partition `mta-sts`:
 *
 * - `("policy", domain)` → the policy
 * - `("age", fetched at, domain)` → nothing: the order in which they make room
 * - `("count")` → how many there are
 */
import { decode, encode, key, keyParts, prefixRange } from '../store/keys.js'
import type { Store } from '../store/types.js'
import type { StsPolicy } from './mta-sts-policy.js'

export interface KeptPolicy {
  policy: StsPolicy
  fetchedAt: number
}

export interface PolicyStore {
  get(domain: string): Promise<KeptPolicy | undefined>
  /** Resolves when it is durable. */
  put(domain: string, kept: KeptPolicy): Promise<void>
}

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

    put: (domain, kept) =>
      store.write(PARTITION, async (tx) => {
        const [old, counted] = await tx.getMany([policyKey(domain), COUNT])
        let count = counted ? decode<number>(counted) : 0
        if (old) tx.delete(ageKey(domain, decode<KeptPolicy>(old).fetchedAt))
        else count++
        tx.put(policyKey(domain), encode(kept))
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
  }
}

function policyKey(domain: string): Uint8Array {
  return key('policy', domain)
}

function ageKey(domain: string, fetchedAt: number): Uint8Array {
  return key('age', fetchedAt, domain)
}
