/** Reading receipts: the newest first, day by day, all of them or those of one address. */
import { z } from 'zod'
import type { Clock } from '../lib/clock.js'
import { DAY } from '../lib/clock.js'
import { decodeCursor, encodeCursor } from '../lib/cursor.js'
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
