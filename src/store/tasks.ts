/** Each change to what the work queue keeps on disk (`rows.ts`), and reading it. */
import { randomUUID } from 'node:crypto'
import { SECOND } from '../lib/clock.js'
import { encode, keyAfter, prefixRange } from './keys.js'
import {
  checkId,
  checkLane,
  countsOf,
  createChanges,
  find,
  isLeased,
  PAGE,
  partitionOf,
  placeKey,
  queued,
  restingPlace,
  rowOf,
  shardOf,
  SHARDS,
  sum,
  wholeMs,
} from './rows.js'
import type { Changes, Found, TaskRecord } from './rows.js'
import { pick } from './turns.js'
import type { Turn } from './turns.js'
import { DEFAULT_PRIORITY, HELD, PRIORITIES } from './types.js'
import type { Priority, QueuedTask, Store, Task, TaskCounts, Transaction, View } from './types.js'

export { partitionOf, SHARDS, wholeMs }

/** When to look again at a task that is due but still at work. */
const PASSED_OVER_MS = SECOND
/** What one look makes ready; a commit of so many rows takes a few milliseconds. */
const MAX_PROMOTED = 256
/** Most looks find nothing that has come due, so they read little. */
const FIRST_PAGE = 4
/** Where others are to have their turn between pages. */
const SMALL_PAGE = 100

const SHARD_NUMBERS = Array.from({ length: SHARDS }, (_, shard) => shard)

export interface NewTask {
  id: string
  payload: unknown
  due: number
  lane?: string | undefined
  priority?: Priority | undefined
}

/** A task with the right to finish it. */
export interface TakenTask<P> {
  task: Task<P>
  token: string
  failures: number
}

export interface Taken<P> {
  tasks: TakenTask<P>[]
  /** When to look at this shard again, as far as is known now. */
  nextDue: number | undefined
  turn: Turn
}

export interface Taking {
  limit: number
  lease: { now: number; ms: number }
  /** Ids at work in this process: not taken, whatever their lease says. */
  running: ReadonlySet<string>
  turn: Turn
  /** Ids that may be taken before they are due, when they have not been taken before. */
  early?: Iterable<string>
}

/** Where a task goes when it leaves its worker. */
export type Settlement =
  | { to: 'finished' }
  | { to: 'queue'; due: number; failures: number; payload?: unknown }
  /** As if it had not been taken. */
  | { to: 'untaken'; due: number }

export type Tasks = ReturnType<typeof createTasks>

export function createTasks(store: Store) {
  const changeShard = <T>(
    kind: string,
    shard: number,
    apply: (tx: Transaction, changes: Changes) => Promise<T>,
  ): Promise<T> =>
    store.write(partitionOf(kind, shard), async (tx) => {
      const changes = createChanges(tx)
      const result = await apply(tx, changes)
      await changes.count()
      return result
    })

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
    { id, token }: { id: string; token: string },
    apply: (changes: Changes, found: Found) => void,
  ): Promise<boolean> =>
    changeShard(kind, shard, async (tx, changes) => {
      const found = await find(tx, id)
      if (found?.record.token !== token) return false
      apply(changes, found)
      return true
    })

  return {
    async add(kind: string, task: NewTask, now: number): Promise<void> {
      checkId(task.id)
      if (task.lane !== undefined) checkLane(task.lane)
      const due = wholeMs(task.due)
      const record: TaskRecord = { payload: task.payload, attempts: 0, failures: 0, queuedAt: now }
      if (task.lane !== undefined) Object.assign(record, { lane: task.lane, priority: checkPriority(task.priority) })
      // What can't be stored is refused before anybody shares a commit with it.
      encode(record)
      await changeShard(kind, shardOf(task.lane ?? task.id), async (tx, changes) => {
        if ((await tx.get(placeKey(task.id))) !== undefined) return
        changes.add(task.id, restingPlace(record, due, now), record)
      })
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
    async take<P>(kind: string, shard: number, taking: Taking): Promise<Taken<P>> {
      const { limit, lease, running } = taking
      const { now } = lease
      return changeShard(kind, shard, async (tx, changes) => {
        const tasks: TakenTask<P>[] = []
        const take = (found: Found<P>): void => {
          const { payload, attempts, queuedAt, failures } = found.record
          const token = randomUUID()
          changes.move(found, { in: 'leased', due: now + lease.ms }, { ...found.record, attempts: attempts + 1, token })
          tasks.push({ task: { id: found.id, payload, attempts, queuedAt }, token, failures })
        }

        let nextDue = Infinity
        let promoted = 0
        /** Takes what has no lane, makes ready what has one. False when that has to wait for the next look. */
        const arrive = (found: Found<P>): boolean => {
          if (running.has(found.id)) {
            nextDue = Math.min(nextDue, now + PASSED_OVER_MS)
            return true
          }
          if (found.record.lane === undefined) {
            if (tasks.length === limit) return false
            take(found)
            return true
          }
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
        const { rows, turn } = await pick<P>(tx, limit - tasks.length, taking.turn, running)
        for (const row of rows) take(row)
        // There may be more that is ready; the next look will see.
        if (tasks.length === limit) nextDue = now
        return { tasks, nextDue: nextDue === Infinity ? undefined : nextDue, turn }
      })
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
    async extend(kind: string, shard: number, held: { id: string; token: string }, until: number): Promise<boolean> {
      return changeHeld(kind, shard, held, (changes, found) =>
        changes.move(found, { in: 'leased', due: until }, found.record),
      )
    },

    /** Changes nothing, and says false, when the lease has gone to somebody else. */
    async settle(
      kind: string,
      shard: number,
      held: { id: string; token: string },
      settlement: Settlement,
      now: number,
    ): Promise<boolean> {
      return changeHeld(kind, shard, held, (changes, found) => {
        const record: TaskRecord = { ...found.record, token: undefined }
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
        }
      })
    },

    async counts(kind: string): Promise<TaskCounts> {
      const all = SHARD_NUMBERS.map((shard) => store.read(partitionOf(kind, shard), countsOf))
      return (await Promise.all(all)).reduce(sum)
    },

    /** Earliest first; of what is ready in more than one lane, the first rows only. */
    async list<P>(kind: string, limit: number, now: number): Promise<QueuedTask<P>[]> {
      const shards = SHARD_NUMBERS.map((shard) =>
        store.read(partitionOf(kind, shard), async (view) => {
          const rows: [Uint8Array, Uint8Array][] = []
          for (const family of FAMILIES) rows.push(...(await view.range({ ...prefixRange(family), limit })))
          return rows
        }),
      )
      return (await Promise.all(shards))
        .flat()
        .map((row) => queued(rowOf<P>(...row), now))
        .sort((a, b) => a.due - b.due)
        .slice(0, limit)
    },

    async *all<P>(kind: string, now: () => number): AsyncGenerator<QueuedTask<P>> {
      for (const shard of SHARD_NUMBERS) {
        for (const family of FAMILIES) {
          const { gte, lt } = prefixRange(family)
          for (let from = gte; ;) {
            const rows = await store.read(partitionOf(kind, shard), (view) =>
              view.range({ gte: from, lt, limit: SMALL_PAGE }),
            )
            for (const row of rows) yield queued(rowOf<P>(...row), now())
            const last = rows.at(-1)
            if (!last || rows.length < SMALL_PAGE) break
            from = keyAfter(last[0])
          }
        }
      }
    },
  }
}

const FAMILIES = ['leased', 'ready', 'task'] as const

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
