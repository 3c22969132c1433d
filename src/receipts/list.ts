/** Reads receipts: newest first, day by day, all or those of one address. */
import { z } from 'zod'
import { type Clock, DAY, HOUR, MINUTE } from '../lib/clock.js'
import { decodeCursor, encodeCursor } from '../lib/cursor.js'
import { idTime, isId } from '../lib/ids.js'
import { addressKey } from '../mime/address.js'
import { daysOf, endOfDay, startOfDay } from '../store/days.js'
import { decode } from '../store/keys.js'
import { pagesOf } from '../store/pages.js'
import type { Store, View } from '../store/types.js'
import * as keys from './keys.js'
import type { DayRow } from './keys.js'
import { addressesOf, hashOfAddress, mayHave, unpackReceipt } from './record.js'
import type { Receipt, ReceiptList, ReceiptQuery } from './types.js'

/** Time and id of the last receipt of a page. */
const cursorSchema = z.tuple([z.int().nonnegative(), z.string().refine((id) => isId('rcp', id))])

export interface ListDeps {
  store: Store
  clock: Clock
  retentionMs: number
}

type Row = [key: Uint8Array, value: Uint8Array]

export function createList({ store, clock, retentionMs }: ListDeps): (query: ReceiptQuery) => Promise<ReceiptList> {
  return async ({ address, since = 0, limit, cursor, ...query }) => {
    const until = query.until === undefined ? undefined : Math.max(0, query.until)
    const after = decodeCursor(cursor, cursorSchema)
    // Expired receipts are not listed, even before a sweep removes them.
    const from = Math.max(since, clock.now() - retentionMs, 0)
    const isMeant = address === undefined ? () => true : has(addressKey(address))
    const data: Receipt[] = []
    let notKept = 0
    for (const day of (await daysOf(store, keys.NAME)).reverse()) {
      if (endOfDay(day) <= from || (until !== undefined && startOfDay(day) >= until)) continue
      if (data.length <= limit && (after === undefined || startOfDay(day) <= after[0])) {
        const ends = [
          keys.receiptsRange.lt,
          ...(until === undefined ? [] : [keys.timeKey(until)]),
          ...(after ? [keys.receiptKey(...after)] : []),
        ]
        const range = { gte: keys.timeKey(from), lt: earliest(ends) }
        const step = address === undefined ? limit + 1 : undefined
        for await (const rows of pagesOf(store, keys.dayPartition(day), { ...range, limit: step, reverse: true })) {
          const meant = rows.filter(isMeant).map(([row, value]) => unpackReceipt(keys.placeOf(row), value))
          data.push(...meant.slice(0, limit + 1 - data.length))
          if (data.length > limit) break
        }
      }
      notKept += (await store.read(keys.dayPartition(day), dayOf)).notKept
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

/** Test for rows of receipts with that address: the leading hashes rule out nearly all others. */
function has(address: string): (row: Row) => boolean {
  const hash = hashOfAddress(address)
  return ([row, value]) =>
    mayHave(value, hash) && addressesOf(unpackReceipt(keys.placeOf(row), value)).includes(address)
}

/** Range of a receipt's time around that of its id: before, if the clock was set; after, within the time limits of an attempt. */
const EARLIEST_MS = MINUTE
const LATEST_MS = HOUR
/** Max receipts scanned for an id whose time differs from that of its receipt. */
const MAX_PASSED = 100_000

/**
 * Finds one receipt by its id without an index: it is stored under the end of its attempt, soon after the time of its id, so it scans the receipts from
 * that moment on. After the clock was set back, ids are later than their receipts; then it scans the newest receipts.
 */
export function createFind({ store, clock, retentionMs }: ListDeps): (id: string) => Promise<Receipt | undefined> {
  async function within(id: string, from: number, until: number, atMost: number): Promise<Receipt | undefined> {
    const isOne = keys.isOf(id)
    let left = atMost
    for (const day of (await daysOf(store, keys.NAME)).reverse()) {
      if (endOfDay(day) <= from || startOfDay(day) >= until) continue
      const range = { gte: keys.timeKey(from), lt: earliest([keys.timeKey(until), keys.receiptsRange.lt]) }
      for await (const rows of pagesOf(store, keys.dayPartition(day), { ...range, reverse: true })) {
        const found = rows.find(([row]) => isOne(row))
        if (found) return unpackReceipt(keys.placeOf(found[0]), found[1])
        left -= rows.length
        if (left <= 0) return undefined
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

export async function dayOf(view: Pick<View, 'get'>): Promise<DayRow> {
  const bytes = await view.get(keys.dayRowKey)
  return bytes ? decode<DayRow>(bytes) : { notKept: 0 }
}

function earliest(ends: Uint8Array[]): Uint8Array {
  return ends.sort(Buffer.compare)[0] ?? keys.receiptsRange.lt
}
