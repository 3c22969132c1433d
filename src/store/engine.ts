/** What a storage backend has to be: an ordered key-value store, partitioned by owner, with transactions over any partitions. */

export type Maybe<T> = T | Promise<T>

/** One change; `value: null` deletes. */
export interface Op {
  partition: string
  key: Uint8Array
  value: Uint8Array | null
}

export interface Range {
  gte: Uint8Array
  lt: Uint8Array
  limit: number
  reverse?: boolean
}

/** A partition as somebody read it. */
export interface Check {
  partition: string
  expect: bigint
}

/** Values of one moment. Never assume that an answer is synchronous: always `await`. */
export interface Reader {
  /** 0n for a partition without rows. */
  version(partition: string): Maybe<bigint>
  /** Values in the order of `keys`. */
  getMany(partition: string, keys: Uint8Array[]): Maybe<(Uint8Array | undefined)[]>
  /** Pairs with `gte <= key < lt` in ascending byte order (descending with `reverse`), at most `limit`. */
  range(partition: string, r: Range): Maybe<[Uint8Array, Uint8Array][]>
}

export interface Engine {
  /** Whether what a reader sees is one moment of the whole store; of each partition alone otherwise. */
  readonly wholeStore: boolean
  /** Runs `fn` over one moment. Whatever the moment needs is held until `fn` has ended, so it should not wait for anything else. */
  read<T>(fn: (reader: Reader) => Maybe<T>): Promise<T>
  /** Names of partitions that have rows, in byte order, from the one after `after` on ('' for the first); at most `limit`. For looking at everything there is. */
  partitions(after: string, limit: number): Maybe<string[]>
  /**
   * Applies all `ops`, or none: none when a checked partition is no longer at its version. Each partition that is written moves to a version which
   * no partition ever had, checked or not; one whose last row goes is at 0n and leaves nothing behind.
   *
   * @param mark names the commit, for `fate`
   * @returns once it is durable, the versions to which the written partitions moved
   * @throws FateUnknownError when nobody can say whether it happened; any other error says that it did not
   */
  commit(checks: Check[], ops: Op[], mark: string): Promise<ReadonlyMap<string, bigint> | 'conflict'>
  /**
   * Whether the commit of that mark happened; after `false` it never will. Asked only after a `FateUnknownError`.
   *
   * @param partition one that it wrote
   */
  fate(partition: string, mark: string): Promise<boolean>
  /** Calls `fn` after commits have become durable. A hint that may be lost. Returns the function that ends it. */
  onCommit(fn: (partition: string, version: bigint) => void): () => void
  close(): Promise<void>
}
