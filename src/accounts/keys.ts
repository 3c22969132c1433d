/** API keys: 32 random bytes, of which only the SHA-256 is kept, as the name of the partition that tells whose key it is. */
import type { Clock } from '../lib/clock.js'
import { HOUR } from '../lib/clock.js'
import { newId, randomBase62, sha256Hex } from '../lib/ids.js'
import { decode, encode, key } from '../store/keys.js'
import { isStorageError } from '../store/errors.js'
import type { Store, Transaction, View } from '../store/types.js'
import { SCOPES } from './types.js'
import type { Scope } from './types.js'

export interface KeyRecord {
  keyId: string
  mailboxId: string
  createdAt: number
  /** Missing from keys that were made before they had names. */
  name?: string
  /** Missing: all, as with the key of a claim. */
  scopes?: Scope[]
  /** When it stops to work; missing: never. */
  expiresAt?: number
}

/** What is stored of a key. */
export interface StoredKey {
  record: KeyRecord
  /** SHA-256 of its text. */
  hash: string
  usedAt: number | null
}

const RECORD = key('key')
/** Beside the record, so that noting a use can't bring back what was revoked. */
const USED = key('used')
const FORM = /^rst_(?:pending_)?[0-9A-Za-z]{43}$/

/** Where a key stands, by the hash of its text. */
export const keyPartition = (hash: string): string => `key/${hash}`

/** The text of a new key. A key made by a claim says so in its prefix, and keeps its text when the mailbox is approved. */
export function newKeyText(kind: 'pending' | 'further'): string {
  return (kind === 'pending' ? 'rst_pending_' : 'rst_') + randomBase62(32)
}

/** The record of a new key, with its text and the hash under which it is to be stored. */
export function newKey(
  mailboxId: string,
  wanted: Required<Pick<KeyRecord, 'name' | 'scopes'>> & { id?: string | undefined; expiresAt?: number | undefined },
  now: number,
): { record: KeyRecord; text: string; hash: string } {
  const { id = newId('key', now), name, scopes, expiresAt } = wanted
  const text = newKeyText('further')
  const record: KeyRecord = {
    keyId: id,
    mailboxId,
    createdAt: now,
    name,
    scopes,
    ...(expiresAt !== undefined && { expiresAt }),
  }
  return { record, text, hash: sha256Hex(text) }
}

export function isExpired({ expiresAt }: KeyRecord, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now
}

/**
 * Under which a key is looked up; undefined for what can't be the text of one. A look-up by hash needs no comparison in constant time: what time can
 * leak is how a guess's hash compares with stored hashes, and a hash can't be steered towards a stored one without the key itself.
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

/** Notes that a key is in use, at most once an hour. */
export async function noteUse(store: Store, clock: Clock, { hash, usedAt }: StoredKey): Promise<void> {
  const now = clock.now()
  if (usedAt !== null && now < usedAt + HOUR) return
  try {
    await store.write(keyPartition(hash), async (tx) => {
      const [record, used] = await tx.getMany([RECORD, USED])
      if (record && (!used || now >= decode<number>(used) + HOUR)) tx.put(USED, encode(now))
    })
  } catch (error) {
    // A full disk is no reason to refuse what only reads.
    if (!isStorageError(error)) throw error
  }
}

/** Makes a key known by its hash. Idempotent. */
export async function putKey(store: Store, hash: string, record: KeyRecord): Promise<void> {
  await store.write(keyPartition(hash), (tx) => enterKey(tx, hash, record))
}

/** The same within a transaction, of a key that is new. */
export function enterKey(tx: Transaction, hash: string, record: KeyRecord): void {
  tx.blind(keyPartition(hash)).put(RECORD, encode(record))
}

/** Gives a key another record within a transaction of the key, which has read it. */
export function renameKey(tx: Transaction, record: KeyRecord): void {
  tx.put(RECORD, encode(record))
}

/** Ends a key. Idempotent. @returns whether it was there */
export async function removeKey(store: Store, hash: string): Promise<boolean> {
  return store.write(keyPartition(hash), async (tx) => {
    const there = (await tx.get(RECORD)) !== undefined
    if (there) dropKey(tx)
    return there
  })
}

/** The same within a transaction of the key. */
export function dropKey(tx: Transaction): void {
  tx.delete(RECORD)
  tx.delete(USED)
}

export function scopesOf({ scopes }: KeyRecord): Scope[] {
  return scopes ?? [...SCOPES]
}
