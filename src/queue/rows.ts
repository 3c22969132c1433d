/**
 * The row of a task, `('task', id)` in a partition `queue/<kind>/<shard>`: everything durable about it. Written in the transaction of what the task belongs to,
 * removed in the one that finishes it. Beside it, for the owner of a shard, the notes of other nodes (notes.ts).
 */
import { decode, encode, key, keyParts, prefixRange } from '../store/keys.js'
import { DEFAULT_PRIORITY, PRIORITIES, type NewTask, type Priority } from './types.js'

const MAX_ID_BYTES = 1_000
const MAX_LANE_BYTES = 200
const MAX_ROOM_BYTES = 262

export interface TaskRecord {
  due: number
  queuedAt: number
  /** Completed runs. Runs cut off by a crash do not count: nothing is written when a task is taken. */
  attempts: number
  /** Consecutive runs in which its handler threw. */
  failures: number
  /** '' for a task without one. */
  lane: string
  priority: Priority
  payload: unknown
}

type Stored = [due: number, queuedAt: number, attempts: number, failures: number, payload: unknown, ...lane: LanePart]
type LanePart = [] | [lane: string, priority: Priority]

export const taskRange = prefixRange('task')
export const noteRange = prefixRange('note')

export function partitionOf(kind: string, shard: number): string {
  return `queue/${kind}/${shard}`
}

export function shardIn(partition: string, kind: string): number | undefined {
  const prefix = partitionOf(kind, 0).slice(0, -1)
  const shard = partition.startsWith(prefix) ? partition.slice(prefix.length) : ''
  return /^\d+$/.test(shard) ? Number(shard) : undefined
}

export function taskKey(id: string): Uint8Array {
  return key('task', id)
}

/** @param nonce of a request; without one the owner only has to look at the task */
export function noteKey(id: string, nonce?: string): Uint8Array {
  return nonce === undefined ? key('note', id) : key('note', id, nonce)
}

export function idOf(rowKey: Uint8Array): string {
  return String(keyParts(rowKey)[1])
}

/** @throws TypeError for a payload that cannot be stored */
export function encodeTask({ due, queuedAt, attempts, failures, lane, priority, payload }: TaskRecord): Uint8Array {
  encode(payload)
  const ofLane: LanePart = lane === '' ? [] : [lane, priority]
  const stored: Stored = [due, queuedAt, attempts, failures, payload, ...ofLane]
  return encode(stored)
}

export function decodeTask(bytes: Uint8Array): TaskRecord {
  const [due, queuedAt, attempts, failures, payload, lane = '', priority = DEFAULT_PRIORITY] = decode<Stored>(bytes)
  return { due, queuedAt, attempts, failures, payload, lane, priority }
}

/** @throws RangeError for invalid fields */
export function recordOf(
  { id, payload, due, lane, priority = DEFAULT_PRIORITY }: NewTask<unknown>,
  now: number,
): TaskRecord {
  checkLength('id', id, MAX_ID_BYTES)
  if (lane !== undefined) checkLength('lane', lane, MAX_LANE_BYTES)
  if (!PRIORITIES.includes(priority)) throw new RangeError(`Not a priority: ${String(priority)}`)
  return {
    due: wholeMs(due),
    queuedAt: now,
    attempts: 0,
    failures: 0,
    lane: lane ?? '',
    priority: lane ? priority : DEFAULT_PRIORITY,
    payload,
  }
}

export function checkRoom(room: string): string {
  checkLength('room', room, MAX_ROOM_BYTES)
  return room
}

function checkLength(what: string, name: string, most: number): void {
  const bytes = Buffer.byteLength(name)
  if (bytes === 0 || bytes > most)
    throw new RangeError(`A task's ${what} has 1 to ${most} bytes; this one has ${bytes}`)
}

/** Milliseconds since the epoch, rounded up: never due too early. */
export function wholeMs(ms: number): number {
  const whole = Math.max(0, Math.ceil(ms))
  if (!Number.isSafeInteger(whole)) throw new RangeError(`Not a time: ${ms}`)
  return whole
}

/** Kinds are parts of partition names, and few. */
export function checkKind(kind: string): string {
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(kind)) throw new RangeError(`Not a kind of task: ${JSON.stringify(kind)}`)
  return kind
}
