/** What is written down of domains that accounts bring along, and whose each is. */
import { accountPartition } from '../../accounts/record.js'
import { timestamp } from '../../lib/clock.js'
import { decode, encode, key, keyParts, prefixRange } from '../../store/keys.js'
import type { Store, Transaction, View } from '../../store/types.js'

export type DomainEvent = 'domain.verified' | 'domain.lost'

export interface OwnDomain {
  domain: string
  /** `pending`: not proven yet. `lost`: it was proven, and is not any more: nothing is sent or received for it. */
  status: 'pending' | 'verified' | 'lost'
  /** What its ownership record says; each account has another one. */
  token: string
  createdAt: number
  verifiedAt: number | null
  checkedAt: number | null
  /** Daily looks in a row that did not find the proof. */
  misses: number
  /** An event that the mailboxes of the account are still to be told. */
  untold?: DomainEvent
}

/*
 * In an account: `own-domain` · domain. In `meta`: `own-domain-holder` · domain, with the id of the one account that has proven it, which decides
 * whose the domain is; and `own-domain-wanted` · domain · account for each that has added it, so that its keys go with the last of them.
 */
const META = 'meta'
export const ownDomainKey = (domain: string): Uint8Array => key('own-domain', domain)
const holderKey = (domain: string): Uint8Array => key('own-domain-holder', domain)
export const wantedKey = (domain: string, accountId: string): Uint8Array => key('own-domain-wanted', domain, accountId)
/** More than are ever configured. */
const MAX_DOMAINS = 10_000

export async function readOwnDomain(view: View, domain: string): Promise<OwnDomain | undefined> {
  const bytes = await view.get(ownDomainKey(domain))
  return bytes && decode<OwnDomain>(bytes)
}

/** Within a read of the account. */
export async function ownDomainsOf(view: View): Promise<OwnDomain[]> {
  const rows = await view.range({ ...prefixRange('own-domain'), limit: MAX_DOMAINS })
  return rows.map(([, value]) => decode<OwnDomain>(value))
}

/** One commit on the row of a domain. @param next undefined leaves it as it is @returns what is there after it */
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

async function holderIn(meta: View, domain: string): Promise<string | undefined> {
  const bytes = await meta.get(holderKey(domain))
  return bytes && decode<string>(bytes)
}

export function holderOf(store: Store, domain: string): Promise<string | undefined> {
  return store.read(META, (view) => holderIn(view, domain))
}

/**
 * One commit that makes a domain an account's, as it has it in `next`.
 *
 * @param from who may have it so far, beside nobody and the account itself
 * @param next undefined: it has not added it any more
 * @returns what is there after it; `taken` when it is somebody else's
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

/** One commit that takes an account off a domain. Idempotent. @returns whether nobody is left who wants it */
export function leaveDomain(store: Store, domain: string, accountId: string): Promise<boolean> {
  return store.write([accountPartition(accountId), META], async (tx) => {
    const meta = tx.in(META)
    tx.delete(ownDomainKey(domain))
    if ((await holderIn(meta, domain)) === accountId) meta.delete(holderKey(domain))
    meta.delete(wantedKey(domain, accountId))
    return (await meta.range({ ...prefixRange('own-domain-wanted', domain), limit: 1 })).length === 0
  })
}

/** Domain and account of all that were ever proven and are held. */
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
