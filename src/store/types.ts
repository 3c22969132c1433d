/** What stands above every engine: reading, writing and waiting on one partition. */
import type { Readable } from 'node:stream'
import type { Maybe } from './engine.js'

export interface RangeOptions {
  gte: Uint8Array
  lt: Uint8Array
  /** At most so many pairs; 1,000 when not given. */
  limit?: number
  reverse?: boolean
}

/** A partition at one moment. Never assume that an answer is synchronous: always `await`. */
export interface View {
  get(key: Uint8Array): Maybe<Uint8Array | undefined>
  getMany(keys: Uint8Array[]): Maybe<(Uint8Array | undefined)[]>
  range(options: RangeOptions): Maybe<[Uint8Array, Uint8Array][]>
  version(): Maybe<bigint>
  /** Another partition at the same moment. In a transaction it has to be one that was named for it. */
  in(partition: string): View
}

/** Writes that look at nothing. */
export interface Writes {
  put(key: Uint8Array, value: Uint8Array): void
  delete(key: Uint8Array): void
}

/** A view that sees its own writes; they are committed together, or not at all. */
export interface Transaction extends View, Writes {
  in(partition: string): Transaction
  /**
   * Writes to any partition, named or not, without having read it: they wait for nobody and come into conflict with nobody. For what is only added,
   * such as a task.
   */
  blind(partition: string): Writes
  /** Runs `fn` once the transaction is durable, before its caller is told. Not when it fails. `fn` must not throw. */
  afterCommit(fn: () => void): void
}

export interface Store {
  /** Runs `fn` over one moment of the partition, and of others by `View.in`. No side effects in `fn`, and no waiting for anything but the view. */
  read<T>(partition: string, fn: (view: View) => Maybe<T>): Promise<T>
  /**
   * Runs `fn` over one moment with what it has written laid over it, and commits what it wrote. Writers of this process that name the same partition
   * come one after the other; where another process was faster `fn` runs again, so it has no side effects. A throw inside `fn`
   * leaves everything as it was. Commits nothing when nothing was written.
   *
   * @param partitions all that `fn` reads or, other than blindly, writes; it gets the first one, and the others by `Transaction.in`
   * @returns what `fn` returned, after its writes are durable
   */
  write<T>(partitions: string | readonly string[], fn: (tx: Transaction) => Maybe<T>): Promise<T>
  version(partition: string): Promise<bigint>
  /** Names of partitions that have rows, from the one after `after` on ('' for the first), in pages of at most `limit`. */
  partitions(after: string, limit: number): Promise<string[]>
  /**
   * Sleeps until the partition's version is past `after`, or the signal is aborted. Costs memory, no CPU, while it waits.
   *
   * @returns the version at that moment (it is still `after` when the signal ended the wait)
   */
  wait(partition: string, after: bigint, signal: AbortSignal): Promise<bigint>
  /** Tells of durable commits by name; used by workers that serve many partitions. Returns the function that ends it. */
  onCommit(fn: (partition: string, version: bigint) => void): () => void
  close(): Promise<void>
}

/** What a blob was when it was written, for whoever reads it. */
export interface WrittenBlob {
  bytes: number
  /** Hexadecimal; undefined where the record is older than these. */
  sha256?: string | undefined
}

/** Files beside the store for what is too large to ride in a commit. Each belongs to one owner, so that a sweep can ask its partition about it. */
export interface Blobs {
  /** Writes and fsyncs file and folder; after it resolves the blob may be referenced by a commit. */
  put(owner: string, id: string, data: Uint8Array): Promise<void>
  /** The same bytes under another owner, without a second copy on the disk (a hard link). */
  link(from: { owner: string; id: string }, to: { owner: string; id: string }): Promise<void>
  /**
   * All of it.
   *
   * @param wrote what it has to be: of another length, or with another hash, it is not handed out
   * @throws DamagedBlobError when it is something else than that
   * @throws Error when there is no such blob
   */
  get(owner: string, id: string, wrote?: WrittenBlob): Promise<Buffer>
  /**
   * The same in pieces, of which none is handed out before all of it was compared with `wrote`.
   *
   * @returns undefined when there is no such blob. Whoever asks has to read it to its end or destroy it
   * @throws DamagedBlobError when it is something else than `wrote`
   */
  stream(owner: string, id: string, wrote?: WrittenBlob): Promise<Readable | undefined>
  /** Moves the file to the trash, from where it is removed after 7 days. Deleting what is gone is no error. */
  delete(owner: string, id: string): Promise<void>
  /** Removes what has been in the trash for its time. @returns how many files */
  emptyTrash(now: number): Promise<number>
  /** Nothing leaves the trash until the returned function is called. For a backup, which may need what is deleted meanwhile. */
  keepTrash(): () => void
  /** Files in the trash. */
  countTrash(): Promise<number>
  /**
   * Moves blobs older than an hour that nobody references to the trash, a tenth of all at the most, and empties what was in the trash for 7 days.
   *
   * @param storeBornAt when the store was made, in milliseconds since the epoch; undefined where it is not known
   * @throws SweepStoppedError when most blobs are referenced by nobody, or some that nobody references are older than the store: then it is the store
   *   that is wrong. Nothing was moved, and the trash is kept until a sweep comes to its end
   */
  sweep(now: number, isReferenced: IsReferenced, storeBornAt?: number): Promise<Swept>
}

export type IsReferenced = (owner: string, id: string) => Promise<boolean>

export interface Swept {
  /** Blobs that were moved to the trash. */
  orphans: number
  /** Files that left the trash. */
  removed: number
  /** Orphans that stay for the next sweep; missing when there are none. */
  left?: number
}
