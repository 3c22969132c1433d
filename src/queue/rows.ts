/**
 * What the work queue keeps on disk. A kind of task has 16 partitions `work/<kind>/<shard>`; in one stand
 *
 *     ('task', due, id)                  → a task that waits, so that the first rows are those that are due
 *     ('ready', priority, lane, due, id) → one of a lane that is due and may be taken; lanes take turns
 *     ('parked', room, priority, lane, due, id) → one that is due and waits until there is room for those of this name; lanes take turns
 *     ('leased', end, id)                → one that was taken, until its lease ends; then it is due again by itself
 *     ('place', id)                      → where among these its one row stands, by which it is found when only the id is known
 *     ('count')                          → how many there are of each, so that nobody has to count rows
 *
 * Tasks of one lane share a shard, so that the shards in turn are the lanes in turn. A task without a lane has the shard of its id, and
 * never a `ready` row: it is taken from where it waits. That is also the layout of stores from before there were lanes.
 */
import { createHash } from 'node:crypto'
import { decode, encode, key, keyAfter, keyParts, prefixRange } from '../store/keys.js'
import { HELD } from './types.js'
import type { QueuedTask, TaskCounts } from './types.js'
import type { Transaction, View } from '../store/types.js'

export const SHARDS = 16
/** Rows looked at in one turn of the event loop. */
export const PAGE = 500
const MAX_ID_BYTES = 1_000
const MAX_LANE_BYTES = 200
/** With the longest id and lane that is still a key (keys.ts). */
const MAX_ROOM_BYTES = 262

/** Families of rows that are tasks. */
export const FAMILIES = ['leased', 'ready', 'parked', 'task'] as const

export interface TaskRecord<P = unknown> {
  payload: P
  /** Times it was taken. */
  attempts: number
  /** Times its handler threw since it last came to an outcome. */
  failures: number
  queuedAt: number
  lane?: string
  priority?: number
  /** Whose it is until it is due. */
  token?: string
}

/** Where the row of a task stands. `due` is the end of the lease in a leased one. */
export type Place =
  | { in: 'task'; due: number }
  | { in: 'ready'; due: number; priority: number; lane: string }
  | { in: 'parked'; due: number; priority: number; lane: string; room: string }
  | { in: 'leased'; due: number }

export interface Found<P = unknown> {
  id: string
  place: Place
  record: TaskRecord<P>
}

export function partitionOf(kind: string, shard: number): string {
  return `work/${kind}/${shard}`
}

/** @param name the lane of a task, or its id when it has none */
export function shardOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt8() % SHARDS
}

export function checkId(id: string): void {
  const bytes = Buffer.byteLength(id)
  if (bytes === 0 || bytes > MAX_ID_BYTES) {
    throw new RangeError(`A task's id has 1 to ${MAX_ID_BYTES} bytes; this one has ${bytes}`)
  }
}

/** @param room name of what a task waits for */
export function checkRoom(room: string): string {
  const bytes = Buffer.byteLength(room)
  if (bytes === 0 || bytes > MAX_ROOM_BYTES) {
    throw new RangeError(`What a task waits for has a name of 1 to ${MAX_ROOM_BYTES} bytes; this one has ${bytes}`)
  }
  return room
}

export function checkLane(lane: string): void {
  const bytes = Buffer.byteLength(lane)
  if (bytes === 0 || bytes > MAX_LANE_BYTES) {
    throw new RangeError(`A task's lane has 1 to ${MAX_LANE_BYTES} bytes; this one has ${bytes}`)
  }
}

/** Milliseconds since the epoch as a key takes them, rounded up: never due too early. */
export function wholeMs(ms: number): number {
  const whole = Math.max(0, Math.ceil(ms))
  if (!Number.isSafeInteger(whole)) throw new RangeError(`Not a time: ${ms}`)
  return whole
}

export function rowKey(id: string, place: Place): Uint8Array {
  switch (place.in) {
    case 'ready':
      return key('ready', place.priority, place.lane, place.due, id)
    case 'parked':
      return key('parked', place.room, place.priority, place.lane, place.due, id)
    case 'task':
    case 'leased':
      return key(place.in, place.due, id)
  }
}

/** The row that a key and its value make. */
export function rowOf<P>(bytes: Uint8Array, value: Uint8Array): Found<P> {
  const [family, ...parts] = keyParts(bytes)
  const record = decode<TaskRecord<P>>(value)
  if (family === 'ready') {
    const [priority, lane, due, id] = parts
    return {
      id: String(id),
      place: { in: 'ready', due: Number(due), priority: Number(priority), lane: String(lane) },
      record,
    }
  }
  if (family === 'parked') {
    const [room, priority, lane, due, id] = parts
    return {
      id: String(id),
      place: {
        in: 'parked',
        due: Number(due),
        priority: Number(priority),
        lane: String(lane),
        room: String(room),
      },
      record,
    }
  }
  const [due, id] = parts
  return { id: String(id), place: { in: family === 'leased' ? 'leased' : 'task', due: Number(due) }, record }
}

export function placeKey(id: string): Uint8Array {
  return key('place', id)
}

/** A task that waits has its bare time there, as before there were other places. */
export function encodePlace(place: Place): Uint8Array {
  return encode(place.in === 'task' ? place.due : place)
}

export async function find<P = unknown>(view: View, id: string): Promise<Found<P> | undefined> {
  const bytes = await view.get(placeKey(id))
  if (bytes === undefined) return undefined
  const stored = decode<number | Place>(bytes)
  const place: Place = typeof stored === 'number' ? { in: 'task', due: stored } : stored
  const value = await view.get(rowKey(id, place))
  return value && { id, place, record: decode<TaskRecord<P>>(value) }
}

/** Where a task stands that nobody has taken. */
export function restingPlace({ lane, priority = 0 }: TaskRecord, due: number, now: number): Place {
  return lane === undefined || due > now ? { in: 'task', due } : { in: 'ready', due, priority, lane }
}

/** Where a task stands that is due and waits for room. */
export function parkedPlace({ lane = '', priority = 0 }: TaskRecord, due: number, room: string): Place {
  return { in: 'parked', due, priority, lane, room }
}

/** Somebody has taken it and his lease runs. A store from before there were lanes has such rows among those that wait. */
export function isLeased({ place, record }: Found, now: number): boolean {
  return record.token !== undefined && place.due > now
}

export function queued<P>(found: Found<P>, now: number): QueuedTask<P> {
  const { payload, attempts, queuedAt } = found.record
  return { id: found.id, payload, attempts, queuedAt, due: found.place.due, leased: isLeased(found, now) }
}

/** The changes of one transaction to the rows of a shard; it keeps the count of them. */
export function createChanges(tx: Transaction) {
  const change: TaskCounts = { waiting: 0, ready: 0, leased: 0, held: 0 }
  let soonest = Infinity

  const put = (id: string, place: Place, record: TaskRecord): void => {
    tx.put(rowKey(id, place), encode(record))
    tx.put(placeKey(id), encodePlace(place))
    change[stateOf(place)]++
    if (place.in !== 'parked') soonest = Math.min(soonest, place.due)
  }

  return {
    /** When the first of the tasks that were put somewhere is due; of those that wait for room that says nothing. */
    get soonest() {
      return soonest
    },
    add: put,
    move(found: Found, to: Place, record: TaskRecord): void {
      tx.delete(rowKey(found.id, found.place))
      change[stateOf(found.place)]--
      put(found.id, to, record)
    },
    remove({ id, place }: Found): void {
      tx.delete(rowKey(id, place))
      tx.delete(placeKey(id))
      change[stateOf(place)]--
    },
    /** The last call of a transaction that changed something. */
    async count(): Promise<void> {
      if (Object.values(change).every((n) => n === 0)) return
      const bytes = await tx.get(COUNT_KEY)
      // What was written in this transaction is among the rows that are counted.
      const counts = bytes ? sum(decode<TaskCounts>(bytes), change) : await countRows(tx)
      tx.put(COUNT_KEY, encode(counts))
    },
  }
}

export type Changes = ReturnType<typeof createChanges>

export async function countsOf(view: View): Promise<TaskCounts> {
  const bytes = await view.get(COUNT_KEY)
  return bytes ? decode<TaskCounts>(bytes) : countRows(view)
}

export function sum(a: TaskCounts, b: TaskCounts): TaskCounts {
  return {
    waiting: a.waiting + b.waiting,
    ready: a.ready + b.ready,
    leased: a.leased + b.leased,
    held: a.held + b.held,
  }
}

export const COUNT_KEY = key('count')

export function stateOf({ in: family, due }: Place): keyof TaskCounts {
  if (family === 'task') return due === HELD ? 'held' : 'waiting'
  return family === 'parked' ? 'ready' : family
}

/** Once in the life of a shard that is older than its count. */
async function countRows(view: View): Promise<TaskCounts> {
  const counts: TaskCounts = { waiting: 0, ready: 0, leased: 0, held: 0 }
  for (const family of FAMILIES) {
    const range = prefixRange(family)
    for (let from = range.gte; ;) {
      const rows = await view.range({ gte: from, lt: range.lt, limit: PAGE })
      for (const [bytes, value] of rows) counts[stateOf(rowOf(bytes, value).place)]++
      const last = rows.at(-1)
      if (!last || rows.length < PAGE) break
      from = keyAfter(last[0])
    }
  }
  return counts
}
