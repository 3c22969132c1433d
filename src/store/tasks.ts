/**
 * What the work queue keeps on disk, and each change to it. A kind of task has 16 partitions `work/<kind>/<shard>`; in one stand
 *
 *     ('task', due, id) → the task, so that the first rows are those that are due
 *     ('place', id)     → its due, by which it is found when only the id is known
 *
 * A task that was taken stands at the end of its lease and carries the token of who took it: when nobody has moved it by then, it is
 * due again by itself.
 */
import { createHash, randomUUID } from 'node:crypto'
import { SECOND } from '../lib/clock.js'
import { decode, encode, key, keyAfter, keyParts, prefixRange } from './keys.js'
import type { QueuedTask, Store, Task, Transaction, View } from './types.js'

export const SHARDS = 16
const MAX_ID_BYTES = 1_000
/** Rows looked at in one turn of the event loop. */
const PAGE = 500
/** When to look again at a task that is due but still at work. */
const PASSED_OVER_MS = SECOND

interface TaskRecord {
  payload: unknown
  /** Times it was taken. */
  attempts: number
  /** Times its handler threw since it last came to an outcome. */
  failures: number
  queuedAt: number
  /** Whose it is until it is due. */
  token?: string
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
}

/** Where a task goes when it leaves its worker. */
export type Settlement =
  | { to: 'finished' }
  | { to: 'queue'; due: number; failures: number; payload?: unknown }
  /** As if it had not been taken. */
  | { to: 'untaken'; due: number }

export type Tasks = ReturnType<typeof createTasks>

export function createTasks(store: Store) {
  const change = <T>(kind: string, id: string, apply: (tx: Transaction) => Promise<T>): Promise<T> =>
    store.write(partitionOf(kind, shardOf(id)), apply)

  return {
    async add(kind: string, task: { id: string; payload: unknown; due: number }, now: number): Promise<void> {
      checkId(task.id)
      const due = wholeMs(task.due)
      const record = encode({ payload: task.payload, attempts: 0, failures: 0, queuedAt: now } satisfies TaskRecord)
      await change(kind, task.id, async (tx) => {
        if ((await tx.get(placeKey(task.id))) !== undefined) return
        tx.put(taskKey(due, task.id), record)
        tx.put(placeKey(task.id), encode(due))
      })
    },

    /** False when there is no such task, or somebody holds it. */
    async move(kind: string, id: string, due: number, now: number, running: ReadonlySet<string>): Promise<boolean> {
      checkId(id)
      const newDue = wholeMs(due)
      return change(kind, id, async (tx) => {
        const found = await find(tx, id)
        if (!found || running.has(id) || isLeased(found, now)) return false
        put(tx, id, found.due, newDue, { ...found.record, token: undefined })
        return true
      })
    },

    /** False when there is no such task, or somebody holds it. */
    async remove(kind: string, id: string, now: number, running: ReadonlySet<string>): Promise<boolean> {
      checkId(id)
      return change(kind, id, async (tx) => {
        const found = await find(tx, id)
        if (!found || running.has(id) || isLeased(found, now)) return false
        tx.delete(taskKey(found.due, id))
        tx.delete(placeKey(id))
        return true
      })
    },

    async get<P>(kind: string, id: string, now: number): Promise<QueuedTask<P> | undefined> {
      checkId(id)
      const found = await store.read(partitionOf(kind, shardOf(id)), (view) => find<P>(view, id))
      return found && queued(id, found, now)
    },

    /**
     * Takes what is due in a shard, earliest first.
     *
     * @param running ids at work in this process: not taken, whatever their lease says
     */
    async take<P>(
      kind: string,
      shard: number,
      limit: number,
      lease: { now: number; ms: number },
      running: ReadonlySet<string>,
    ): Promise<Taken<P>> {
      return store.write(partitionOf(kind, shard), async (tx) => {
        const taken: Taken<P> = { tasks: [], nextDue: undefined }
        const { gte, lt } = prefixRange('task')
        for (let from = gte; ;) {
          const rows = await tx.range({ gte: from, lt, limit: limit + 1 })
          for (const [bytes, value] of rows) {
            const { due, id } = place(bytes)
            if (due > lease.now || taken.tasks.length === limit) {
              return { ...taken, nextDue: Math.min(due, taken.nextDue ?? Infinity) }
            }
            from = keyAfter(bytes)
            if (running.has(id)) {
              taken.nextDue = lease.now + PASSED_OVER_MS
              continue
            }
            const record = decode<TaskRecord & { payload: P }>(value)
            const { payload, attempts, failures, queuedAt } = record
            const token = randomUUID()
            put(tx, id, due, lease.now + lease.ms, { ...record, attempts: attempts + 1, token })
            taken.tasks.push({ task: { id, payload, attempts, queuedAt }, token, failures })
          }
          if (rows.length <= limit) return taken
        }
      })
    },

    /**
     * Makes due at once what a process that is gone had taken in a shard. A lease of `leaseMs` that is running ends in so much time at the
     * most, so only the rows that are due until then are looked at.
     *
     * @param running ids at work in this process
     */
    async giveBack(
      kind: string,
      shard: number,
      lease: { now: number; ms: number },
      running: ReadonlySet<string>,
    ): Promise<void> {
      const { now, ms } = lease
      await store.write(partitionOf(kind, shard), async (tx) => {
        for (let from = taskKey(now, ''); ;) {
          const rows = await tx.range({ gte: from, lt: taskKey(now + ms + 1, ''), limit: PAGE })
          for (const [bytes, value] of rows) {
            const { due, id } = place(bytes)
            const record = decode<TaskRecord>(value)
            if (record.token !== undefined && !running.has(id)) put(tx, id, due, now, { ...record, token: undefined })
          }
          const last = rows.at(-1)
          if (!last || rows.length < PAGE) return
          from = keyAfter(last[0])
        }
      })
    },

    /** False when the lease has gone to somebody else. */
    async extend(kind: string, id: string, token: string, until: number): Promise<boolean> {
      return change(kind, id, async (tx) => {
        const found = await find(tx, id)
        if (found?.record.token !== token) return false
        put(tx, id, found.due, until, found.record)
        return true
      })
    },

    /** Changes nothing, and says false, when the lease has gone to somebody else. */
    async settle(kind: string, id: string, token: string, settlement: Settlement): Promise<boolean> {
      return change(kind, id, async (tx) => {
        const found = await find(tx, id)
        if (found?.record.token !== token) return false
        const record: TaskRecord = { ...found.record, token: undefined }
        switch (settlement.to) {
          case 'finished':
            tx.delete(taskKey(found.due, id))
            tx.delete(placeKey(id))
            break
          case 'queue':
            record.failures = settlement.failures
            if (settlement.payload !== undefined) record.payload = settlement.payload
            put(tx, id, found.due, settlement.due, record)
            break
          case 'untaken':
            record.attempts -= 1
            put(tx, id, found.due, settlement.due, record)
            break
        }
        return true
      })
    },

    /** Earliest first. */
    async list<P>(kind: string, limit: number, now: number): Promise<QueuedTask<P>[]> {
      const shards = Array.from({ length: SHARDS }, (_, shard) =>
        store.read(partitionOf(kind, shard), (view) => view.range({ ...prefixRange('task'), limit })),
      )
      return (await Promise.all(shards))
        .flat()
        .map(([bytes, value]) => queuedRow<P>(bytes, value, now))
        .sort((a, b) => a.due - b.due)
        .slice(0, limit)
    },

    async *all<P>(kind: string, now: () => number): AsyncGenerator<QueuedTask<P>> {
      for (let shard = 0; shard < SHARDS; shard++) {
        const { gte, lt } = prefixRange('task')
        for (let from = gte; ;) {
          const rows = await store.read(partitionOf(kind, shard), (view) => view.range({ gte: from, lt, limit: PAGE }))
          for (const [bytes, value] of rows) yield queuedRow<P>(bytes, value, now())
          const last = rows.at(-1)
          if (!last || rows.length < PAGE) break
          from = keyAfter(last[0])
        }
      }
    },
  }
}

export function partitionOf(kind: string, shard: number): string {
  return `work/${kind}/${shard}`
}

/** Milliseconds since the epoch as a key takes them, rounded up: never due too early. */
export function wholeMs(ms: number): number {
  const whole = Math.max(0, Math.ceil(ms))
  if (!Number.isSafeInteger(whole)) throw new RangeError(`Not a time: ${ms}`)
  return whole
}

function shardOf(id: string): number {
  return createHash('sha256').update(id).digest().readUInt8() % SHARDS
}

function checkId(id: string): void {
  const bytes = Buffer.byteLength(id)
  if (bytes === 0 || bytes > MAX_ID_BYTES) {
    throw new RangeError(`A task's id has 1 to ${MAX_ID_BYTES} bytes; this one has ${bytes}`)
  }
}

function taskKey(due: number, id: string): Uint8Array {
  return key('task', due, id)
}

function placeKey(id: string): Uint8Array {
  return key('place', id)
}

function place(bytes: Uint8Array): { due: number; id: string } {
  const [, due, id] = keyParts(bytes)
  return { due: Number(due), id: String(id) }
}

interface Found<P> {
  due: number
  record: TaskRecord & { payload: P }
}

async function find<P = unknown>(view: View, id: string): Promise<Found<P> | undefined> {
  const dueBytes = await view.get(placeKey(id))
  if (dueBytes === undefined) return undefined
  const due = decode<number>(dueBytes)
  const bytes = await view.get(taskKey(due, id))
  return bytes && { due, record: decode<Found<P>['record']>(bytes) }
}

function queuedRow<P>(bytes: Uint8Array, value: Uint8Array, now: number): QueuedTask<P> {
  const { id, due } = place(bytes)
  return queued(id, { due, record: decode<Found<P>['record']>(value) }, now)
}

function queued<P>(id: string, found: Found<P>, now: number): QueuedTask<P> {
  const { payload, attempts, queuedAt } = found.record
  return { id, payload, attempts, queuedAt, due: found.due, leased: isLeased(found, now) }
}

function put(tx: Transaction, id: string, oldDue: number, due: number, record: TaskRecord): void {
  if (oldDue !== due) {
    tx.delete(taskKey(oldDue, id))
    tx.put(placeKey(id), encode(due))
  }
  tx.put(taskKey(due, id), encode(record))
}

function isLeased({ due, record }: Found<unknown>, now: number): boolean {
  return record.token !== undefined && due > now
}
