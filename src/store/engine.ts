/** What a storage backend has to be: an ordered key-value store, partitioned by owner, with one version-checked commit a partition. */

export type Maybe<T> = T | Promise<T>

/** One change; `value: null` deletes. */
export type Op = { key: Uint8Array; value: Uint8Array | null }

export interface Range {
  gte: Uint8Array
  lt: Uint8Array
  limit: number
  reverse?: boolean
}

export interface Engine {
  /** Grows with each commit and never repeats; 0n for a partition without rows, which leaves nothing behind when its last row goes. */
  version(partition: string): Maybe<bigint>
  /** Values in the order of `keys`. */
  getMany(partition: string, keys: Uint8Array[]): Maybe<(Uint8Array | undefined)[]>
  /** Pairs with `gte <= key < lt` in ascending byte order (descending with `reverse`), at most `limit`. */
  range(partition: string, r: Range): Maybe<[Uint8Array, Uint8Array][]>
  /** Names of partitions that have rows, in byte order, from the one after `after` on ('' for the first); at most `limit`. For looking at everything there is. */
  partitions(after: string, limit: number): Maybe<string[]>
  /**
   * Applies all `ops` and moves the version on (from `expect` to `expect + 1n` while there are rows), or does nothing.
   *
   * @returns true once it is durable; false when the version was not `expect`: someone else was first
   */
  commit(partition: string, expect: bigint, ops: Op[]): Promise<boolean>
  /** Calls `fn` after commits have become durable. A hint that may be lost. Returns the function that ends it. */
  onCommit(fn: (partition: string, version: bigint) => void): () => void
  close(): Promise<void>
}
