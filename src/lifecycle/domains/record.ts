/** Stored custom domains and their holders. */
import { accountPartition } from '../../accounts/record.js'
import { timestamp } from '../../lib/clock.js'
import { decode, encode, key, keyParts, prefixRange } from '../../store/keys.js'
import type { Store, Transaction, View } from '../../store/types.js'
import { readValue, readValues } from '../../store/values.js'
import { rowsOf } from '../../store/pages.js'
import { dropHeld, HELD_PARTITION, putHeld, readHeld } from './verified.js'

export type DomainEvent = 'domain.verified' | 'domain.lost'

export interface OwnDomain {
  domain: string
  /** `pending`: not verified yet. `lost`: no longer verified; nothing is sent or received for it. */
  status: 'pending' | 'verified' | 'lost'
  /** Value of its ownership record, unique per account. */
  token: string
  createdAt: number
  verifiedAt: number | null
  checkedAt: number | null
  /** Consecutive daily checks without the ownership record. */
  misses: number
  /** Event not yet sent to the mailboxes of the account. */
  untold?: DomainEvent
}

/*
 * In an account: `own-domain` · domain. In `meta`: `own-domain-holder` · domain, with the id of the account that has verified it, which is its holder; and
 * `own-domain-wanted` · domain · account for each that has added it, so that its keys are removed with the last of them. What processes keep in memory is
 * in verified.ts.
 */
const META = 'meta'
export const ownDomainKey = (domain: string): Uint8Array => key('own-domain', domain)
const holderKey = (domain: string): Uint8Array => key('own-domain-holder', domain)
export const wantedKey = (domain: string, accountId: string): Uint8Array => key('own-domain-wanted', domain, accountId)
/** More than are ever configured. */
const MAX_DOMAINS = 10_000

export const readOwnDomain = (view: View, domain: string): Promise<OwnDomain | undefined> =>
  readValue(view, ownDomainKey(domain))

/** Within a read of the account. */
export const ownDomainsOf = (view: View): Promise<OwnDomain[]> =>
  readValues(view, { ...prefixRange('own-domain'), limit: MAX_DOMAINS })

/** One commit on the row of a domain. @param next undefined leaves it unchanged @returns the row afterwards */
export function changeOwnDomain(
  store: Store,
  accountId: string,
  domain: string,
  next: (before: OwnDomain | undefined, tx: Transaction) => Promise<OwnDomain | undefined> | OwnDomain | undefined,
): Promise<OwnDomain | undefined> {
  return store.write(accountPartition(accountId), async (tx) => {
    const before = await readOwnDomain(tx, domain)
    const after = await next(before, tx)
    if (after === undefined) return before
    if (!before) tx.blind(META).put(wantedKey(domain, accountId), encode(1))
    // Only its holder can lose it.
    if (after.status === 'lost') putHeld(tx, domain, { accountId, isVerified: false })
    tx.put(ownDomainKey(domain), encode(after))
    return after
  })
}

const holderIn = (meta: View, domain: string): Promise<string | undefined> => readValue(meta, holderKey(domain))

export const holderOf = (store: Store, domain: string): Promise<string | undefined> =>
  store.read(META, (view) => holderIn(view, domain))

/**
 * One commit that makes an account the holder of a domain, with the row `next`.
 *
 * @param from former holder that may be replaced, unless it has verified the domain again
 * @param next undefined if it no longer has the domain
 * @returns the row afterwards; `taken` if another account holds it
 */
export function takeDomain(
  store: Store,
  { domain, accountId, from }: { domain: string; accountId: string; from: string | undefined },
  next: (before: OwnDomain) => OwnDomain | undefined,
): Promise<OwnDomain | 'taken' | undefined> {
  const former = from === undefined ? [] : [accountPartition(from)]
  return store.write([accountPartition(accountId), META, ...former], async (tx) => {
    const before = await readOwnDomain(tx, domain)
    const after = before && next(before)
    if (!after) return undefined
    const meta = tx.in(META)
    const holder = await holderIn(meta, domain)
    if (holder !== undefined && holder !== accountId) {
      if (holder !== from || (await readOwnDomain(tx.in(accountPartition(from)), domain))?.status === 'verified')
        return 'taken'
    }
    if (holder !== accountId) meta.put(holderKey(domain), encode(accountId))
    putHeld(tx, domain, { accountId, isVerified: true })
    tx.put(ownDomainKey(domain), encode(after))
    return after
  })
}

/**
 * One commit that removes an account from a domain. Idempotent.
 *
 * @param condition reads further partitions within it, and throws where the domain has to stay; false: to be tried again with other partitions
 * @returns whether an account is left; undefined to be tried again
 */
export function leaveDomain(
  store: Store,
  { domain, accountId }: { domain: string; accountId: string },
  condition: { partitions: readonly string[]; holds: (tx: Transaction) => Promise<boolean> } = ALWAYS,
): Promise<'none left' | 'some left' | undefined> {
  return store.write([accountPartition(accountId), META, ...condition.partitions], async (tx) => {
    if (!(await condition.holds(tx))) return undefined
    const meta = tx.in(META)
    tx.delete(ownDomainKey(domain))
    if ((await holderIn(meta, domain)) === accountId) {
      meta.delete(holderKey(domain))
      dropHeld(tx, domain)
    }
    meta.delete(wantedKey(domain, accountId))
    const left = await meta.range({ ...prefixRange('own-domain-wanted', domain), limit: 1 })
    return left.length === 0 ? 'none left' : 'some left'
  })
}

const ALWAYS = { partitions: [], holds: async () => true }

export async function heldRows(store: Store): Promise<[domain: string, accountId: string][]> {
  const held: [string, string][] = []
  for await (const [row, value] of rowsOf(store, META, prefixRange('own-domain-holder')))
    held.push([String(keyParts(row)[1]), decode<string>(value)])
  return held
}

/** Adds what an earlier version has not written for `verified.ts`; to be called at the start. */
export async function completeHeld(store: Store): Promise<void> {
  for (const [domain, accountId] of await heldRows(store)) {
    if (await store.read(HELD_PARTITION, (view) => readHeld(view, domain))) continue
    await store.write([accountPartition(accountId), META, HELD_PARTITION], async (tx) => {
      const own = await readOwnDomain(tx, domain)
      const isMissing = !(await readHeld(tx.in(HELD_PARTITION), domain))
      if (!own || own.status === 'pending' || !isMissing || (await holderIn(tx.in(META), domain)) !== accountId) return
      putHeld(tx, domain, { accountId, isVerified: own.status === 'verified' })
    })
  }
}

export function ownDomainJson({ domain, status, createdAt, verifiedAt, checkedAt }: OwnDomain) {
  const time = (ms: number | null): string | null => (ms === null ? null : timestamp(ms))
  return {
    id: domain,
    object: 'domain' as const,
    domain,
    status,
    created_at: timestamp(createdAt),
    verified_at: time(verifiedAt),
    checked_at: time(checkedAt),
  }
}
