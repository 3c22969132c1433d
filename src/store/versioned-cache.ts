/**
 * Values derived from a partition, cached until it changes. The version is read on each call, so that no value is stale after a commit, whoever made
 * it. A value belongs to the version that was known before it was computed: if the partition changed meanwhile, that is never the current version again.
 */
import { after, type Maybe } from '../lib/maybe.js'
import type { Store } from './types.js'

export interface RememberedOptions<T> {
  store: Pick<Store, 'version' | 'known' | 'newest' | 'onCommit'>
  /** Max size of all values. */
  maxBytes: number
  /** Larger values are not cached. */
  maxBytesEach: number
  bytesOf: (value: T) => number
}

/**
 * Returns the cached value of this name for the partition's current version, at once, or computes it.
 *
 * @param make must read nothing that changes except this partition. Errors are thrown, and not cached
 */
export type Remember<T> = (partition: string, name: string, make: () => Maybe<T>) => Maybe<T>

interface Remembered<T> {
  version: bigint
  /** The newest version of the store when this was last found to be the partition's. */
  foundAt: bigint | undefined
  values: Map<string, T>
  bytes: number
}

/** Estimated overhead of a name, a value and their map entries. */
const BYTES_BESIDE = 256

/** When it is full, the least recently used partition is dropped. */
export function createMemory<T>({ store, maxBytes, maxBytesEach, bytesOf }: RememberedOptions<T>) {
  // The most recently used one is last.
  const partitions = new Map<string, Remembered<T>>()
  let bytes = 0

  const forget = (partition: string): void => {
    bytes -= partitions.get(partition)?.bytes ?? 0
    partitions.delete(partition)
  }

  // Only frees space: an old version is never returned.
  store.onCommit(forget)

  function keep(partition: string, version: bigint, name: string, value: T): void {
    const own = bytesOf(value) + 2 * name.length + BYTES_BESIDE
    const before = partitions.get(partition)?.version
    if (own > maxBytesEach || (before !== undefined && before > version)) return
    if (before !== version) forget(partition)
    const kept = partitions.get(partition) ?? { version, foundAt: undefined, values: new Map<string, T>(), bytes: 0 }
    // Another caller may have requested the same meanwhile.
    if (kept.values.has(name)) return
    kept.values.set(name, value)
    kept.bytes += own
    bytes += own
    partitions.delete(partition)
    partitions.set(partition, kept)
    // One caller must not evict what all others have.
    if (kept.bytes > maxBytes / 4) forget(partition)
    for (const oldest of partitions.keys()) {
      if (bytes <= maxBytes) break
      forget(oldest)
    }
  }

  /** One read where nothing was committed since the last time. */
  function currentVersion(partition: string): Maybe<bigint> {
    const kept = partitions.get(partition)
    if (!kept) return store.version(partition)
    // In this order: a commit between the two is seen the next time.
    const newest = store.newest()
    if (newest !== undefined && newest === kept.foundAt) return kept.version
    return after(store.version(partition), (version) => {
      if (version === kept.version) kept.foundAt = newest
      return version
    })
  }

  async function fresh(partition: string, version: bigint, name: string, make: () => Maybe<T>): Promise<T> {
    const value = await make()
    // 0 is the version of every missing partition.
    if (version !== 0n) keep(partition, version, name, value)
    return value
  }

  return {
    /** Size of the cache. */
    bytes: () => bytes,
    remember(partition: string, name: string, make: () => Maybe<T>): Maybe<T> {
      const rows = store.known(partition)
      // The values are older than its rows: that needs no asking.
      if (rows !== undefined && rows > (partitions.get(partition)?.version ?? 0n))
        return fresh(partition, rows, name, make)
      return after(currentVersion(partition), (version) => {
        const kept = partitions.get(partition)
        const known = kept?.version === version ? kept.values.get(name) : undefined
        if (kept && known !== undefined) {
          partitions.delete(partition)
          partitions.set(partition, kept)
          return known
        }
        return fresh(partition, version, name, make)
      })
    },
  }
}
