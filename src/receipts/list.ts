/** Reading receipts: the newest first, day by day, all of them or those of one address. */
import { z } from 'zod'
import type { Clock } from '../lib/clock.js'
import { DAY, HOUR, MINUTE } from '../lib/clock.js'
import { decodeCursor, encodeCursor } from '../lib/cursor.js'
import { idTime, isId } from '../lib/ids.js'
import { addressKey } from '../mime/address.js'
import { decode, keyParts } from '../store/keys.js'
import type { Store, View } from '../store/types.js'
import * as keys from './keys.js'
import type { DayRow } from './keys.js'
import type { Receipt, ReceiptList, ReceiptQuery } from './types.js'

/** Time and id of the last receipt of a page. */
const cursorSchema = z.tuple([z.int().nonnegative(), z.string().max(64)])

export interface ListDeps {
  store: Store
  clock: Clock
  retentionMs: number
}

export function createList({ store, clock, retentionMs }: ListDeps): (query: ReceiptQuery) => Promise<ReceiptList> {
  return async ({ address, since = 0, limit, cursor, ...query }) => {
    const until = query.until === undefined ? undefined : Math.max(0, query.until)
    const after = decodeCursor(cursor, cursorSchema)
    const range = keys.listed(address === undefined ? undefined : addressKey(address))
    // What is past its time is not told of, even before a sweep took it away.
    const from = Math.max(since, clock.now() - retentionMs, 0)
    const data: Receipt[] = []
    let notKept = 0
    for (const day of (await daysOf(store)).reverse()) {
      const start = keys.endOfDay(day) - DAY
      if (keys.endOfDay(day) <= from || (until !== undefined && start >= until)) continue
      if (data.length <= limit && (after === undefined || start <= after[0])) {
        const ends = [until === undefined ? range.end : range.before(until), after ? range.before(...after) : range.end]
        const [lt = range.end] = ends.sort(Buffer.compare)
        const wanted = { gte: range.from(from), lt, limit: limit + 1 - data.length }
        data.push(...(await store.read(keys.dayPartition(day), (view) => receiptsIn(view, wanted, address))))
      }
      notKept += await store.read(keys.dayPartition(day), async (view) => {
        const row = await view.get(keys.dayRowKey)
        return row ? decode<DayRow>(row).notKept : 0
      })
    }
    const page = data.slice(0, limit)
    const last = page.at(-1)
    const hasMore = data.length > limit
    return {
      data: page,
      has_more: hasMore,
      next_cursor: hasMore && last ? encodeCursor([Date.parse(last.at), last.id]) : null,
      not_kept: notKept,
    }
  }
}

/** How long before its id was made a receipt may stand, for a clock that was set, and how long after: an attempt ends within its time limits. */
const EARLIEST_MS = MINUTE
const LATEST_MS = HOUR
/** Receipts that one read passes over. */
const FIND_STEP = 500
/** Receipts that are passed over for an id whose time is not that of its receipt. */
const MAX_PASSED = 100_000

/**
 * Finds one receipt by its id. It stands under the time at which its attempt ended, which is soon after its id was made: so it is found by going through
 * the receipts from that moment on, and needs no row of its own. After the clock was set back, ids have a later time than what happens; then the newest
 * receipts are gone through.
 */
export function createFind({ store, clock, retentionMs }: ListDeps): (id: string) => Promise<Receipt | undefined> {
  async function within(id: string, from: number, until: number, atMost: number): Promise<Receipt | undefined> {
    const { before, end } = keys.listed(undefined)
    let left = atMost
    for (const day of (await daysOf(store)).reverse()) {
      if (keys.endOfDay(day) <= from || keys.endOfDay(day) - DAY >= until) continue
      const gte = before(from)
      let lt = [before(until), end].sort(Buffer.compare)[0] ?? end
      while (left > 0) {
        const wanted = { gte, lt, limit: FIND_STEP, reverse: true }
        const rows = await store.read(keys.dayPartition(day), (view) => view.range(wanted))
        const found = rows.find(([key]) => keyParts(key)[2] === id)
        if (found) return decode<Receipt>(found[1])
        left -= rows.length
        const last = rows.at(-1)
        if (!last || rows.length < FIND_STEP) break
        lt = last[0]
      }
    }
    return undefined
  }

  return async (id) => {
    if (!isId('rcp', id)) return undefined
    const [made, kept] = [idTime(id), Math.max(clock.now() - retentionMs, 0)]
    const soonAfter = await within(id, Math.max(made - EARLIEST_MS, kept), made + LATEST_MS, Number.POSITIVE_INFINITY)
    return soonAfter ?? within(id, kept, clock.now() + DAY, MAX_PASSED)
  }
}

/** Days that have receipts, the oldest first. */
export async function daysOf(store: Store): Promise<string[]> {
  const rows = await store.read(keys.DAYS_PARTITION, (view) => view.range({ ...keys.daysRange, limit: 10_000 }))
  return rows.map(([key]) => String(keyParts(key)[1]))
}

async function receiptsIn(
  view: View,
  range: { gte: Uint8Array; lt: Uint8Array; limit: number },
  address: string | undefined,
): Promise<Receipt[]> {
  const rows = await view.range({ ...range, reverse: true })
  if (address === undefined) return rows.map(([, value]) => decode<Receipt>(value))
  const places = rows.map(([key]) => keyParts(key).slice(2))
  const found = await view.getMany(places.map(([at, id]) => keys.receiptKey(Number(at), String(id))))
  return found.filter((value) => value !== undefined).map((value) => decode<Receipt>(value))
}
