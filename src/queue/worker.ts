/**
 * Takes the tasks of one kind and hands them to a handler. It looks at all shards at the start, at a shard when the queue has put a task there that
 * is due, and sleeps until the next task is due otherwise.
 *
 * A task that is to begin at once, while nothing else waits, begins without a commit for its lease: alone on the store, that it runs here is
 * enough. When it takes longer than a moment the lease is written after all, for everybody to see. One for which there is no room
 * (`entrance.ts`) takes the way of all.
 *
 * A task is at work once: its lease is made longer while the handler runs, and what runs in this process is not taken again in it even
 * when the lease has ended (a clock that jumped, a stalled disk). When the process dies the lease ends, and the task is due again.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { MINUTE, SECOND, type Clock } from '../lib/clock.js'
import { createEntrance } from './entrance.js'
import { encode } from '../store/keys.js'
import { SHARDS, wholeMs, type Settlement, type TakenTask, type Tasks } from './tasks.js'
import { FIRST_TURN, type Turn } from './turns.js'
import type { Task, TaskOutcome, Worker, WorkerOptions } from './types.js'

/** Pause after a handler threw once; doubles with each time it throws again. */
const FIRST_RETRY_MS = SECOND
const LAST_RETRY_MS = 10 * MINUTE
/** Pause after the queue could not be read or written (disk full). */
const TROUBLE_PAUSE_MS = SECOND
/** The longest sleep: other processes may queue something, and clocks are set. */
const LONGEST_SLEEP_MS = MINUTE
const MAX_CONCURRENCY = 10_000
/** Of a shard; one that is not remembered is taken when it is due. */
const MAX_EARLY = 256

/** From when on the lease of a task is written that began without one; before it is due by itself. */
const WRITE_LEASE_MS = SECOND

interface WorkerDeps {
  tasks: Tasks
  clock: Clock
  /** Ids of this kind at work in this process, shared by all its workers. */
  running: Set<string>
}

/** A task at work. */
interface Active {
  shard: number
  /** As in `TakenTask`. */
  token: string | undefined
  leaseEnd: number
  abort: AbortController
  /** Has the lease written of a task that began without one. */
  timer: NodeJS.Timeout | undefined
  /** Ends when the lease is written that is being written. */
  leasing: Promise<void> | undefined
  work: Promise<void>
}

type Handler<P> = (task: Task<P>, signal: AbortSignal) => Promise<TaskOutcome<P>>

export function startWorker<P>(
  { tasks, clock, running }: WorkerDeps,
  kind: string,
  handler: Handler<P>,
  options: WorkerOptions<P>,
): Worker & {
  /** For what is due, and for who waits for room, as if nothing were known of either. */
  lookEverywhere(): void
  hasten(shard: number, id: string): void
  /** A task in this shard is due at this time. */
  expect(shard: number, due: number): void
} {
  const { concurrency, leaseMs, onError, rooms } = options
  const onQueueError = options.onQueueError ?? ((error) => process.emitWarning(asError(error)))
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY) {
    throw new RangeError(`concurrency goes from 1 to ${MAX_CONCURRENCY}, not ${concurrency}`)
  }
  /** When to look at each shard; 0 is now. */
  const lookAt = new Array<number>(SHARDS).fill(0)
  const turns = new Array<Turn>(SHARDS).fill(FIRST_TURN)
  /** Ids that may be taken before they are due, by shard. */
  const early = Array.from({ length: SHARDS }, () => new Set<string>())
  const active = new Map<string, Active>()
  /** Tasks that are done and leave the queue in a moment. */
  const leaving = new Set<Promise<void>>()
  const starting = new Set<Promise<void>>()
  /** Places for tasks that are being taken. */
  let promised = 0
  let firstShard = 0
  let stopping = false
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const free = (): number => concurrency - active.size - promised
  const mayBegin = (): boolean => !stopping && free() > 0
  const nextLook = (): number => Math.min(...lookAt, entrance.nextAsk())
  const mayTake = (): boolean => mayBegin() && nextLook() <= clock.now()

  const look = (): void => {
    if (stopping || looking) return
    looking = (async () => {
      while (mayTake()) await lookAround()
    })().finally(() => {
      looking = undefined
      entrance.endAsking()
      sleep()
    })
  }

  const lookEverywhere = (): void => {
    lookAt.fill(0)
    entrance.findAgain()
    look()
  }

  const entrance = createEntrance<P>({
    rooms,
    clock,
    onQueueError,
    roomsIn: (shard) => tasks.rooms(kind, shard),
    places: { free, promise: (count) => void (promised += count) },
    async take(room, { shard, turn, limit }) {
      const lease = { now: clock.now(), ms: leaseMs }
      const taken = await tasks.takeParked<P>(kind, shard, room, { limit, lease, running, turn })
      for (const one of taken.tasks) begin(one, shard, lease.now + leaseMs)
      return { count: taken.tasks.length, turn: taken.turn }
    },
  })

  /** One round over the shards that may have something due; they share the free places, and the next round goes on after the last one. */
  const lookAround = async (): Promise<void> => {
    await entrance.letIn()
    const now = clock.now()
    const places = free()
    const due = lookAt
      .map((_, i) => (firstShard + i) % SHARDS)
      .filter((shard) => (lookAt[shard] ?? 0) <= now)
      .slice(0, places)
    const last = due.at(-1)
    if (last === undefined) return
    firstShard = (last + 1) % SHARDS
    entrance.ask()
    await Promise.all(due.map((shard) => takeFrom(shard, Math.floor(places / due.length), now)))
  }

  const takeFrom = async (shard: number, limit: number, now: number): Promise<void> => {
    // Before the shard is read, so that a commit which comes meanwhile puts it back to 0.
    lookAt[shard] = Infinity
    promised += limit
    const hastened = early[shard] ?? new Set()
    early[shard] = new Set()
    try {
      const lease = { now, ms: leaseMs }
      const turn = turns[shard] ?? FIRST_TURN
      const waitsFor = rooms && entrance.waitsFor
      const taken = await tasks.take<P>(kind, shard, { limit, lease, running, turn, early: hastened, waitsFor })
      const { nextDue = Infinity } = taken
      turns[shard] = taken.turn
      for (const room of taken.parked) entrance.note(room, shard)
      lookAt[shard] = Math.min(lookAt[shard], nextDue)
      for (const one of taken.tasks) begin(one, shard, now + leaseMs)
    } catch (error) {
      onQueueError(error)
      lookAt[shard] = now + TROUBLE_PAUSE_MS
    } finally {
      promised -= limit
    }
  }

  const sleep = (): void => {
    clearTimeout(timer)
    // When all are busy, the next one that ends looks.
    if (!mayBegin()) return
    const ms = Math.min(Math.max(nextLook() - clock.now(), 1), LONGEST_SLEEP_MS)
    timer = setTimeout(look, ms)
  }

  const begin = (taken: TakenTask<P>, shard: number, leaseEnd: number): void => {
    const { id } = taken.task
    const abort = new AbortController()
    if (stopping) abort.abort()
    running.add(id)
    const one: Active = {
      shard,
      token: taken.token,
      leaseEnd,
      abort,
      timer: undefined,
      leasing: undefined,
      work: Promise.resolve(),
    }
    active.set(id, one)
    if (taken.token === undefined) one.timer = setTimeout(() => writeLeaseOf(id, one), WRITE_LEASE_MS)
    one.work = workOn(taken, one)
      .then(({ gone, settlement }) => {
        leaving.add(gone)
        void gone.finally(() => {
          leaving.delete(gone)
          running.delete(id)
          putBack(settlement, shard)
        })
      })
      .finally(() => {
        active.delete(id)
        // Its room is free, whenever it leaves the disk.
        entrance.ended(taken.task.payload)
        look()
      })
  }

  /** It may be taken again already, and have been passed over because it was at work. */
  const putBack = (settlement: Settlement, shard: number): void => {
    switch (settlement.to) {
      case 'finished':
        break
      case 'parked':
        entrance.note(settlement.room, shard)
        look()
        break
      case 'queue':
      case 'untaken':
        expect(shard, 0)
        break
    }
  }

  /** @returns what ends when it is written down how it went, where that may be still to come */
  const workOn = async (taken: TakenTask<P>, one: Active): Promise<{ gone: Promise<void>; settlement: Settlement }> => {
    const settlement: Settlement = stopping
      ? { to: 'untaken', due: clock.now() }
      : await outcomeOf(taken, one.abort.signal)
    clearTimeout(one.timer)
    await one.leasing
    const held = { id: taken.task.id, token: one.token }
    const isLater = options.repeatable === true && settlement.to === 'finished'
    const gone = untilWritten(() =>
      isLater ? tasks.leave(kind, one.shard, held) : tasks.settle(kind, one.shard, held, settlement, clock.now()),
    )
    if (!isLater) await gone
    return { gone, settlement }
  }

  const untilWritten = async (write: () => Promise<unknown>): Promise<void> => {
    for (;;) {
      try {
        await write()
        return
      } catch (error) {
        onQueueError(error)
        // The task is due again when its lease ends.
        if (stopping) return
        await pause(TROUBLE_PAUSE_MS)
      }
    }
  }

  const writeLeaseOf = (id: string, one: Active): void => {
    const leaseEnd = clock.now() + leaseMs
    one.leasing = tasks.writeLease(kind, one.shard, id, leaseEnd).then((token) => {
      if (token === undefined) one.abort.abort()
      else Object.assign(one, { token, leaseEnd })
    }, onQueueError)
  }

  const outcomeOf = async ({ task, failures }: TakenTask<P>, signal: AbortSignal): Promise<Settlement> => {
    try {
      const outcome = await handler(task, signal)
      if (outcome.done) return { to: 'finished' }
      if ('waitFor' in outcome) return entrance.settlementOf(outcome.waitFor)
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
      if (one.token === undefined || one.leaseEnd - now > (leaseMs * 2) / 3) continue
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

  /** Begins a task at once. When others have their turn first, or there is no room for it, it takes the way of all. */
  const beginAtOnce = async (shard: number, id: string): Promise<void> => {
    running.add(id)
    let begun = false
    promised++
    try {
      const taken = await tasks.takeUnwritten<P>(kind, shard, id)
      if (taken === 'others first') {
        running.delete(id)
        rememberEarly(shard, id)
      } else if (taken && 'room' in taken) {
        running.delete(id)
        // Who looked for it meanwhile passed it over.
        entrance.note(taken.room, shard)
      } else if (taken && entrance.waitsFor(taken.task.payload)) {
        running.delete(id)
        rememberEarly(shard, id)
      } else if (taken) {
        begun = true
        begin(taken, shard, Infinity)
      }
    } catch (error) {
      // It is taken when it is due.
      onQueueError(error)
    } finally {
      promised--
      if (!begun) {
        running.delete(id)
        look()
      }
    }
  }

  const rememberEarly = (shard: number, id: string): void => {
    const ids = early[shard]
    if (!ids || ids.size >= MAX_EARLY) return
    ids.add(id)
    expect(shard, 0)
  }

  const expect = (shard: number, due: number): void => {
    const before = lookAt[shard] ?? Infinity
    if (stopping || due >= before) return
    lookAt[shard] = due
    if (due <= clock.now()) look()
    else if (!looking) sleep()
  }

  const leaseTimer = setInterval(extendLeases, leaseMs / 3)
  const hintTimer = setInterval(lookEverywhere, LONGEST_SLEEP_MS)
  if (options.alone) {
    looking = giveBack().finally(() => {
      looking = undefined
      lookEverywhere()
    })
  } else look()

  return {
    look() {
      entrance.askAgain()
      look()
    },
    lookEverywhere,
    expect,
    hasten(shard, id) {
      if (stopping) return
      const isFree = options.alone === true && mayBegin() && nextLook() > clock.now()
      if (!isFree || running.has(id)) return rememberEarly(shard, id)
      const start = beginAtOnce(shard, id).finally(() => starting.delete(start))
      starting.add(start)
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      clearInterval(hintTimer)
      for (const { abort } of active.values()) abort.abort()
      await looking
      await Promise.all(starting)
      await Promise.all([...active.values()].map(({ work }) => work))
      await tasks.letLeave(kind)
      await Promise.all(leaving)
      clearInterval(leaseTimer)
    },
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
