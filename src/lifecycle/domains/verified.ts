/**
 * Domains of accounts in memory, for the check of every address: a copy of their states, which are rows of the partition `own-domains`, one a domain. Each
 * is written in the transaction that changes the domain, so that all processes learn of it by the version of the partition.
 */
import { decode, encode, key, keyParts, prefixRange } from '../../store/keys.js'
import { allIn } from '../../store/pages.js'
import type { Store, Transaction, View } from '../../store/types.js'
import { readValue } from '../../store/values.js'
import { openFollowed, type Followed } from '../../store/watched.js'

export interface Held {
  accountId: string
  /** False once lost: then nothing is sent or received for it. */
  isVerified: boolean
}

/** By domain. */
export type HeldDomains = ReadonlyMap<string, Held>

export const HELD_PARTITION = 'own-domains'
const heldKey = (domain: string): Uint8Array => key('domain', domain)

/** Within the transaction that makes an account the holder of a domain, or that loses it. */
export function putHeld(tx: Transaction, domain: string, held: Held): void {
  tx.blind(HELD_PARTITION).put(heldKey(domain), encode(held))
}

/** Within the transaction in which the holder leaves it. */
export function dropHeld(tx: Transaction, domain: string): void {
  tx.blind(HELD_PARTITION).delete(heldKey(domain))
}

export const readHeld = (view: View, domain: string): Promise<Held | undefined> => readValue(view, heldKey(domain))

/**
 * @param names domains of the server: an account's claim to one of them does not count
 * @param onError called when the domains could not be read in between
 */
export function followHeldDomains(deps: {
  store: Store
  names: readonly string[]
  onError: (error: unknown) => void
}): Promise<Followed<HeldDomains>> {
  const { store, names, onError } = deps
  return openFollowed({
    store,
    partition: HELD_PARTITION,
    onError,
    read: async (view) => {
      const rows = await allIn(view, prefixRange('domain'))
      const domains = rows.map(([row, value]): [string, Held] => [String(keyParts(row)[1]), decode<Held>(value)])
      return new Map(domains.filter(([domain]) => !names.includes(domain)))
    },
  })
}

/** The account that gets mail for a domain. */
export function verifiedOwner(held: HeldDomains, domain: string): string | undefined {
  const found = held.get(domain)
  return found?.isVerified === true ? found.accountId : undefined
}
