/** The work queue: durable tasks and their workers. */
import type { Transaction } from '../store/types.js'

export interface Task<P> {
  id: string
  payload: P
  /** Completed runs. Those cut off by a crash or stop do not count. */
  attempts: number
  /** Milliseconds since the epoch. */
  queuedAt: number
}

export interface QueuedTask<P> extends Task<P> {
  /** Milliseconds since the epoch; `HELD` if held. */
  due: number
  leased: boolean
}

/** Due time of held tasks: the last second of the year 9999. */
export const HELD = 253_402_300_799_000

/** Served by weight, the first most often; none starves. */
export const PRIORITIES = [0, 1, 2] as const
export type Priority = (typeof PRIORITIES)[number]
export const DEFAULT_PRIORITY: Priority = 1

export interface TaskCounts {
  waiting: number
  /** Due, waiting for a worker or for capacity. */
  ready: number
  leased: number
  held: number
}

/** A handler's result. If it throws, the task is retried after a growing pause. */
export type TaskOutcome<P> =
  | { done: true }
  | { done: false; retryAt: number; payload?: P }
  /** As if not taken; taken again when there is capacity under this name (1 to 262 bytes). Only for workers with `rooms`. */
  | { done: false; waitFor: string }

/** Capacity shared by tasks beyond the worker's concurrency, asked when a task ends and by `Worker.look`. A task without capacity waits in the queue at no cost. */
export interface Rooms<P> {
  /** Name of what the task needs capacity in. */
  nameOf(payload: P): string
  /** Starts a round. The function returns true for capacity, and counts what it granted. It must not grant what a handler then sends back at once. */
  ask(): (name: string) => boolean
}

export interface WorkerOptions<P = unknown> {
  concurrency: number
  onError: (error: unknown, task: Task<unknown>) => void
  /** Called when the queue cannot be read or written; it retries by itself. A process warning by default. */
  onQueueError?: (error: unknown) => void
  rooms?: Rooms<P>
}

export interface Worker {
  /** Asks for capacity again, for waiting tasks. */
  look(): void
  /** Takes no more tasks; resolves when running ones have ended. */
  stop(): Promise<void>
}

export interface NewTask<P> {
  /** 1 to 1,000 bytes; an already queued id stays as it is. */
  id: string
  /** JSON. */
  payload: P
  /** Milliseconds since the epoch. */
  due: number
  /** Owner of the work (1 to 200 bytes): lanes of a kind take turns, earliest first within a lane. An id has one lane. */
  lane?: string | undefined
  /** For tasks with a lane; 1 by default. */
  priority?: Priority | undefined
}

export interface WorkQueue {
  /**
   * Queues a task in the caller's transaction. Nothing is read, and its partition need not be named. The id must be new: an existing task would be overwritten.
   *
   * @throws RangeError, TypeError for a task that cannot be stored
   */
  add<P>(tx: Transaction, kind: string, task: NewTask<P>): void
  /**
   * Removes a task in the caller's transaction, even a running one. Nothing is read, and its partition need not be named; a missing task is no error. A handler
   * that finishes its own task this way returns `{ done: true }` after the commit, and no further commit follows.
   */
  finish(tx: Transaction, kind: string, id: string): void
  /** Queues a task in its own commit; durable when it resolves. An already queued id stays as it is. */
  enqueue<P>(kind: string, task: NewTask<P>): Promise<void>
  /**
   * Changes the due time (`HELD` to hold it) and the payload of a task that is not running; false if there is none.
   */
  reschedule<P>(kind: string, id: string, due: number, change?: (payload: P) => P): Promise<boolean>
  /** Removes a task that is not running; false if there is none. Durable when it resolves. */
  remove(kind: string, id: string): Promise<boolean>
  get<P>(kind: string, id: string): Promise<QueuedTask<P> | undefined>
  /** True if this process runs some tasks of a kind, now. */
  runs(kind: string): boolean
  /** True if this process would run a task with this id, now. */
  isOwn(kind: string, id: string): boolean
  run<P>(
    kind: string,
    handler: (task: Task<P>, signal: AbortSignal) => Promise<TaskOutcome<P>>,
    options: WorkerOptions<P>,
  ): Worker
  counts(kind: string): Promise<TaskCounts>
  /** All queued tasks, in pages, unordered. */
  all<P>(kind: string): AsyncIterable<QueuedTask<P>>
  /** Makes all workers look for due tasks and capacity now. Only for clocks moved by hand: workers do this by themselves. */
  poke(): void
}
