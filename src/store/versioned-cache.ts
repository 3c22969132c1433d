/**
 * What was made of a partition, kept until the partition changes. Whether it changed is seen by its version, which is read at each asking, so
 * that nothing old is given after a commit, whoever made it.
 */
import type { Store } from './types.js'

export interface RememberedOptions<T> {
  store: Pick<Store, 'version' | 'onCommit'>
  /** Of everything together. */
  maxBytes: number
  /** What is larger is not kept. */
  maxBytesEach: number
  bytesOf: (value: T) => number
}

/**
 * Gives what is kept under this name for the partition as it is now, or has it made.
 *
 * @param make reads nothing that changes but this partition. What it throws is thrown, and not kept
 */
export type Remember<T> = (partition: string, name: string, make: () => Promise<T>) => Promise<T>

interface Remembered<T> {
  version: bigint
  values: Map<string, T>
  bytes: number
}

/** A guess at what a name, a value and their places in the maps take beside their own bytes. */
const BYTES_BESIDE = 256

export interface Memory<T> {
  remember: Remember<T>
  /** Of all that is kept. */
  bytes(): number
}

/** When there is no room left, what was not asked about for the longest time goes, a partition at a time. */
export function createMemory<T>({ store, maxBytes, maxBytesEach, bytesOf }: RememberedOptions<T>): Memory<T> {
  // The one that was asked about last stands last.
  const partitions = new Map<string, Remembered<T>>()
  let bytes = 0

  const forget = (partition: string): void => {
    bytes -= partitions.get(partition)?.bytes ?? 0
    partitions.delete(partition)
  }

  // Only for the room it takes: an old version is never given.
  store.onCommit(forget)

  function keep(partition: string, version: bigint, name: string, value: T): void {
    const own = bytesOf(value) + 2 * name.length + BYTES_BESIDE
    if (own > maxBytesEach) return
    if (partitions.get(partition)?.version !== version) forget(partition)
    const kept = partitions.get(partition) ?? { version, values: new Map<string, T>(), bytes: 0 }
    // Somebody else may have asked the same meanwhile.
    if (kept.values.has(name)) return
    kept.values.set(name, value)
    kept.bytes += own
    bytes += own
    partitions.delete(partition)
    partitions.set(partition, kept)
    // Nobody's reading pushes out what all others have.
    if (kept.bytes > maxBytes / 4) forget(partition)
    for (const oldest of partitions.keys()) {
      if (bytes <= maxBytes) break
      forget(oldest)
    }
  }

  return {
    bytes: () => bytes,
    async remember(partition, name, make) {
      const version = await store.version(partition)
      const kept = partitions.get(partition)
      const known = kept?.version === version ? kept.values.get(name) : undefined
      if (kept && known !== undefined) {
        partitions.delete(partition)
        partitions.set(partition, kept)
        return known
      }
      const value = await make()
      // What was made of two versions is neither; and 0 is the version of every partition that is not there.
      if (version !== 0n && (await store.version(partition)) === version) keep(partition, version, name, value)
      return value
    },
  }
}
