/** The interface of a storage backend: an ordered key-value store, partitioned by owner, with transactions over any partitions. */
import type { Maybe } from '../lib/maybe.js'
import type { CommitListener } from './commit-listeners.js'

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

/** The version of a partition that a transaction read. */
export interface Check {
  partition: string
  expect: bigint
}

/** Asks of the rows of one partition. */
export interface Ask {
  partition: string
  keys: Uint8Array[]
  ranges: Range[]
}

/** The answer to an `Ask`, in the order of its keys and ranges. */
export interface Answered {
  values: (Uint8Array | undefined)[]
  ranges: [Uint8Array, Uint8Array][][]
}

/** A snapshot. Results may be promises: always `await`. */
export interface Reader {
  /** 0n for a partition without rows. */
  version(partition: string): Maybe<bigint>
  /** Those of several, in their order. */
  versions(partitions: readonly string[]): Maybe<bigint[]>
  /** Values in the order of `keys`. */
  getMany(partition: string, keys: Uint8Array[]): Maybe<(Uint8Array | undefined)[]>
  /** Pairs with `gte <= key < lt` in ascending byte order (descending with `reverse`), at most `limit`. */
  range(partition: string, r: Range): Maybe<[Uint8Array, Uint8Array][]>
  /** Names of partitions with rows, in byte order, after `after` ('' for the first); at most `limit`. For reading the whole store. */
  partitions(after: string, limit: number): Maybe<string[]>
}

/**
 * What `onCommit` reports of the commits of other processes. `alone`: there are none. `unheard`: nothing, so versions have to be polled. `heard`: all of
 * them since a moment of `performance.now()`; those before may be missing.
 */
export type Hearing = { state: 'alone'; sinceMs: number } | { state: 'unheard' } | { state: 'heard'; sinceMs: number }

export interface Engine {
  /** True if a snapshot covers the whole store; otherwise each partition has its own. */
  readonly wholeStore: boolean
  /** Runs `fn` over a snapshot. The snapshot's resources are held until `fn` ends, so it should not wait for anything else. */
  read<T>(fn: (reader: Reader) => Maybe<T>): Promise<T>
  /**
   * Like `read`, but what `fn` returns or throws counts only after a commit that checks what it read: it may see rows that are not the newest, or of
   * several moments. Missing where that is no faster.
   */
  attempt?<T>(fn: (reader: Reader) => Maybe<T>): Promise<T>
  /**
   * What `read` finds when all that it will ask for is known beforehand: versions and rows, of one moment and in the order of the arguments. Missing
   * where that is no faster.
   */
  look?(partitions: readonly string[], asks: readonly Ask[]): Promise<{ versions: bigint[]; answers: Answered[] }>
  /** The current versions of partitions, in their order; 0n for one without rows. */
  versions(partitions: readonly string[]): Maybe<bigint[]>
  /** The version of the rows of a partition that are kept in memory, if any: once the current one. Missing where none are kept. */
  known?(partition: string): bigint | undefined
  /**
   * The newest version that any partition was given, by whatever process; undefined if the engine does not have it at once. While it stays, so does
   * every partition.
   */
  newest(): bigint | undefined
  /**
   * Applies all `ops`, or none: none when a checked partition has changed its version. Each written partition gets a version that no partition ever
   * had, checked or not; one without rows left gets 0n and leaves nothing behind.
   *
   * @param mark identifies the commit, for `fate`
   * @returns the new versions of the written partitions, once durable
   * @throws FateUnknownError when it is unknown if the commit happened; after any other error it did not
   */
  commit(checks: Check[], ops: Op[], mark: string): Promise<ReadonlyMap<string, bigint> | 'conflict'>
  /**
   * Reports whether the commit with that mark happened; after `false` it never will. Called only after a `FateUnknownError`.
   *
   * @param partition one that it wrote
   */
  fate(partition: string, mark: string): Promise<boolean>
  /**
   * Calls `fn` after commits have become durable: those of this process, once `commit` has their answer, and those of others as `hears` says. A hint that
   * may be lost. Returns a function that removes `fn`.
   */
  onCommit(fn: CommitListener): () => void
  /** Missing where no other process ever commits. */
  hears?(): Hearing
  close(): Promise<void>
}
