/** API keys: 32 random bytes, of which only the SHA-256 is kept, as the name of the partition that tells whose key it is. */
import { randomBase62, sha256Hex } from '../lib/ids.js'
import { decode, encode, key } from '../store/keys.js'
import type { Store } from '../store/types.js'

export interface KeyRecord {
  keyId: string
  mailboxId: string
  createdAt: number
}

const RECORD = key('key')
const FORM = /^rst_(?:pending_)?[0-9A-Za-z]{43}$/

/** The text of a new key. A key made by a claim says so in its prefix, and keeps its text when the mailbox is approved. */
export function newKeyText(kind: 'pending' | 'further'): string {
  return (kind === 'pending' ? 'rst_pending_' : 'rst_') + randomBase62(32)
}

/**
 * Whose key this is; one read. A look-up by hash needs no comparison in constant time: what time can leak is how a
 * guess's hash compares with stored hashes, and a hash can't be steered towards a stored one without the key itself.
 */
export async function findKey(store: Store, bearer: string): Promise<KeyRecord | undefined> {
  if (!FORM.test(bearer)) return undefined
  const bytes = await store.read(`key/${sha256Hex(bearer)}`, (view) => view.get(RECORD))
  return bytes && decode<KeyRecord>(bytes)
}

/** Makes a key known by its hash. Idempotent. */
export async function putKey(store: Store, hash: string, record: KeyRecord): Promise<void> {
  await store.write(`key/${hash}`, (tx) => tx.put(RECORD, encode(record)))
}

/** Ends a key. Idempotent. */
export async function removeKey(store: Store, hash: string): Promise<void> {
  await store.write(`key/${hash}`, (tx) => tx.delete(RECORD))
}
