/**
 * Runs the tasks of one kind: looks when a task came or ended, and otherwise sleeps until the next is due. Taking a task writes nothing: after a crash,
 * running tasks are due again at the next start.
 */
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { MINUTE, SECOND, type Clock } from '../lib/clock.js'
import { encode } from '../store/keys.js'
import type { Kind } from './kind.js'
import { checkRoom, wholeMs, type TaskRecord } from './rows.js'
import type { Entry } from './scheduler.js'
import type { Task, TaskOutcome, WorkerOptions } from './types.js'
import { asError } from '../lib/thrown.js'

/** Pause after a handler threw; doubles each time. */
const FIRST_RETRY_MS = SECOND
const LAST_RETRY_MS = 10 * MINUTE
/** Pause after the store could not be read or written (disk full). */
const TROUBLE_PAUSE_MS = SECOND
/** The machine's clock may be set meanwhile. Waking up only examines the first waiting task. */
const LONGEST_SLEEP_MS = MINUTE
const MAX_CONCURRENCY = 10_000

type Handler<P> = (task: Task<P>, signal: AbortSignal) => Promise<TaskOutcome<P>>

type Settlement = { to: 'finished' | 'untaken' } | { to: 'room'; room: string } | { to: 'queue'; record: TaskRecord }

export class KindWorker<P> {
  readonly #onQueueError: (error: unknown) => void
  /** Running tasks. */
  readonly #active = new Map<Promise<void>, { abort: AbortController; shard: number }>()
  #looking: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isReady = false
  #isWanted = false
  #isStopping = false

  constructor(
    private readonly kind: Kind,
    private readonly clock: Clock,
    private readonly handler: Handler<P>,
    private readonly options: WorkerOptions<P>,
  ) {
    const { concurrency, onQueueError } = options
    if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY)
      throw new RangeError(`concurrency goes from 1 to ${MAX_CONCURRENCY}, not ${concurrency}`)
    this.#onQueueError = onQueueError ?? ((error) => process.emitWarning(asError(error)))
    this.look()
  }

  look(): void {
    this.#isWanted = true
    if (!this.#looking && !this.#isStopping) this.#looking = this.#takeWhileWanted()
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#timer)
    for (const { abort } of this.#active.values()) abort.abort()
    await this.#looking
    await Promise.all(this.#active.keys())
  }

  /** Ends the running tasks of a shard, as `stop` does. */
  async drain(shard: number): Promise<void> {
    const running = [...this.#active].filter(([, task]) => task.shard === shard)
    for (const [, { abort }] of running) abort.abort()
    await Promise.all(running.map(([work]) => work))
  }

  async #takeWhileWanted(): Promise<void> {
    // Tasks of one commit are examined together.
    await Promise.resolve()
    while (this.#isWanted && !this.#isStopping) {
      this.#isWanted = false
      try {
        await this.#takeTasks()
      } catch (error) {
        this.#onQueueError(error)
        this.#isWanted = true
        await pause(TROUBLE_PAUSE_MS)
      }
    }
    this.#looking = undefined
    this.#sleep()
  }

  async #takeTasks(): Promise<void> {
    const { concurrency, rooms } = this.options
    if (!this.#isReady) {
      if (rooms) await this.kind.nameRooms((payload) => rooms.nameOf(payload as P))
      this.#isReady = true
    }
    await this.kind.load()
    while (!this.#isStopping && this.#active.size < concurrency) {
      const free = concurrency - this.#active.size
      const { taken, more } = this.kind.scheduler.pick(this.clock.now(), free, rooms?.ask())
      if (taken.length === 0 && !more) return
      // All have started before capacity is asked again.
      await this.#begin(taken)
      if (more) await turn()
    }
  }

  #sleep(): void {
    clearTimeout(this.#timer)
    const { nextDue } = this.kind.scheduler
    // When all places are taken, the next task that ends looks.
    if (this.#isStopping || nextDue === Infinity || this.#active.size >= this.options.concurrency) return
    const ms = Math.min(Math.max(nextDue - this.clock.now(), 1), LONGEST_SLEEP_MS)
    this.#timer = setTimeout(() => this.look(), ms)
  }

  async #begin(taken: Entry[]): Promise<void> {
    const records = await this.kind.stored.read(taken).catch((error: unknown) => {
      for (const entry of taken) this.kind.giveBack(entry)
      throw error
    })
    for (const [i, entry] of taken.entries()) {
      const record = records[i]
      if (!record) this.kind.scheduler.remove(entry)
      else if (this.#isStopping || !this.kind.owns(entry.shard)) this.kind.giveBack(entry)
      else if (entry.state !== 'gone') this.#start(entry, record)
    }
  }

  #start(entry: Entry, record: TaskRecord): void {
    const abort = new AbortController()
    const work = this.#workOn(entry, record, abort.signal).finally(() => {
      this.#active.delete(work)
      this.look()
    })
    this.#active.set(work, { abort, shard: entry.shard })
  }

  async #workOn(entry: Entry, record: TaskRecord, signal: AbortSignal): Promise<void> {
    const settlement = await this.#outcomeOf(entry.id, record, signal)
    // Its capacity is free before its result is recorded.
    this.kind.scheduler.roomMayHaveCome(entry)
    this.look()
    switch (settlement.to) {
      case 'finished':
        return this.#untilWritten(entry, () => this.kind.delete(entry))
      case 'queue':
        return this.#untilWritten(entry, () => this.kind.write(entry, settlement.record))
      case 'room':
        return this.kind.scheduler.park(entry, settlement.room)
      case 'untaken':
        return this.kind.giveBack(entry)
    }
  }

  async #outcomeOf(id: string, record: TaskRecord, signal: AbortSignal): Promise<Settlement> {
    const { attempts, queuedAt, failures } = record
    const payload = record.payload as P
    const task: Task<P> = { id, payload, attempts, queuedAt }
    const tried = { ...record, attempts: attempts + 1 }
    try {
      const outcome = await this.handler(task, signal)
      if (outcome.done) return { to: 'finished' }
      if ('waitFor' in outcome) {
        if (!this.options.rooms) throw new Error('a worker without rooms has a task wait for one')
        return { to: 'room', room: checkRoom(outcome.waitFor) }
      }
      // An unstorable payload must be the handler's error: later it would fail everybody who shares the commit.
      if (outcome.payload !== undefined) encode(outcome.payload)
      const next = { due: wholeMs(outcome.retryAt), failures: 0, payload: outcome.payload ?? payload }
      return { to: 'queue', record: { ...tried, ...next } }
    } catch (error) {
      // Cut off by `stop`, no failure.
      if (signal.aborted) return { to: 'untaken' }
      this.options.onError(error, task)
      const wait = Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS)
      return { to: 'queue', record: { ...tried, due: this.clock.now() + wait, failures: failures + 1 } }
    }
  }

  async #untilWritten(entry: Entry, write: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        this.#onQueueError(error)
        // The next start repeats it.
        if (this.#isStopping) return this.kind.giveBack(entry)
        await pause(TROUBLE_PAUSE_MS)
      }
    }
  }
}
