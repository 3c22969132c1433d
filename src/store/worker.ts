/**
 * Takes the tasks of one kind and hands them to a handler. It looks at all shards at the start, at a shard when a commit touched it,
 * and sleeps until the next task is due otherwise.
 *
 * A task is at work once: its lease is made longer while the handler runs, and what runs in this process is not taken again in it even
 * when the lease has ended (a clock that jumped, a stalled disk). When the process dies the lease ends, and the task is due again.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { MINUTE, SECOND, type Clock } from '../lib/clock.js'
import { encode } from './keys.js'
import { SHARDS, partitionOf, wholeMs, type Settlement, type TakenTask, type Tasks } from './tasks.js'
import { FIRST_TURN, type Turn } from './turns.js'
import type { Store, Task, TaskOutcome, Worker, WorkerOptions } from './types.js'

/** Pause after a handler threw once; doubles with each time it throws again. */
const FIRST_RETRY_MS = SECOND
const LAST_RETRY_MS = 10 * MINUTE
/** Pause after the queue could not be read or written (disk full). */
const TROUBLE_PAUSE_MS = SECOND
/** The longest sleep: commit hints may be lost, and clocks are set. */
const LONGEST_SLEEP_MS = MINUTE
const MAX_CONCURRENCY = 10_000
/** Of a shard; one that is not remembered is taken when it is due. */
const MAX_EARLY = 256

interface WorkerDeps {
  store: Store
  tasks: Tasks
  clock: Clock
  /** Ids of this kind at work in this process, shared by all its workers. */
  running: Set<string>
}

type Handler<P> = (task: Task<P>, signal: AbortSignal) => Promise<TaskOutcome<P>>

export function startWorker<P>(
  { store, tasks, clock, running }: WorkerDeps,
  kind: string,
  handler: Handler<P>,
  options: WorkerOptions,
): Worker & { look(): void; hasten(shard: number, id: string): void } {
  const { concurrency, leaseMs, onError } = options
  const onQueueError = options.onQueueError ?? ((error) => process.emitWarning(asError(error)))
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY) {
    throw new RangeError(`concurrency goes from 1 to ${MAX_CONCURRENCY}, not ${concurrency}`)
  }
  const shards = new Map(Array.from({ length: SHARDS }, (_, shard) => [partitionOf(kind, shard), shard]))
  /** When to look at each shard; 0 is now. */
  const lookAt = new Array<number>(SHARDS).fill(0)
  const turns = new Array<Turn>(SHARDS).fill(FIRST_TURN)
  /** Ids that may be taken before they are due, by shard. */
  const early = Array.from({ length: SHARDS }, () => new Set<string>())
  const active = new Map<
    string,
    { shard: number; token: string; leaseEnd: number; abort: AbortController; work: Promise<void> }
  >()
  let firstShard = 0
  let stopping = false
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const mayTake = (): boolean => !stopping && active.size < concurrency && lookAt.some((time) => time <= clock.now())

  const look = (): void => {
    if (stopping || looking) return
    looking = (async () => {
      while (mayTake()) await lookAround()
    })().finally(() => {
      looking = undefined
      sleep()
    })
  }

  const lookEverywhere = (): void => {
    lookAt.fill(0)
    look()
  }

  /** One round over the shards that may have something due; they share the free places, and the next round goes on after the last one. */
  const lookAround = async (): Promise<void> => {
    const now = clock.now()
    const free = concurrency - active.size
    const due = lookAt
      .map((_, i) => (firstShard + i) % SHARDS)
      .filter((shard) => (lookAt[shard] ?? 0) <= now)
      .slice(0, free)
    firstShard = ((due.at(-1) ?? 0) + 1) % SHARDS
    await Promise.all(due.map((shard) => takeFrom(shard, Math.floor(free / due.length), now)))
  }

  const takeFrom = async (shard: number, limit: number, now: number): Promise<void> => {
    // Before the shard is read, so that a commit which comes meanwhile puts it back to 0.
    lookAt[shard] = Infinity
    const hastened = early[shard] ?? new Set()
    early[shard] = new Set()
    try {
      const lease = { now, ms: leaseMs }
      const turn = turns[shard] ?? FIRST_TURN
      const taken = await tasks.take<P>(kind, shard, { limit, lease, running, turn, early: hastened })
      const { nextDue = Infinity } = taken
      turns[shard] = taken.turn
      lookAt[shard] = Math.min(lookAt[shard], nextDue)
      for (const one of taken.tasks) begin(one, shard, now + leaseMs)
    } catch (error) {
      onQueueError(error)
      lookAt[shard] = now + TROUBLE_PAUSE_MS
    }
  }

  const sleep = (): void => {
    clearTimeout(timer)
    // When all are busy, the next one that ends looks.
    if (stopping || active.size >= concurrency) return
    const ms = Math.min(Math.max(Math.min(...lookAt) - clock.now(), 1), LONGEST_SLEEP_MS)
    timer = setTimeout(look, ms)
  }

  const begin = (taken: TakenTask<P>, shard: number, leaseEnd: number): void => {
    const { id } = taken.task
    const abort = new AbortController()
    if (stopping) abort.abort()
    running.add(id)
    const work = workOn(taken, shard, abort.signal).finally(() => {
      running.delete(id)
      active.delete(id)
      // It may be due again already, and have been passed over because it was at work.
      lookAt[shard] = 0
      look()
    })
    active.set(id, { shard, token: taken.token, leaseEnd, abort, work })
  }

  const workOn = async (taken: TakenTask<P>, shard: number, signal: AbortSignal): Promise<void> => {
    const held = { id: taken.task.id, token: taken.token }
    const settlement: Settlement = stopping ? { to: 'untaken', due: clock.now() } : await outcomeOf(taken, signal)
    for (;;) {
      try {
        await tasks.settle(kind, shard, held, settlement, clock.now())
        return
      } catch (error) {
        onQueueError(error)
        // The task is due again when its lease ends.
        if (stopping) return
        await pause(TROUBLE_PAUSE_MS)
      }
    }
  }

  const outcomeOf = async ({ task, failures }: TakenTask<P>, signal: AbortSignal): Promise<Settlement> => {
    try {
      const outcome = await handler(task, signal)
      if (outcome.done) return { to: 'finished' }
      // What can't be stored has to be the handler's error: later on it would be everybody's who shares the commit.
      if (outcome.payload !== undefined) encode(outcome.payload)
      return { to: 'queue', due: wholeMs(outcome.retryAt), failures: 0, payload: outcome.payload }
    } catch (error) {
      // Cut off by `stop`, not at fault.
      if (signal.aborted) return { to: 'queue', due: clock.now(), failures }
      onError(error, task)
      const wait = Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS)
      return { to: 'queue', due: clock.now() + wait, failures: failures + 1 }
    }
  }

  const extendLeases = (): void => {
    const now = clock.now()
    for (const [id, one] of active) {
      if (one.leaseEnd - now > (leaseMs * 2) / 3) continue
      const leaseEnd = now + leaseMs
      tasks.extend(kind, one.shard, { id, token: one.token }, leaseEnd).then((held) => {
        if (held) one.leaseEnd = leaseEnd
        else one.abort.abort()
      }, onQueueError)
    }
  }

  /** What a process before this one was at work on when it died need not wait for its lease to end. */
  const giveBack = async (): Promise<void> => {
    for (let shard = 0; shard < SHARDS && !stopping; shard++) {
      try {
        await tasks.giveBack(kind, shard, clock.now(), running)
      } catch (error) {
        // They come back when their leases end.
        onQueueError(error)
      }
    }
  }

  const stopListening = store.onCommit((partition) => {
    const shard = shards.get(partition)
    if (shard === undefined) return
    lookAt[shard] = 0
    look()
  })
  const leaseTimer = setInterval(extendLeases, leaseMs / 3)
  const hintTimer = setInterval(lookEverywhere, LONGEST_SLEEP_MS)
  if (options.alone) {
    looking = giveBack().finally(() => {
      looking = undefined
      lookEverywhere()
    })
  } else look()

  return {
    look: lookEverywhere,
    hasten(shard, id) {
      const ids = early[shard]
      if (stopping || !ids || ids.size >= MAX_EARLY) return
      ids.add(id)
      lookAt[shard] = 0
      look()
    },
    async stop() {
      stopping = true
      stopListening()
      clearTimeout(timer)
      clearInterval(hintTimer)
      for (const { abort } of active.values()) abort.abort()
      await looking
      await Promise.all([...active.values()].map(({ work }) => work))
      clearInterval(leaseTimer)
    },
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
