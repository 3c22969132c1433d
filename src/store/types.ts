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

/** A piece of work that has to be done, whatever crashes in between. */
export interface Task<P> {
  id: string
  payload: P
  /** Times it was taken before this one. */
  attempts: number
  /** Milliseconds since the epoch. */
  queuedAt: number
}

/** A task as an operator sees it. */
export interface QueuedTask<P> extends Task<P> {
  /** Milliseconds since the epoch; the end of its lease when it is leased, `HELD` when it is held. */
  due: number
  /** Somebody works on it. */
  leased: boolean
}

/** When a task is due that waits until somebody lets it go on: the last second of the year 9999. */
export const HELD = 253_402_300_799_000

/** Served by their weights, the first most often; none waits for ever. */
export const PRIORITIES = [0, 1, 2] as const
export type Priority = (typeof PRIORITIES)[number]
export const DEFAULT_PRIORITY: Priority = 1

/** Tasks of a kind, by what they are at. */
export interface TaskCounts {
  /** Not due yet, or not seen to be due. */
  waiting: number
  /** Due, and waiting for a worker, or for room where it goes. */
  ready: number
  /** At work. */
  leased: number
  /** Waiting until somebody lets them go on. */
  held: number
}

/** What a handler says of its task. A handler that throws has its task tried again after a growing pause. */
export type TaskOutcome<P> =
  | { done: true }
  | { done: false; retryAt: number; payload?: P }
  /** As if it had not been taken; it is handed out again when there is room of this name (1 to 262 bytes). Of a worker that has `rooms`. */
  | { done: false; waitFor: string }

/**
 * Limits that tasks share beside the worker's own. A task for which there is no room stays in the queue, on a list of its own, and costs nothing
 * until there is: asked for when a task has ended, and when `Worker.look` is called.
 */
export interface Rooms<P> {
  /** What the task needs room of. */
  nameOf(payload: P): string
  /**
   * Begins one asking. The function says whether there is room for one task more, and counts those to whom it said so. It must not say so for
   * what a handler then sends back at once.
   */
  ask(): (name: string) => boolean
}

export interface WorkerOptions<P = unknown> {
  /** Tasks at work at once. */
  concurrency: number
  /** How long a task belongs to this worker; extended while the handler runs. */
  leaseMs: number
  /** No other process works on this store: what one that died had taken is due again at the start, and not when its lease ends. */
  alone?: boolean
  /**
   * A task that is done may be done again after a crash without harm: that it is done is written down a moment later, with the next commit of its
   * shard.
   */
  repeatable?: boolean
  /** Told of every error a handler throws. */
  onError: (error: unknown, task: Task<unknown>) => void
  /** Told when the queue itself could not be read or written; it tries again by itself. A warning of the process when not given. */
  onQueueError?: (error: unknown) => void
  rooms?: Rooms<P>
}

export interface Worker {
  /** Asks for room again, for those who wait for some. */
  look(): void
  /** Stops taking tasks; resolves when those at work have ended. */
  stop(): Promise<void>
}

/** One durable mechanism for everything asynchronous, in partitions `work/<kind>/<shard 0-15>`. */
export interface WorkQueue {
  /**
   * Durable when it resolves. An id that is already queued stays as it is.
   *
   * @param task `lane` is whose work it is (1 to 200 bytes): the lanes of a kind take turns, and within one the earliest comes first. An id
   *   keeps to one lane. `priority` counts for tasks with a lane only; 1 when not given
   */
  enqueue<P>(
    kind: string,
    task: { id: string; payload: P; due: number; lane?: string | undefined; priority?: Priority | undefined },
  ): Promise<void>
  /**
   * A task that waits may be taken before it is due. Nothing is written: who takes it in this process takes it now, and if nobody does or the
   * process dies, it is taken when it is due. A worker that is alone, has nothing else to do and has
   * room for it begins it without writing a lease first.
   *
   * @param lane the one with which it was queued
   */
  hasten(kind: string, task: { id: string; lane?: string | undefined }): void
  /**
   * Makes a queued task that nobody has taken due at another time, at `HELD` until somebody does so again; false when there is none.
   *
   * @param change makes a new payload of the one it has
   */
  reschedule<P>(kind: string, id: string, due: number, change?: (payload: P) => P): Promise<boolean>
  /** Takes a task that nobody has taken out of the queue; false when there is none. */
  remove(kind: string, id: string): Promise<boolean>
  get<P>(kind: string, id: string): Promise<QueuedTask<P> | undefined>
  run<P>(
    kind: string,
    handler: (task: Task<P>, signal: AbortSignal) => Promise<TaskOutcome<P>>,
    options: WorkerOptions<P>,
  ): Worker
  /** How many there are, without counting them one by one. */
  counts(kind: string): Promise<TaskCounts>
  /** Queued tasks for operators, earliest first; where many lanes have work that is due, not all of that. */
  list<P>(kind: string, limit: number): Promise<QueuedTask<P>[]>
  /** Every queued task, in pages and in no order. One that moves meanwhile may be missed or come twice. */
  all<P>(kind: string): AsyncIterable<QueuedTask<P>>
  /** Has all workers look for due tasks now. Only for clocks that are moved by hand: workers see to everything else themselves. */
  poke(): void
}
