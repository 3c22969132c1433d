/** The work queue: tasks that are done whatever crashes, and the workers that do them. */
import type { Transaction } from '../store/types.js'

/** A piece of work that has to be done, whatever crashes in between. */
export interface Task<P> {
  id: string
  payload: P
  /** Times it came to an outcome before. What a crash or a stop cut off counts for nothing. */
  attempts: number
  /** Milliseconds since the epoch. */
  queuedAt: number
}

/** A task as an operator sees it. */
export interface QueuedTask<P> extends Task<P> {
  /** Milliseconds since the epoch; `HELD` when it is held. */
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
  /** Not due yet. */
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

/** A task for the queue. */
export interface NewTask<P> {
  /** 1 to 1,000 bytes; one that is queued already stays as it is. */
  id: string
  /** What JSON can hold. */
  payload: P
  /** Milliseconds since the epoch. */
  due: number
  /** Whose work it is (1 to 200 bytes): the lanes of a kind take turns, and within one the earliest comes first. An id keeps to one lane. */
  lane?: string | undefined
  /** Counts for tasks with a lane only; 1 when not given. */
  priority?: Priority | undefined
}

/** One durable mechanism for everything asynchronous. */
export interface WorkQueue {
  /**
   * Queues a task in a transaction of its caller: it is queued when that is committed, and not otherwise. Nothing is read, and no partition has to
   * be named for it. The id must be a new one: a task of the same id that is queued would be written over.
   *
   * @throws RangeError, TypeError for a task that can't be stored
   */
  add<P>(tx: Transaction, kind: string, task: NewTask<P>): void
  /**
   * Takes a task out of the queue in a transaction of its caller, whoever is at work on it. Nothing is read, and no partition has to be named for
   * it; a task that is not there is no error. A handler that finishes its own task this way answers `{ done: true }` when that is committed, and no
   * commit follows.
   */
  finish(tx: Transaction, kind: string, id: string): void
  /** Queues a task in a commit of its own; durable when it resolves. An id that is already queued stays as it is. */
  enqueue<P>(kind: string, task: NewTask<P>): Promise<void>
  /**
   * Makes a queued task that nobody has taken due at another time, at `HELD` until somebody does so again; false when there is none.
   *
   * @param change makes a new payload of the one it has
   */
  reschedule<P>(kind: string, id: string, due: number, change?: (payload: P) => P): Promise<boolean>
  /** Takes a task that nobody has taken out of the queue; false when there is none. Durable when it resolves, in a commit of its own. */
  remove(kind: string, id: string): Promise<boolean>
  get<P>(kind: string, id: string): Promise<QueuedTask<P> | undefined>
  run<P>(
    kind: string,
    handler: (task: Task<P>, signal: AbortSignal) => Promise<TaskOutcome<P>>,
    options: WorkerOptions<P>,
  ): Worker
  /** How many there are; known in memory. */
  counts(kind: string): Promise<TaskCounts>
  /** Every queued task, in pages and in no order. */
  all<P>(kind: string): AsyncIterable<QueuedTask<P>>
  /** Has all workers look for due tasks and for room now. Only for clocks that are moved by hand: workers see to everything else themselves. */
  poke(): void
}
