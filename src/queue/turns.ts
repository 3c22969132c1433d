/**
 * Whose turn it is: of what is ready in a shard, the lanes are served one after the other within a priority, and the priorities by their
 * weights, so that none waits for ever. All that is remembered is the lane that was served last; lanes are found by skipping from one
 * to the next in the order of keys, so what is ready costs no memory.
 */
import { prefixRange } from '../store/keys.js'
import { rowOf } from './rows.js'
import type { Found } from './rows.js'
import { PRIORITIES } from './types.js'
import type { View } from '../store/types.js'

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

/** What is in turn: all that is ready, or what waits for one room. */
export type Within = readonly ['ready'] | readonly ['parked', room: string]

export interface Picking<P> {
  turn: Turn
  /** Ids at work in this process: passed over. */
  running: ReadonlySet<string>
  /** So many are offered at most. */
  limit: number
  /** Offered one after the other. False when no more is wanted, and that one neither. */
  use: (found: Found<P>) => boolean
}

/** Offers what is next. @returns where the turns stand after it */
export async function pick<P>(view: View, within: Within, { limit, turn, running, use }: Picking<P>): Promise<Turn> {
  const lanes = [...turn.lanes]
  let { picks } = turn
  const lists = new Map<number, InTurn<P>[]>()
  const next = async (): Promise<InTurn<P> | undefined> => {
    for (const priority of [ORDER[picks % ORDER.length] ?? 0, ...PRIORITIES]) {
      const list =
        lists.get(priority) ?? (await inTurn<P>(view, within, priority, turn.lanes[priority], limit, running))
      lists.set(priority, list)
      const row = list.shift()
      if (row) return row
    }
    return undefined
  }
  for (let offered = 0; offered < limit; offered++) {
    const row = await next()
    if (!row || !use(row)) break
    lanes[row.place.priority] = row.place.lane
    picks++
  }
  return { picks, lanes }
}

type InTurn<P> = Found<P> & { place: { priority: number; lane: string } }

function isInTurn<P>(found: Found<P>): found is InTurn<P> {
  return 'lane' in found.place
}

/** The first `limit` tasks of a priority as their lanes take turns, beginning after the lane that was served last. */
async function inTurn<P>(
  view: View,
  within: Within,
  priority: number,
  after: string | undefined,
  limit: number,
  running: ReadonlySet<string>,
): Promise<InTurn<P>[]> {
  const free = (row: InTurn<P>): boolean => !running.has(row.id)
  const heads = await headsOf<P>(view, within, priority, after, limit)
  if (heads.length === limit) return heads.filter(free)
  const each = Math.ceil(limit / Math.max(heads.length, 1))
  const rounds: InTurn<P>[][] = []
  for (const { place } of heads) {
    const rows = await view.range({ ...prefixRange(...within, priority, place.lane), limit: each })
    for (const [i, [bytes, value]] of rows.entries()) {
      const found = rowOf<P>(bytes, value)
      if (isInTurn(found)) (rounds[i] ??= []).push(found)
    }
  }
  return rounds.flat().filter(free).slice(0, limit)
}

/** The first task of each of the next `limit` lanes. */
async function headsOf<P>(
  view: View,
  within: Within,
  priority: number,
  after: string | undefined,
  limit: number,
): Promise<InTurn<P>[]> {
  const all = prefixRange(...within, priority)
  const start = after === undefined ? all.gte : prefixRange(...within, priority, after).lt
  const heads: InTurn<P>[] = []
  for (const { gte, lt } of [
    { gte: start, lt: all.lt },
    { gte: all.gte, lt: start },
  ]) {
    for (let from = gte; heads.length < limit;) {
      const [row] = await view.range({ gte: from, lt, limit: 1 })
      const head = row && rowOf<P>(...row)
      if (!head || !isInTurn(head)) break
      heads.push(head)
      from = prefixRange(...within, priority, head.place.lane).lt
    }
  }
  return heads
}

/** Names of the rooms for which tasks of a shard wait. */
export async function roomsOf(view: View): Promise<string[]> {
  const all = prefixRange('parked')
  const names: string[] = []
  for (let from = all.gte; ;) {
    const [row] = await view.range({ gte: from, lt: all.lt, limit: 1 })
    const head = row && rowOf(...row)
    if (head?.place.in !== 'parked') return names
    names.push(head.place.room)
    from = prefixRange('parked', head.place.room).lt
  }
}
