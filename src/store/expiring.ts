/**
 * Records that expire: sessions, tokens, links, one-time marks. Each has its own partition; a list ordered by expiry lets a sweep find expired
 * records without reading the others.
 */
import { decode, encode, key, keyParts, prefixRange } from './keys.js'
import type { Store, Transaction, View } from './types.js'

export const EXPIRING_PARTITION = 'expiring'
const RECORD = key('record')
const SWEPT_AT_ONCE = 500

interface Entry<T> {
  record: T
  endsAt: number
}

const partitionOf = (kind: string, name: string): string => `token/${kind}/${name}`
export const endsKey = (endsAt: number, kind: string, name: string): Uint8Array => key('ends', endsAt, kind, name)

/** @param kind such as `session`; its records are in partitions `token/<kind>/<name>`. Names have at most 128 characters, such as a hash */
export function createExpiring<T>(store: Store, kind: string) {
  const enter = (tx: Transaction, name: string, record: T, endsAt: number): void => {
    tx.blind(partitionOf(kind, name)).put(RECORD, encode({ record, endsAt } satisfies Entry<T>))
    tx.blind(EXPIRING_PARTITION).put(endsKey(endsAt, kind, name), encode(1))
  }

  const readIn = async (view: View, name: string): Promise<Entry<T> | undefined> => {
    const bytes = await view.in(partitionOf(kind, name)).get(RECORD)
    return bytes && decode<Entry<T>>(bytes)
  }
  const read = (name: string): Promise<Entry<T> | undefined> =>
    store.read(partitionOf(kind, name), (view) => readIn(view, name))
  const unexpired = (entry: Entry<T> | undefined, now: number): T | undefined =>
    entry && entry.endsAt > now ? entry.record : undefined

  return {
    /** Stores a record. Idempotent; the same name replaces it. */
    put: (name: string, record: T, endsAt: number): Promise<void> =>
      store.write(partitionOf(kind, name), (tx) => enter(tx, name, record, endsAt)),
    /** `put` within a transaction, whether or not a record exists. */
    enter,
    /** Stores a record unless an unexpired one exists. @returns true if it was stored */
    putNew: (name: string, record: T, endsAt: number, now: number): Promise<boolean> =>
      store.write(partitionOf(kind, name), async (tx) => {
        const bytes = await tx.get(RECORD)
        if (bytes && decode<Entry<T>>(bytes).endsAt > now) return false
        enter(tx, name, record, endsAt)
        return true
      }),
    /** Changes a record in one transaction. @param next gets the unexpired one; undefined changes nothing */
    change: (name: string, now: number, next: (before: T | undefined) => Entry<T> | undefined): Promise<void> =>
      store.write(partitionOf(kind, name), async (tx) => {
        const bytes = await tx.get(RECORD)
        const before = bytes && decode<Entry<T>>(bytes)
        const after = next(before && before.endsAt > now ? before.record : undefined)
        if (after) enter(tx, name, after.record, after.endsAt)
      }),
    /** Undefined when missing or expired. */
    get: async (name: string, now: number): Promise<T | undefined> => unexpired(await read(name), now),
    /** `get` within a read. */
    getIn: async (view: View, name: string, now: number): Promise<T | undefined> =>
      unexpired(await readIn(view, name), now),
    /** Removes a record early. Idempotent. */
    async remove(name: string): Promise<void> {
      if (!(await read(name))) return
      await store.write(partitionOf(kind, name), (tx) => tx.delete(RECORD))
    },
  }
}

export type Expiring<T> = ReturnType<typeof createExpiring<T>>

/**
 * Removes expired records of every kind, a bounded number at a time.
 *
 * @param onEnd called before a record is removed, to remove what depends on it; called again if that fails
 * @returns the number of entries read; 0 when none is left
 */
export async function sweepExpired(
  store: Store,
  now: number,
  onEnd?: (kind: string, record: unknown) => Promise<void>,
): Promise<number> {
  const { gte } = prefixRange('ends')
  const due = await store.read(EXPIRING_PARTITION, (view) =>
    view.range({ gte, lt: key('ends', now + 1), limit: SWEPT_AT_ONCE }),
  )
  if (due.length === 0) return 0
  for (const [entry] of due) {
    const [, , kind, name] = keyParts(entry).map(String)
    const partition = partitionOf(kind ?? '', name ?? '')
    const found = await store.read(partition, (view) => view.get(RECORD))
    // A renewed record ends later, and has another entry for that.
    if (!found || decode<Entry<unknown>>(found).endsAt > now) continue
    await onEnd?.(kind ?? '', decode<Entry<unknown>>(found).record)
    await store.write(partition, async (tx) => {
      const bytes = await tx.get(RECORD)
      if (bytes && decode<Entry<unknown>>(bytes).endsAt <= now) tx.delete(RECORD)
    })
  }
  await store.write(EXPIRING_PARTITION, (tx) => due.forEach(([entry]) => tx.delete(entry)))
  return due.length
}

/** Number of entries of every kind, up to `limit`; some may have been removed early. */
export async function countExpiring(store: Store, limit: number): Promise<number> {
  return (await store.read(EXPIRING_PARTITION, (view) => view.range({ ...prefixRange('ends'), limit }))).length
}
