/** API keys: 32 random bytes. Only the SHA-256 is stored, as the name of the partition with the key's record. */
import { type Clock, HOUR } from '../lib/clock.js'
import { newId, randomBase62, sha256Hex } from '../lib/ids.js'
import { decode, encode, key } from '../store/keys.js'
import { isStorageError } from '../store/errors.js'
import type { Store, Transaction, View } from '../store/types.js'
import { AGENT_SCOPES, type Scope } from './types.js'

export interface KeyRecord {
  keyId: string
  mailboxId: string
  createdAt: number
  /** Missing in keys from before keys had names. */
  name?: string
  /** Missing: all scopes of an agent, as for the key of a claim. */
  scopes?: Scope[]
  /** Expiry; missing: never. */
  expiresAt?: number
  /** Its sends wait for the human's approval. */
  requiresApproval?: true
}

export interface StoredKey {
  record: KeyRecord
  /** SHA-256 of its text. */
  hash: string
  usedAt: number | null
}

const RECORD = key('key')
/** Separate from the record, so that recording a use cannot restore a revoked key. */
const USED = key('used')
const FORM = /^rst_(?:pending_)?[0-9A-Za-z]{43}$/

export const keyPartition = (hash: string): string => `key/${hash}`

/** The text of a new key. The prefix marks a key created by a claim, which keeps its text after the approval. */
export function newKeyText(kind: 'pending' | 'further'): string {
  return (kind === 'pending' ? 'rst_pending_' : 'rst_') + randomBase62(32)
}

export function newKey(
  mailboxId: string,
  wanted: Required<Pick<KeyRecord, 'name' | 'scopes'>> & {
    id?: string | undefined
    expiresAt?: number | undefined
    requiresApproval?: boolean | undefined
  },
  now: number,
): { record: KeyRecord; text: string; hash: string } {
  const { id = newId('key', now), name, scopes, expiresAt, requiresApproval } = wanted
  const text = newKeyText('further')
  const record: KeyRecord = {
    keyId: id,
    mailboxId,
    createdAt: now,
    name,
    scopes,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(requiresApproval && { requiresApproval }),
  }
  return { record, text, hash: sha256Hex(text) }
}

export function isExpired({ expiresAt }: KeyRecord, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now
}

/**
 * The hash by which a key is looked up; undefined for text that can't be a key. A look-up by hash needs no comparison in constant time: timing can
 * leak how a guess's hash compares with stored hashes, and a hash can't be steered towards a stored one without the key itself.
 */
export function keyHash(bearer: string): string | undefined {
  return FORM.test(bearer) ? sha256Hex(bearer) : undefined
}

export async function readKey(store: Store, hash: string): Promise<StoredKey | undefined> {
  return store.read(keyPartition(hash), (view) => keyOf(view, hash))
}

/** The same within a read or a transaction of the key. */
export async function keyOf(view: View, hash: string): Promise<StoredKey | undefined> {
  const [record, used] = await view.getMany([RECORD, USED])
  return record && { record: decode<KeyRecord>(record), hash, usedAt: used ? decode<number>(used) : null }
}

/** Records that a key is in use, at most once an hour. */
export async function noteUse(store: Store, clock: Clock, { hash, usedAt }: StoredKey): Promise<void> {
  const now = clock.now()
  if (usedAt !== null && now < usedAt + HOUR) return
  try {
    await store.write(keyPartition(hash), async (tx) => {
      const [record, used] = await tx.getMany([RECORD, USED])
      if (record && (!used || now >= decode<number>(used) + HOUR)) tx.put(USED, encode(now))
    })
  } catch (error) {
    // A full disk is no reason to refuse a read-only request.
    if (!isStorageError(error)) throw error
  }
}

export async function putKey(store: Store, hash: string, record: KeyRecord): Promise<void> {
  await store.write(keyPartition(hash), (tx) => enterKey(tx, hash, record))
}

/** The same for a new key, within a transaction. */
export function enterKey(tx: Transaction, hash: string, record: KeyRecord): void {
  tx.blind(keyPartition(hash)).put(RECORD, encode(record))
}

/** Replaces the record of a key within a transaction that has read it. */
export function replaceKey(tx: Transaction, record: KeyRecord): void {
  tx.put(RECORD, encode(record))
}

/** Removes a key. Idempotent. @returns true if it existed */
export async function removeKey(store: Store, hash: string): Promise<boolean> {
  return store.write(keyPartition(hash), async (tx) => {
    const there = (await tx.get(RECORD)) !== undefined
    if (there) dropKey(tx)
    return there
  })
}

export function dropKey(tx: Transaction): void {
  tx.delete(RECORD)
  tx.delete(USED)
}

export function scopesOf({ scopes }: KeyRecord): Scope[] {
  return scopes ?? [...AGENT_SCOPES]
}
