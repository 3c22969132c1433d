/**
 * Whose turn it is: of what is ready in a shard, the lanes are served one after the other within a priority, and the priorities by their
 * weights, so that none waits for ever. All that is remembered is the lane that was served last; lanes are found by skipping from one
 * to the next in the order of keys, so what is ready costs no memory.
 */
import { prefixRange } from './keys.js'
import { rowOf } from './rows.js'
import type { Found } from './rows.js'
import { PRIORITIES } from './types.js'
import type { View } from './types.js'

/** Where a shard's turns stand; it dies with the process, and no harm is done. */
export interface Turn {
  /** Tasks picked so far. */
  picks: number
  /** By priority, the lane that was served last. */
  lanes: readonly (string | undefined)[]
}

export const FIRST_TURN: Turn = { picks: 0, lanes: [] }

/** Which priority is asked first, pick by pick: of seven, four go to the highest, two to the middle and one to the lowest. */
const ORDER = [0, 1, 0, 2, 0, 1, 0] as const

/**
 * What is to be taken next, at most `limit`, and where the turns stand after it.
 *
 * @param running ids at work in this process: not picked
 */
export async function pick<P>(
  view: View,
  limit: number,
  turn: Turn,
  running: ReadonlySet<string>,
): Promise<{ rows: Found<P>[]; turn: Turn }> {
  const lanes = [...turn.lanes]
  let { picks } = turn
  const lists = new Map<number, Found<P>[]>()
  const next = async (): Promise<Found<P> | undefined> => {
    for (const priority of [ORDER[picks % ORDER.length] ?? 0, ...PRIORITIES]) {
      const list = lists.get(priority) ?? (await inTurn<P>(view, priority, turn.lanes[priority], limit, running))
      lists.set(priority, list)
      const row = list.shift()
      if (row) return row
    }
    return undefined
  }
  const rows: Found<P>[] = []
  while (rows.length < limit) {
    const row = await next()
    if (row?.place.in !== 'ready') break
    rows.push(row)
    lanes[row.place.priority] = row.place.lane
    picks++
  }
  return { rows, turn: { picks, lanes } }
}

/** The first `limit` ready tasks of a priority as their lanes take turns, beginning after the lane that was served last. */
async function inTurn<P>(
  view: View,
  priority: number,
  after: string | undefined,
  limit: number,
  running: ReadonlySet<string>,
): Promise<Found<P>[]> {
  const free = (row: Found<P>): boolean => !running.has(row.id)
  const heads = await headsOf<P>(view, priority, after, limit)
  if (heads.length === limit) return heads.filter(free)
  const each = Math.ceil(limit / Math.max(heads.length, 1))
  const rounds: Found<P>[][] = []
  for (const { place } of heads) {
    if (place.in !== 'ready') continue
    const rows = await view.range({ ...prefixRange('ready', priority, place.lane), limit: each })
    for (const [i, [bytes, value]] of rows.entries()) (rounds[i] ??= []).push(rowOf<P>(bytes, value))
  }
  return rounds.flat().filter(free).slice(0, limit)
}

/** The first task of each of the next `limit` lanes. */
async function headsOf<P>(view: View, priority: number, after: string | undefined, limit: number): Promise<Found<P>[]> {
  const all = prefixRange('ready', priority)
  const start = after === undefined ? all.gte : prefixRange('ready', priority, after).lt
  const heads: Found<P>[] = []
  for (const { gte, lt } of [
    { gte: start, lt: all.lt },
    { gte: all.gte, lt: start },
  ]) {
    for (let from = gte; heads.length < limit;) {
      const [row] = await view.range({ gte: from, lt, limit: 1 })
      if (!row) break
      const head = rowOf<P>(...row)
      heads.push(head)
      if (head.place.in === 'ready') from = prefixRange('ready', priority, head.place.lane).lt
    }
  }
  return heads
}
