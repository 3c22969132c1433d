/**
 * Version 3: a task is one row of `queue/<kind>/<shard>`. Before, a kind had 16 partitions `work/<kind>/<shard>`, where a task's row moved between families,
 * beside a row by id with its family, and a count. A page of tasks moves in one commit, so each is in one of the two places.
 */
import { DEFAULT_PRIORITY, HELD, PRIORITIES, type Priority } from '../../queue/types.js'
import { encodeTask, partitionOf, taskKey, type TaskRecord } from '../../queue/rows.js'
import { key, prefixRange } from '../../store/keys.js'
import type { Store, Transaction } from '../../store/types.js'
import type { Work } from './migration.js'
import { dropSome, partitionsOf, readable, readableParts } from './old-rows.js'

const PAGE = 500
/** Families of tasks: waiting, due, waiting for capacity, taken. */
const TASKS = ['task', 'ready', 'parked', 'leased'] as const
const OTHERS = ['place', 'count'].map((family) => prefixRange(family))

interface OldRecord {
  payload: unknown
  attempts: number
  failures: number
  queuedAt: number
  lane?: string
  priority?: number
  /** Token of the worker that leased it. */
  token?: string
}

export async function countOldTasks(store: Store): Promise<number> {
  let all = 0
  for await (const partition of partitionsOf(store, 'work/')) {
    const bytes = await store.read(partition, (view) => view.get(key('count')))
    const counts = bytes ? readable<Record<string, number>>(bytes) : undefined
    for (const count of Object.values(counts ?? {})) if (Number.isSafeInteger(count)) all += count
  }
  return all
}

/** @param cursor the last finished partition */
export async function tasksInOneRow(store: Store, cursor: string, work: Work): Promise<string | undefined> {
  const [name] = await store.partitions(cursor === '' ? 'work/' : cursor, 1)
  const [, kind] = /^work\/(.+)\/\d+$/.exec(name ?? '') ?? []
  if (name === undefined || kind === undefined) return undefined
  const to = partitionOf(kind, 0)
  const moved = await store.write(
    [name, to],
    async (tx) => (await movePage(tx, name, to, work)) || dropSome(tx, OTHERS, PAGE),
  )
  return moved ? cursor || 'work/' : name
}

/** @returns false if there was no task */
async function movePage(tx: Transaction, from: string, to: string, work: Work): Promise<boolean> {
  for (const family of TASKS) {
    const rows = await tx.range({ ...prefixRange(family), limit: PAGE })
    let moved = 0
    for (const [row, value] of rows) {
      const task = readTask(family, row, value)
      if (task) {
        tx.in(to).put(taskKey(task.id), encodeTask(task.record))
        tx.delete(row)
        moved++
      } else work.setAside(tx, from, [row, value])
    }
    tx.afterCommit(() => work.moved(moved))
    if (rows.length > 0) return true
  }
  return false
}

function readTask(
  family: (typeof TASKS)[number],
  row: Uint8Array,
  value: Uint8Array,
): { id: string; record: TaskRecord } | undefined {
  const record = readable<OldRecord>(value)
  if (!record || !Number.isSafeInteger(record.queuedAt)) return undefined
  const parts = readableParts(row)
  // By family: due, id; priority, lane, due, id; waits for, priority, lane, due, id; end of the lease, id.
  const due = Number(parts?.at(-2))
  const id = parts?.at(-1)
  if (typeof id !== 'string' || !Number.isSafeInteger(due)) return undefined
  const isTaken = family === 'leased' || record.token !== undefined
  return { id, record: newRecord(record, isTaken && due !== HELD ? record.queuedAt : due) }
}

function newRecord({ payload, attempts, failures, queuedAt, lane = '', priority }: OldRecord, due: number): TaskRecord {
  const isKnown = (n: number | undefined): n is Priority => PRIORITIES.some((one) => one === n)
  const known = lane !== '' && isKnown(priority) ? priority : DEFAULT_PRIORITY
  return { due, queuedAt, attempts, failures, lane, priority: known, payload }
}
