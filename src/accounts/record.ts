/** The record of an account, and how an owner's email leads to it. */
import { newId } from '../lib/ids.js'
import { decode, encode, key } from '../store/keys.js'
import type { Store, View } from '../store/types.js'
import type { AccountRecord } from './types.js'

const RECORD = key('account')

export const accountPartition = (accountId: string): string => `account/${accountId}`

export async function readAccount(view: View): Promise<AccountRecord | undefined> {
  const bytes = await view.get(RECORD)
  return bytes && decode<AccountRecord>(bytes)
}

/** @throws Error when there is none: whoever asks has the id from a record of ours */
export async function mustReadAccount(view: View, accountId: string): Promise<AccountRecord> {
  const account = await readAccount(view)
  if (!account) throw new Error(`account ${accountId} is missing`)
  return account
}

/**
 * The account of an owner, made when missing. Two steps, each idempotent: the index in `meta` decides which id the owner has,
 * so two at once agree; then the record is made under it, by whoever comes first or, after a crash, next.
 *
 * @param owner lower-cased email; null is the operator
 */
export async function ensureAccount(store: Store, owner: string | null, now: number): Promise<AccountRecord> {
  const index = owner === null ? key('operator-account') : key('account-owner', owner)
  const known = await store.read('meta', (view) => view.get(index))
  const id = known
    ? decode<string>(known)
    : await store.write('meta', async (tx) => {
        const first = await tx.get(index)
        if (first) return decode<string>(first)
        const made = newId('acc', now)
        tx.put(index, encode(made))
        return made
      })
  const existing = await store.read(accountPartition(id), readAccount)
  if (existing) return existing
  return store.write(accountPartition(id), async (tx) => {
    const first = await readAccount(tx)
    if (first) return first
    const account: AccountRecord = { id, owner, status: 'active', trust: 0, createdAt: now }
    tx.put(RECORD, encode(account))
    return account
  })
}
