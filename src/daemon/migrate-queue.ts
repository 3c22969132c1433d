/**
 * Version 3: a task is one row of `queue/<kind>/<shard>`. Before, a kind had 16 partitions `work/<kind>/<shard>`, in which the row of a task moved between
 * families, beside a row by id that said where it was, and a count. A page of tasks is moved in one commit, so each is in one of the two places.
 */
import { DEFAULT_PRIORITY, HELD, PRIORITIES } from '../queue/types.js'
import type { Priority } from '../queue/types.js'
import { encodeTask, partitionOf, taskKey } from '../queue/rows.js'
import type { TaskRecord } from '../queue/rows.js'
import { decode, keyParts, prefixRange } from '../store/keys.js'
import type { Store, Transaction } from '../store/types.js'

const PAGE = 500
/** Families of tasks: what waits, what is due, what waits for room, what somebody had taken. */
const TASKS = ['task', 'ready', 'parked', 'leased'] as const
const OTHERS = ['place', 'count'] as const

interface OldRecord {
  payload: unknown
  attempts: number
  failures: number
  queuedAt: number
  lane?: string
  priority?: number
  /** Of who had taken it. */
  token?: string
}

/** @param cursor the partition that was finished last */
export async function tasksInOneRow(store: Store, cursor: string): Promise<string | undefined> {
  const [name] = await store.partitions(cursor === '' ? 'work/' : cursor, 1)
  const [, kind] = /^work\/(.+)\/\d+$/.exec(name ?? '') ?? []
  if (name === undefined || kind === undefined) return undefined
  const to = partitionOf(kind, 0)
  const moved = await store.write([name, to], async (tx) => (await movePage(tx, to)) || dropPage(tx))
  return moved ? cursor || 'work/' : name
}

/** @returns false when there was no task */
async function movePage(tx: Transaction, to: string): Promise<boolean> {
  for (const family of TASKS) {
    const rows = await tx.range({ ...prefixRange(family), limit: PAGE })
    for (const [row, value] of rows) {
      const parts = keyParts(row)
      const record = decode<OldRecord>(value)
      const isTaken = family === 'leased' || record.token !== undefined
      // By family: due, id; priority, lane, due, id; room, priority, lane, due, id; end of the lease, id.
      const due = Number(parts.at(-2))
      const id = String(parts.at(-1))
      tx.in(to).put(taskKey(id), encodeTask(newRecord(record, isTaken && due !== HELD ? record.queuedAt : due)))
      tx.delete(row)
    }
    if (rows.length > 0) return true
  }
  return false
}

function newRecord({ payload, attempts, failures, queuedAt, lane = '', priority }: OldRecord, due: number): TaskRecord {
  const isKnown = (n: number | undefined): n is Priority => PRIORITIES.some((one) => one === n)
  const known = lane !== '' && isKnown(priority) ? priority : DEFAULT_PRIORITY
  return { due, queuedAt, attempts, failures, lane, priority: known, payload }
}

async function dropPage(tx: Transaction): Promise<boolean> {
  for (const family of OTHERS) {
    const rows = await tx.range({ ...prefixRange(family), limit: PAGE })
    for (const [row] of rows) tx.delete(row)
    if (rows.length > 0) return true
  }
  return false
}
