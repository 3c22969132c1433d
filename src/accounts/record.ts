/** The record of an account, how an owner's email leads to it, and the list of all of them. */
import { ServiceError } from '../lib/errors.js'
import { newId } from '../lib/ids.js'
import { decode, encode, key, keyAfter, prefixRange } from '../store/keys.js'
import type { Store, Transaction, View } from '../store/types.js'
import type { AccountRecord } from './types.js'

/*
 * In `meta`, each account has one of these rows, with its id as the value: `operator-account`, `account-owner` · email, or
 * `account-ownerless` · id.
 */
const RECORD = key('account')
const META = 'meta'
const OPERATOR = key('operator-account')
const PAGE = 500

export const accountPartition = (accountId: string): string => `account/${accountId}`
export const ownerKey = (owner: string | null): Uint8Array => (owner === null ? OPERATOR : key('account-owner', owner))
export const ownerlessKey = (accountId: string): Uint8Array => key('account-ownerless', accountId)

export async function readAccount(view: View): Promise<AccountRecord | undefined> {
  const bytes = await view.get(RECORD)
  return bytes && consistent(decode<Stored>(bytes))
}

/** Records from before there were suspensions have none. */
type Stored = Omit<AccountRecord, 'suspension'> & Partial<Pick<AccountRecord, 'suspension'>>

/** A deletion that is cancelled gives back the status of its beginning, and the suspension may have begun or ended since. */
function consistent({ suspension, ...account }: Stored): AccountRecord {
  if (suspension === undefined) return { ...account, suspension: null }
  if (account.status === 'deletion_pending') return { ...account, suspension }
  return { ...account, suspension, status: suspension ? 'suspended' : 'active' }
}

/** @throws Error when there is none: whoever asks has the id from a record of ours */
export async function mustReadAccount(view: View, accountId: string): Promise<AccountRecord> {
  const account = await readAccount(view)
  if (!account) throw new Error(`account ${accountId} is missing`)
  return account
}

export function putAccount(tx: Transaction, account: AccountRecord): void {
  tx.put(RECORD, encode(account))
}

export function removeAccount(tx: Transaction): void {
  tx.delete(RECORD)
}

/** One commit on the record of an account. @returns what is there after it; undefined when there is none */
export function changeAccount(
  store: Store,
  accountId: string,
  next: (account: AccountRecord) => AccountRecord,
): Promise<AccountRecord | undefined> {
  return store.write(accountPartition(accountId), async (tx) => {
    const before = await readAccount(tx)
    const after = before && next(before)
    if (after && after !== before) putAccount(tx, after)
    return after
  })
}

/** For the operator. */
export function noSuchAccount(): ServiceError {
  return new ServiceError('not_found', 'There is no such account.', 'List accounts with `restante account list`.')
}

/** Id of the account of an owner, within a read or a transaction of `meta`. @param owner null is the operator */
export async function accountIdOf(view: View, owner: string | null): Promise<string | undefined> {
  const bytes = await view.get(ownerKey(owner))
  return bytes && decode<string>(bytes)
}

/** Enters an id for a new account within a transaction of `meta`. @param owner null is the operator, undefined is nobody that is known */
export function enterAccount(tx: Transaction, owner: string | null | undefined, now: number): string {
  const id = newId('acc', now)
  tx.put(owner === undefined ? ownerlessKey(id) : ownerKey(owner), encode(id))
  return id
}

/** Gives an account without an owner one, unless somebody has that email. Within a transaction of `meta`. @returns whether it did */
export async function enterOwner(tx: Transaction, accountId: string, owner: string): Promise<boolean> {
  if (!(await tx.get(ownerlessKey(accountId))) || (await accountIdOf(tx, owner)) !== undefined) return false
  tx.delete(ownerlessKey(accountId))
  tx.put(ownerKey(owner), encode(accountId))
  return true
}

/** The record of an account whose id was entered, made when missing. */
export async function ensureRecord(
  store: Store,
  id: string,
  owner: string | null,
  now: number,
): Promise<{ account: AccountRecord; isNew: boolean }> {
  const existing = await store.read(accountPartition(id), readAccount)
  if (existing) return { account: existing, isNew: false }
  return store.write(accountPartition(id), async (tx) => {
    const first = await readAccount(tx)
    if (first) return { account: first, isNew: false }
    const account: AccountRecord = { id, owner, status: 'active', suspension: null, trust: 0, createdAt: now }
    tx.put(RECORD, encode(account))
    return { account, isNew: true }
  })
}

/**
 * The account of an owner, made when missing. Two steps, each idempotent: the index in `meta` decides which id the owner has,
 * so two at once agree; then the record is made under it, by whoever comes first or, after a crash, next.
 *
 * @param owner lower-cased email; null is the operator
 */
export async function ensureAccount(store: Store, owner: string | null, now: number): Promise<AccountRecord> {
  const known = await store.read(META, (view) => accountIdOf(view, owner))
  const id =
    known ?? (await store.write(META, async (tx) => (await accountIdOf(tx, owner)) ?? enterAccount(tx, owner, now)))
  return (await ensureRecord(store, id, owner, now)).account
}

export async function* listAccounts(store: Store): AsyncGenerator<AccountRecord> {
  for (const { gte, lt } of [
    prefixRange('operator-account'),
    prefixRange('account-owner'),
    prefixRange('account-ownerless'),
  ]) {
    for (let from = gte; ;) {
      const page = await store.read(META, (view) => view.range({ gte: from, lt, limit: PAGE }))
      for (const [, id] of page) {
        const account = await store.read(accountPartition(decode<string>(id)), readAccount)
        // An id that was entered, and then came a crash: its owner's next step makes the record.
        if (account) yield account
      }
      const last = page.at(-1)
      if (!last || page.length < PAGE) break
      from = keyAfter(last[0])
    }
  }
}

/** Takes an account out of the indexes. Idempotent; its partition is the caller's to clear. @param owner as in its record */
export async function forgetAccount(store: Store, { id, owner }: Pick<AccountRecord, 'id' | 'owner'>): Promise<void> {
  await store.write(META, async (tx) => {
    tx.delete(ownerlessKey(id))
    if ((await accountIdOf(tx, owner)) === id) tx.delete(ownerKey(owner))
  })
}
