/** The interface above every engine: reading, writing and waiting on one partition. */
import type { Readable } from 'node:stream'
import type { Maybe } from '../lib/maybe.js'
import type { CommitListener } from './commit-listeners.js'

export interface RangeOptions {
  gte: Uint8Array
  lt: Uint8Array
  /** Max pairs; 1,000 by default. */
  limit?: number
  reverse?: boolean
}

/** A snapshot of a partition. Results may be promises: always `await`. */
export interface View {
  get(key: Uint8Array): Maybe<Uint8Array | undefined>
  getMany(keys: Uint8Array[]): Maybe<(Uint8Array | undefined)[]>
  range(options: RangeOptions): Maybe<[Uint8Array, Uint8Array][]>
  version(): Maybe<bigint>
  /** Another partition in the same snapshot. In a transaction it must be one of those named at its start. */
  in(partition: string): View
}

/** Writes without reads. */
export interface Writes {
  put(key: Uint8Array, value: Uint8Array): void
  delete(key: Uint8Array): void
}

/** A view that sees its own writes; they are committed together, or not at all. */
export interface Transaction extends View, Writes {
  in(partition: string): Transaction
  /** Writes to any partition, named or not, without having read it: no waiting and no conflicts. For additions, such as tasks. */
  blind(partition: string): Writes
  /** Runs `fn` once the transaction is durable, before its caller gets the result. Not when it fails. `fn` must not throw. */
  afterCommit(fn: () => void): void
}

export interface Store {
  /** Runs `fn` over a snapshot of the partition, and of others by `View.in`. `fn` has no side effects, and waits for nothing but the view. */
  read<T>(partition: string, fn: (view: View) => Maybe<T>): Promise<T>
  /**
   * Runs `fn` over a snapshot that includes its own writes, and commits them. Writers of this process that name the same partition run one after the
   * other; after a conflict with another process `fn` runs again, so it has no side effects. If `fn` throws, nothing changes. Commits nothing when
   * nothing was written.
   *
   * @param partitions all that `fn` reads or, other than blindly, writes; it gets the first one, and the others by `Transaction.in`
   * @returns the result of `fn`, once its writes are durable
   */
  write<T>(partitions: string | readonly string[], fn: (tx: Transaction) => Maybe<T>): Promise<T>
  /** The current version, at once where the engine has it at once; 0n for a partition without rows. */
  version(partition: string): Maybe<bigint>
  /** The current versions of several, in their order. */
  versions(partitions: readonly string[]): Maybe<bigint[]>
  /** See `Engine.known`. */
  known(partition: string): bigint | undefined
  /** See `Engine.newest`. */
  newest(): bigint | undefined
  /** Names of partitions with rows, after `after` ('' for the first), in pages of at most `limit`. */
  partitions(after: string, limit: number): Promise<string[]>
  /**
   * Sleeps until the partition's version is past `after`, or the signal is aborted. A sleeper costs memory but no CPU.
   *
   * @returns the version at that moment (still `after` when the signal ended the wait)
   */
  wait(partition: string, after: bigint, signal: AbortSignal): Promise<bigint>
  /**
   * Calls `fn` for durable commits by partition; for workers that serve many partitions. Commits of other processes may be missing, except in
   * partitions that are followed. Returns a function that removes `fn`.
   */
  onCommit(fn: CommitListener): () => void
  /**
   * Has commits of other processes to these partitions reported to `onCommit` within a moment: also where the engine does not hear them, or a hint was
   * lost. Several commits are one call, with the last version; a partition that is new among them is reported once. So follow first, then read.
   *
   * @param partitions called several times a second, for the partitions of that moment
   * @returns a function that ends it
   */
  follow(partitions: () => Iterable<string>): () => void
  /** Resolves when the writes that are in progress now have ended, well or not. */
  settled(): Promise<void>
  close(): Promise<void>
}

/** Length and hash of a blob when it was written, for comparing on a read. */
export interface WrittenBlob {
  bytes: number
  /** Hexadecimal; undefined in older records. */
  sha256?: string | undefined
}

/** A blob as a listing shows it. */
export interface ListedBlob {
  owner: string
  id: string
  /** When this blob was put or linked, in milliseconds since the epoch; Infinity for one that is just gone. */
  changedAt: number
  /** When its bytes were written, where the place tells that from a later link. */
  writtenAt: number
}

/** A blob as it is stored, compared with nothing. The reader must read `content` to its end or destroy it. */
export interface StoredBlob {
  bytes: number
  content: Readable
}

/** Files beside the store for values too large for a commit. Each belongs to one owner, so that a sweep can query the owner's partition. */
export interface Blobs {
  /** Resolves once the blob is durable; afterwards a commit may reference it. */
  put(owner: string, id: string, data: Uint8Array): Promise<void>
  /** The same bytes under another owner: a hard link, or a copy made by the server. Durable when it resolves. */
  link(from: { owner: string; id: string }, to: { owner: string; id: string }): Promise<void>
  /**
   * The whole blob.
   *
   * @param wrote the expected length and hash
   * @throws DamagedBlobError when it differs from `wrote`
   * @throws Error when there is no such blob
   */
  get(owner: string, id: string, wrote?: WrittenBlob): Promise<Buffer>
  /**
   * The first octets of a blob, `max` at most: only its length is compared with what was written.
   *
   * @throws DamagedBlobError when its length differs from that of `wrote`
   * @throws Error when there is no such blob
   */
  head(owner: string, id: string, max: number, wrote?: Pick<WrittenBlob, 'bytes'>): Promise<Buffer>
  /**
   * The blob as a stream, whose first piece comes after the whole file was compared with `wrote`.
   *
   * @returns undefined when there is no such blob. The caller must read the stream to its end or destroy it
   * @throws DamagedBlobError when it differs from `wrote`
   */
  stream(owner: string, id: string, wrote?: WrittenBlob): Promise<Readable | undefined>
  /** The blob for a backup or a check; undefined when there is none. */
  read(owner: string, id: string): Promise<StoredBlob | undefined>
  /** Length of the blob, in bytes; undefined when there is none. */
  size(owner: string, id: string): Promise<number | undefined>
  /** All blobs. One that is put or deleted meanwhile may be missing. */
  list(): AsyncIterable<ListedBlob>
  /** Moves the file to the trash, which is emptied after 7 days. Idempotent. */
  delete(owner: string, id: string): Promise<void>
  /** Removes the blob for good, past the trash: for one that can be made again. Idempotent. */
  discard(owner: string, id: string): Promise<void>
  /** Removes expired files from the trash. @returns the number of files */
  emptyTrash(now: number): Promise<number>
  /** Keeps the trash until the returned function is called. For a backup, which may need files deleted meanwhile. */
  keepTrash(): () => void
  /** Number of files in the trash. */
  countTrash(): Promise<number>
  /** Finds blobs in the trash, all of them in one pass. @param wanted as `<owner>.<id>` @returns how to read each that is there */
  findInTrash(wanted: ReadonlySet<string>): Promise<Map<string, () => Promise<StoredBlob | undefined>>>
  /**
   * Moves orphans (unreferenced blobs older than an hour) to the trash, a tenth of all blobs at most, and removes files from the trash after 7 days.
   *
   * @param storeBornAt creation time of the store, in milliseconds since the epoch; undefined if unknown
   * @throws SweepStoppedError when most blobs are orphans, or some orphans are older than the store: then the store is wrong. Nothing was moved, and
   *   the trash is kept until a sweep completes
   */
  sweep(now: number, isReferenced: IsReferenced, storeBornAt?: number): Promise<Swept>
}

export type IsReferenced = (owner: string, id: string) => Promise<boolean>

export interface Swept {
  /** Blobs moved to the trash. */
  orphans: number
  /** Files removed from the trash. */
  removed: number
  /** Orphans left for the next sweep; missing for none. */
  left?: number
}
