/** Each change to what the work queue keeps on disk (`rows.ts`); reading it is in `listing.ts`. */
import { randomUUID } from 'node:crypto'
import { SECOND } from '../lib/clock.js'
import { encode, keyAfter, prefixRange } from '../store/keys.js'
import { createLeaving } from './leaving.js'
import type { Leaving } from './leaving.js'
import { createListing } from './listing.js'
import {
  checkId,
  checkLane,
  createChanges,
  find,
  isLeased,
  PAGE,
  parkedPlace,
  partitionOf,
  placeKey,
  queued,
  restingPlace,
  rowOf,
  shardOf,
  SHARDS,
  wholeMs,
} from './rows.js'
import type { Changes, Found, TaskRecord } from './rows.js'
import { pick, roomsOf } from './turns.js'
import type { Turn } from './turns.js'
import { DEFAULT_PRIORITY, HELD, PRIORITIES } from './types.js'
import type { NewTask, Priority, QueuedTask, Task } from './types.js'
import type { Store, Transaction, View } from '../store/types.js'

export { partitionOf, SHARDS, wholeMs }

/** When to look again at a task that is due but still at work. */
const PASSED_OVER_MS = SECOND
/** What one look makes ready; a commit of so many rows takes a few milliseconds. */
const MAX_PROMOTED = 256
/** What one look parks, and so many at a time once it has parked some. */
const MAX_PARKED = 256
const PARKED_AT_ONCE = 64
/** Most looks find nothing that has come due, so they read little. */
const FIRST_PAGE = 4
const SHARD_NUMBERS = Array.from({ length: SHARDS }, (_, shard) => shard)

/** Something that goes into the same commit. */
interface Also {
  partition: string
  apply: (tx: Transaction) => Promise<void>
}

/** A task with the right to finish it. */
export interface TakenTask<P> {
  task: Task<P>
  /** Undefined when that is known in memory only. */
  token: string | undefined
  failures: number
}

/** How a task is known that belongs to somebody. */
export type Held = Pick<TakenTask<unknown>, 'token'> & { id: string }

export interface Taken<P> {
  tasks: TakenTask<P>[]
  /** When to look at this shard again, as far as is known now. */
  nextDue: number | undefined
  turn: Turn
  /** Names of rooms for which tasks were made to wait. */
  parked: ReadonlySet<string>
}

export interface Taking<P = unknown> {
  limit: number
  lease: { now: number; ms: number }
  /** Ids at work in this process: not taken, whatever their lease says. */
  running: ReadonlySet<string>
  turn: Turn
  /** Ids that may be taken before they are due, when they have not been taken before. */
  early?: Iterable<string>
  /** What a task that is ready waits for; undefined when it may be taken. */
  waitsFor?: ((payload: P) => { room: string } | { due: number } | undefined) | undefined
}

/** Where a task goes when it leaves its worker. */
export type Settlement =
  | { to: 'finished' }
  | { to: 'queue'; due: number; failures: number; payload?: unknown }
  /** As if it had not been taken. */
  | { to: 'untaken'; due: number }
  | { to: 'parked'; room: string }

export type Tasks = ReturnType<typeof createTasks>

/** @param tell hears when the first of the tasks is due that a change put somewhere else, once that is on disk */
export function createTasks(store: Store, tell: (kind: string, shard: number, due: number) => void = () => undefined) {
  const changeShard = async <T>(
    kind: string,
    shard: number,
    apply: (tx: Transaction, changes: Changes) => Promise<T>,
    hears: typeof tell = tell,
    also?: Also,
  ): Promise<T> => {
    const partitions = [partitionOf(kind, shard), ...(also ? [also.partition] : [])]
    const { result, soonest } = await store.write(partitions, async (tx) => {
      const changes = createChanges(tx)
      const result = await apply(tx, changes)
      await changes.count()
      await also?.apply(tx.in(also.partition))
      return { result, soonest: changes.soonest }
    })
    if (soonest < Infinity) hears(kind, shard, soonest)
    return result
  }

  const leaving = createLeaving((partition) =>
    leaving.leaveWith(partition, (tasks) =>
      store.write(partition, async (tx) => {
        const changes = createChanges(tx)
        await removeAll(tx, changes, tasks())
        await changes.count()
      }),
    ),
  )

  /** The shard of a task of which only the id is known: most often that of its lane, which could be any. */
  const locate = async (kind: string, id: string): Promise<number | undefined> => {
    checkId(id)
    const own = shardOf(id)
    for (const shard of [own, ...SHARD_NUMBERS.filter((other) => other !== own)]) {
      const found = await store.read(partitionOf(kind, shard), (view) => view.get(placeKey(id)))
      if (found !== undefined) return shard
    }
    return undefined
  }

  /** Changes a task nobody holds. False when there is no such task, or somebody holds it. */
  const changeFree = async (
    kind: string,
    id: string,
    now: number,
    running: ReadonlySet<string>,
    apply: (changes: Changes, found: Found) => void,
  ): Promise<boolean> => {
    const shard = await locate(kind, id)
    if (shard === undefined) return false
    return changeShard(kind, shard, async (tx, changes) => {
      const found = await find(tx, id)
      if (!found || running.has(id) || isLeased(found, now)) return false
      apply(changes, found)
      return true
    })
  }

  /** Changes a task whose lease is one's own. False, and nothing is changed, when it has gone to somebody else. */
  const changeHeld = (
    kind: string,
    shard: number,
    { id, token }: Held,
    apply: (changes: Changes, found: Found) => void,
  ): Promise<boolean> =>
    changeShard(kind, shard, async (tx, changes) => {
      const found = await find(tx, id)
      if (!found || !isHeldBy(found, token)) return false
      apply(changes, found)
      return true
    })

  return {
    /** @throws RangeError, TypeError for a task that can't be stored */
    check(task: NewTask<unknown>): void {
      checkId(task.id)
      if (task.lane !== undefined) {
        checkLane(task.lane)
        checkPriority(task.priority)
      }
      wholeMs(task.due)
      encode(task.payload)
    },

    async add(kind: string, task: NewTask<unknown>, now: number, also?: Also): Promise<void> {
      // What can't be stored is refused before anybody shares a commit with it.
      this.check(task)
      const due = wholeMs(task.due)
      const record: TaskRecord = { payload: task.payload, attempts: 0, failures: 0, queuedAt: now }
      if (task.lane !== undefined) Object.assign(record, { lane: task.lane, priority: checkPriority(task.priority) })
      const shard = shardOf(task.lane ?? task.id)
      await leaving.leaveWith(partitionOf(kind, shard), (tasks) =>
        changeShard(
          kind,
          shard,
          async (tx, changes) => {
            await removeAll(tx, changes, tasks())
            if ((await tx.get(placeKey(task.id))) !== undefined) return
            changes.add(task.id, restingPlace(record, due, now), record)
          },
          tell,
          also,
        ),
      )
    },

    /** Whoever is at work on it. */
    async drop(kind: string, id: string, also: Also): Promise<void> {
      const shard = (await locate(kind, id)) ?? shardOf(id)
      await changeShard(
        kind,
        shard,
        async (tx, changes) => {
          const found = await find(tx, id)
          if (found) changes.remove(found)
        },
        tell,
        also,
      )
    },

    /** False when there is no such task, or somebody holds it. */
    async move(
      kind: string,
      id: string,
      due: number,
      now: number,
      running: ReadonlySet<string>,
      change: (payload: unknown) => unknown = (payload) => payload,
    ): Promise<boolean> {
      const newDue = wholeMs(due)
      return changeFree(kind, id, now, running, (changes, found) => {
        const record = { ...found.record, token: undefined, payload: change(found.record.payload) }
        changes.move(found, restingPlace(record, newDue, now), record)
      })
    },

    /** False when there is no such task, or somebody holds it. */
    async remove(kind: string, id: string, now: number, running: ReadonlySet<string>): Promise<boolean> {
      return changeFree(kind, id, now, running, (changes, found) => changes.remove(found))
    },

    async get<P>(kind: string, id: string, now: number): Promise<QueuedTask<P> | undefined> {
      const shard = await locate(kind, id)
      if (shard === undefined) return undefined
      const found = await store.read(partitionOf(kind, shard), (view) => find<P>(view, id))
      return found && queued(found, now)
    },

    /** Takes what is due in a shard: what has no lane, earliest first; then the lanes in turn. */
    async take<P>(kind: string, shard: number, taking: Taking<P>): Promise<Taken<P>> {
      const { limit, lease, running } = taking
      const { now } = lease
      const apply = async (tx: Transaction, changes: Changes): Promise<Taken<P>> => {
        const tasks: TakenTask<P>[] = []
        let nextDue = Infinity

        let count = 0
        const parked = new Set<string>()
        const use = (found: Found<P>): boolean => {
          if (tasks.length === limit) return false
          const wait = taking.waitsFor?.(found.record.payload)
          if (!wait) {
            tasks.push(leaseTo(changes, found, lease))
            return true
          }
          count++
          if ('room' in wait) parked.add(wait.room)
          else nextDue = Math.min(nextDue, wait.due)
          const { due } = found.place
          const place = 'room' in wait ? parkedPlace(found.record, due, wait.room) : ({ in: 'task', ...wait } as const)
          changes.move(found, place, found.record)
          return true
        }

        let promoted = 0
        let { turn } = taking
        /** Takes what has no lane, makes ready what has one. False when that has to wait for the next look. */
        const arrive = (found: Found<P>): boolean => {
          if (running.has(found.id)) {
            nextDue = Math.min(nextDue, now + PASSED_OVER_MS)
            return true
          }
          if (found.record.lane === undefined) return count < MAX_PARKED && use(found)
          if (promoted === MAX_PROMOTED) return false
          promoted++
          const record = { ...found.record, token: undefined }
          changes.move(found, restingPlace(record, Math.min(found.place.due, now), now), record)
          return true
        }

        for (const id of taking.early ?? []) {
          const found = await find<P>(tx, id)
          if (found?.place.in === 'task' && found.place.due !== HELD && found.record.attempts === 0) arrive(found)
        }
        for (const family of ['leased', 'task']) {
          const next = await eachDue<P>(tx, family, now, arrive)
          nextDue = Math.min(nextDue, next)
        }
        // What is made to wait leaves its place to the next.
        for (
          let most = limit - tasks.length, before = -1;
          count > before && count < MAX_PARKED;
          most = PARKED_AT_ONCE
        ) {
          before = count
          turn = await pick<P>(tx, ['ready'], { limit: most, turn, running, use })
        }
        // There may be more that is ready; the next look will see.
        if (tasks.length === limit || count >= MAX_PARKED) nextDue = now
        return { tasks, nextDue: nextDue === Infinity ? undefined : nextDue, turn, parked }
      }
      // Who takes is told by the answer when to look again.
      return changeShard(kind, shard, apply, () => undefined)
    },

    /**
     * Takes a task that waits and has not been taken before, without writing it down: for one process alone on its store, whose `running` has its
     * id already. One that waits for a room stays there.
     */
    async takeUnwritten<P>(
      kind: string,
      shard: number,
      id: string,
    ): Promise<TakenTask<P> | 'others first' | { room: string } | undefined> {
      // In the line of the writers, so that who changes it has done so, or sees that it is at work.
      return store.write(partitionOf(kind, shard), async (tx) => {
        const found = await find<P>(tx, id)
        if (found?.place.in === 'parked') return { room: found.place.room }
        const ready = await tx.range({ ...prefixRange('ready'), limit: 1 })
        if (ready.length > 0) return 'others first'
        if (found?.place.in !== 'task' || found.place.due === HELD || found.record.attempts > 0) return undefined
        const { payload, attempts, queuedAt, failures } = found.record
        return { task: { id, payload, attempts, queuedAt }, token: undefined, failures }
      })
    },

    /** Writes down that a task belongs to somebody who took it without that. @returns the token; undefined when it is somebody else's */
    async writeLease(kind: string, shard: number, id: string, until: number): Promise<string | undefined> {
      const token = randomUUID()
      const held = await changeHeld(kind, shard, { id, token: undefined }, (changes, found) =>
        changes.move(
          found,
          { in: 'leased', due: until },
          { ...found.record, attempts: found.record.attempts + 1, token },
        ),
      )
      return held ? token : undefined
    },

    /** Takes what waits for a room in a shard, the lanes in turn. */
    async takeParked<P>(
      kind: string,
      shard: number,
      room: string,
      { limit, lease, running, turn: before }: Pick<Taking, 'limit' | 'lease' | 'running' | 'turn'>,
    ): Promise<Pick<Taken<P>, 'tasks' | 'turn'>> {
      const apply = async (tx: Transaction, changes: Changes): Promise<Pick<Taken<P>, 'tasks' | 'turn'>> => {
        const tasks: TakenTask<P>[] = []
        const use = (found: Found<P>): boolean => tasks.push(leaseTo(changes, found, lease)) > 0
        const turn = await pick<P>(tx, ['parked', room], { limit, turn: before, running, use })
        return { tasks, turn }
      }
      return changeShard(kind, shard, apply, () => undefined)
    },

    /** Names of the rooms for which tasks of a shard wait. */
    async rooms(kind: string, shard: number): Promise<string[]> {
      return store.read(partitionOf(kind, shard), roomsOf)
    },

    /**
     * Makes due at once what a process that is gone had taken in a shard.
     *
     * @param running ids at work in this process
     */
    async giveBack(kind: string, shard: number, now: number, running: ReadonlySet<string>): Promise<void> {
      await changeShard(kind, shard, (tx, changes) =>
        eachRow(tx, 'leased', (found) => {
          const record = { ...found.record, token: undefined }
          if (!running.has(found.id)) changes.move(found, restingPlace(record, now, now), record)
          return true
        }),
      )
    },

    /** False when the lease has gone to somebody else. */
    async extend(kind: string, shard: number, held: Held, until: number): Promise<boolean> {
      return changeHeld(kind, shard, held, (changes, found) =>
        changes.move(found, { in: 'leased', due: until }, found.record),
      )
    },

    /** Changes nothing, and says false, when the lease has gone to somebody else. */
    async settle(kind: string, shard: number, held: Held, settlement: Settlement, now: number): Promise<boolean> {
      return changeHeld(kind, shard, held, (changes, found) => {
        const record: TaskRecord = { ...found.record, token: undefined }
        // That it was taken is written down now, if not before.
        if (held.token === undefined) record.attempts += 1
        switch (settlement.to) {
          case 'finished':
            changes.remove(found)
            break
          case 'queue':
            record.failures = settlement.failures
            if (settlement.payload !== undefined) record.payload = settlement.payload
            changes.move(found, restingPlace(record, settlement.due, now), record)
            break
          case 'untaken':
            record.attempts -= 1
            changes.move(found, restingPlace(record, settlement.due, now), record)
            break
          case 'parked':
            record.attempts -= 1
            changes.move(found, parkedPlace(record, now, settlement.room), record)
            break
        }
      })
    },

    /** Like `settle` to `finished`, but at some time soon: for what does no harm when it is done again. */
    async leave(kind: string, shard: number, held: Held): Promise<void> {
      await leaving.add(partitionOf(kind, shard), held)
    },

    /** Has those that are leaving leave now. */
    async letLeave(kind: string): Promise<void> {
      await leaving.flush(SHARD_NUMBERS.map((shard) => partitionOf(kind, shard)))
    },

    ...createListing(store),
  }
}

function leaseTo<P>(changes: Changes, found: Found<P>, { now, ms }: Taking['lease']): TakenTask<P> {
  const { payload, attempts, queuedAt, failures } = found.record
  const token = randomUUID()
  changes.move(found, { in: 'leased', due: now + ms }, { ...found.record, attempts: attempts + 1, token })
  return { task: { id: found.id, payload, attempts, queuedAt }, token, failures }
}

/** Whose lease is not written down has it as long as nobody else has taken the task. */
function isHeldBy({ record }: Found, token: string | undefined): boolean {
  return record.token === token && (token !== undefined || record.attempts === 0)
}

async function removeAll(tx: Transaction, changes: Changes, tasks: Leaving[]): Promise<void> {
  for (const { id, token } of tasks) {
    const found = await find(tx, id)
    if (found && isHeldBy(found, token)) changes.remove(found)
  }
}

/** Tells of what is due in a family whose rows stand in order of time. @returns when the next is due; Infinity when there is none */
async function eachDue<P>(
  view: View,
  family: string,
  now: number,
  tell: (found: Found<P>) => boolean,
): Promise<number> {
  let next = Infinity
  await eachRow<P>(view, family, (found) => {
    if (found.place.due <= now && tell(found)) return true
    next = Math.max(found.place.due, now)
    return false
  })
  return next
}

/** Reads a family in pages until `tell` says no. */
async function eachRow<P>(view: View, family: string, tell: (found: Found<P>) => boolean): Promise<void> {
  const { gte, lt } = prefixRange(family)
  for (let from = gte, limit = FIRST_PAGE; ; limit = PAGE) {
    const rows = await view.range({ gte: from, lt, limit })
    for (const row of rows) if (!tell(rowOf<P>(...row))) return
    const last = rows.at(-1)
    if (!last || rows.length < limit) return
    from = keyAfter(last[0])
  }
}

function checkPriority(priority: Priority = DEFAULT_PRIORITY): Priority {
  if (!PRIORITIES.includes(priority)) throw new RangeError(`Not a priority: ${String(priority)}`)
  return priority
}
