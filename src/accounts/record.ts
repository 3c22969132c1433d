/** The record of an account, the index by owner's email, and the list of all accounts. */
import { ServiceError } from '../lib/errors.js'
import { newId } from '../lib/ids.js'
import { createRowMemory, frozen } from '../store/row-memory.js'
import { decode, encode, key, prefixRange } from '../store/keys.js'
import type { Store, Transaction, View } from '../store/types.js'
import { readValue } from '../store/values.js'
import { pagesOf } from '../store/pages.js'
import type { AccountRecord, Entering } from './types.js'

/*
 * Each account has one of these rows in `meta`, with its id as the value: `operator-account`, `account-owner` · email, or `account-ownerless` · id.
 */
const RECORD = key('account')
export const META = 'meta'
const OPERATOR = key('operator-account')

export const accountPartition = (accountId: string): string => `account/${accountId}`
export const ownerKey = (owner: string | null): Uint8Array => (owner === null ? OPERATOR : key('account-owner', owner))
export const ownerlessKey = (accountId: string): Uint8Array => key('account-ownerless', accountId)

export async function readAccount(view: View): Promise<AccountRecord | undefined> {
  const row = await view.get(RECORD)
  return row && accountIn(row)
}

/** Max memory for decoded records of accounts. */
const MEMORY_BYTES = 8 * 1024 * 1024
const accountIn = createRowMemory((row) => frozen(consistent(decode<Stored>(row))), MEMORY_BYTES)

/** Records from before suspensions lack them. */
type Stored = Omit<AccountRecord, 'suspension'> & Partial<Pick<AccountRecord, 'suspension'>>

/** Cancelling a deletion restores the earlier status, but the suspension may have begun or ended since. */
function consistent({ suspension, ...account }: Stored): AccountRecord {
  if (suspension === undefined) return { ...account, suspension: null }
  if (account.status === 'deletion_pending') return { ...account, suspension }
  return { ...account, suspension, status: suspension ? 'suspended' : 'active' }
}

/** @throws Error when there is none: the caller has the id from a stored record */
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

export function noSuchAccount(): ServiceError {
  return new ServiceError('not_found', 'There is no such account.', 'List accounts with `restante account list`.')
}

/** Id of an owner's account, within a read or a transaction of `meta`. @param owner null is the operator */
export const accountIdOf = (view: View, owner: string | null): Promise<string | undefined> =>
  readValue(view, ownerKey(owner))

/** Indexes a new account within a transaction of `meta`. @param owner null is the operator, undefined is unknown */
export function enterAccount(tx: Transaction, id: string, owner: string | null | undefined): void {
  tx.put(owner === undefined ? ownerlessKey(id) : ownerKey(owner), encode(id))
}

/** Gives an ownerless account an owner, unless another account has that email. Within a transaction of `meta`. @returns true if it did */
export async function enterOwner(tx: Transaction, accountId: string, owner: string): Promise<boolean> {
  if (!(await tx.get(ownerlessKey(accountId))) || (await accountIdOf(tx, owner)) !== undefined) return false
  tx.delete(ownerlessKey(accountId))
  tx.put(ownerKey(owner), encode(accountId))
  return true
}

/** Creates the record of an indexed account. Within a transaction of the account. */
export async function ensureRecord(
  tx: Transaction,
  id: string,
  owner: string | null,
  now: number,
): Promise<{ account: AccountRecord; isNew: boolean }> {
  const first = await readAccount(tx)
  if (first) return { account: first, isNew: false }
  const account: AccountRecord = { id, owner, status: 'active', suspension: null, trust: 0, createdAt: now }
  putAccount(tx, account)
  return { account, isNew: true }
}

/**
 * @param owner lower-cased email; null is the operator
 * @param isSure true to read the index in the transaction, which conflicts with all others that create accounts
 */
export async function enterOwned(store: Store, owner: string | null, now: number, isSure: boolean): Promise<Entering> {
  const known = await store.read(META, (view) => accountIdOf(view, owner))
  const id = known ?? newId('acc', now)
  const asks = isSure || known === undefined
  return {
    id,
    partitions: asks ? [accountPartition(id), META] : [accountPartition(id)],
    async enter(tx) {
      const own = tx.in(accountPartition(id))
      const account = await readAccount(own)
      if (account) return account
      if (!asks || (await accountIdOf(tx.in(META), owner)) !== known) return undefined
      if (known === undefined) enterAccount(tx.in(META), id, owner)
      return (await ensureRecord(own, id, owner, now)).account
    },
  }
}

/** The account of an owner, created when missing. @param owner lower-cased email; null is the operator */
export async function ensureAccount(store: Store, owner: string | null, now: number): Promise<AccountRecord> {
  for (let isSure = false; ; isSure = true) {
    const { partitions, enter } = await enterOwned(store, owner, now, isSure)
    const account = await store.write(partitions, enter)
    if (account) return account
  }
}

export async function* listAccounts(store: Store): AsyncGenerator<AccountRecord> {
  for (const index of ['operator-account', 'account-owner', 'account-ownerless']) {
    for await (const page of pagesOf(store, META, prefixRange(index))) {
      for (const [, id] of page) {
        const account = await store.read(accountPartition(decode<string>(id)), readAccount)
        // Deleted since the page was read.
        if (account) yield account
      }
    }
  }
}

/** Removes an account from the indexes, within a transaction of `meta`. Idempotent; the caller clears its partition. @param owner as in its record */
export async function forgetAccount(
  tx: Transaction,
  { id, owner }: Pick<AccountRecord, 'id' | 'owner'>,
): Promise<void> {
  tx.delete(ownerlessKey(id))
  if ((await accountIdOf(tx, owner)) === id) tx.delete(ownerKey(owner))
}
