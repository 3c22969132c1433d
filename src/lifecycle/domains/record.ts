/** Stored custom domains and their holders. */
import { accountPartition } from '../../accounts/record.js'
import { timestamp } from '../../lib/clock.js'
import { decode, encode, key, keyParts, prefixRange } from '../../store/keys.js'
import type { Store, Transaction, View } from '../../store/types.js'
import { readValue, readValues } from '../../store/values.js'

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
 * `own-domain-wanted` · domain · account for each that has added it, so that its keys are removed with the last of them.
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
 * @param from former holder that may be replaced
 * @param next undefined if it no longer has the domain
 * @returns the row afterwards; `taken` if another account holds it
 */
export function takeDomain(
  store: Store,
  { domain, accountId, from }: { domain: string; accountId: string; from: string | undefined },
  next: (before: OwnDomain) => OwnDomain | undefined,
): Promise<OwnDomain | 'taken' | undefined> {
  return store.write([accountPartition(accountId), META], async (tx) => {
    const before = await readOwnDomain(tx, domain)
    const after = before && next(before)
    if (!after) return undefined
    const meta = tx.in(META)
    const holder = await holderIn(meta, domain)
    if (holder !== undefined && holder !== accountId && holder !== from) return 'taken'
    if (holder !== accountId) meta.put(holderKey(domain), encode(accountId))
    tx.put(ownDomainKey(domain), encode(after))
    return after
  })
}

/** One commit that removes an account from a domain. Idempotent. @returns true if no account is left */
export function leaveDomain(store: Store, domain: string, accountId: string): Promise<boolean> {
  return store.write([accountPartition(accountId), META], async (tx) => {
    const meta = tx.in(META)
    tx.delete(ownDomainKey(domain))
    if ((await holderIn(meta, domain)) === accountId) meta.delete(holderKey(domain))
    meta.delete(wantedKey(domain, accountId))
    return (await meta.range({ ...prefixRange('own-domain-wanted', domain), limit: 1 })).length === 0
  })
}

export async function heldRows(store: Store): Promise<[domain: string, accountId: string][]> {
  const rows = await store.read(META, (view) => view.range(prefixRange('own-domain-holder')))
  return rows.map(([row, value]) => [String(keyParts(row)[1]), decode<string>(value)])
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
