/**
 * What ends at a time of its own: sessions, tokens, links, one-time marks. Each is a record in a partition of its own; beside it stands an entry in
 * one list, ordered by when it ends, by which a sweep finds what has ended without looking at what has not.
 */
import { decode, encode, key, keyParts, prefixRange } from './keys.js'
import type { Store, Transaction } from './types.js'

export const EXPIRING_PARTITION = 'expiring'
const RECORD = key('record')
const SWEPT_AT_ONCE = 500

/** A sort of things that end, such as `session`; its records are in partitions `token/<kind>/<name>`. */
export interface Expiring<T> {
  /** Enters a record. Idempotent; the same name again replaces it. @param name at most 128 characters, such as a hash */
  put(name: string, record: T, endsAt: number): Promise<void>
  /** The same within a transaction, whatever stood there. */
  enter(tx: Transaction, name: string, record: T, endsAt: number): void
  /** Enters a record unless there is one that has not ended. @returns whether it did */
  putNew(name: string, record: T, endsAt: number, now: number): Promise<boolean>
  /** Undefined when there is none, or it has ended. */
  get(name: string, now: number): Promise<T | undefined>
  /** Ends a record before its time. Idempotent. */
  remove(name: string): Promise<void>
}

interface Entry<T> {
  record: T
  endsAt: number
}

const partitionOf = (kind: string, name: string): string => `token/${kind}/${name}`
export const endsKey = (endsAt: number, kind: string, name: string): Uint8Array => key('ends', endsAt, kind, name)

export function createExpiring<T>(store: Store, kind: string): Expiring<T> {
  const enter = (tx: Transaction, name: string, record: T, endsAt: number): void => {
    tx.blind(partitionOf(kind, name)).put(RECORD, encode({ record, endsAt } satisfies Entry<T>))
    tx.blind(EXPIRING_PARTITION).put(endsKey(endsAt, kind, name), encode(1))
  }

  const read = async (name: string): Promise<Entry<T> | undefined> => {
    const bytes = await store.read(partitionOf(kind, name), (view) => view.get(RECORD))
    return bytes && decode<Entry<T>>(bytes)
  }

  return {
    put: (name, record, endsAt) => store.write(partitionOf(kind, name), (tx) => enter(tx, name, record, endsAt)),
    enter,

    putNew: (name, record, endsAt, now) =>
      store.write(partitionOf(kind, name), async (tx) => {
        const bytes = await tx.get(RECORD)
        if (bytes && decode<Entry<T>>(bytes).endsAt > now) return false
        enter(tx, name, record, endsAt)
        return true
      }),

    async get(name, now) {
      const entry = await read(name)
      return entry && entry.endsAt > now ? entry.record : undefined
    },

    async remove(name) {
      if (!(await read(name))) return
      await store.write(partitionOf(kind, name), (tx) => tx.delete(RECORD))
    },
  }
}

/**
 * Removes records of every kind that have ended, a bounded number at a time.
 *
 * @param onEnd told before a record goes, and again should that fail: what else has to go with it
 * @returns how many entries it went through; 0 when none is left
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
    // One that was entered again since ends later, and has another entry for that.
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

/** Entries of every kind, counted up to `limit`; some may have ended before their time. */
export async function countExpiring(store: Store, limit: number): Promise<number> {
  return (await store.read(EXPIRING_PARTITION, (view) => view.range({ ...prefixRange('ends'), limit }))).length
}
