/** Reading receipts: the newest first, day by day, all of them or those of one address. */
import { z } from 'zod'
import type { Clock } from '../lib/clock.js'
import { DAY, HOUR, MINUTE } from '../lib/clock.js'
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
    // What is past its time is not told of, even before a sweep took it away.
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

/** Whether a row is of a receipt with that address: the hashes in front of it say of nearly all others that they are not. */
function has(address: string): (row: Row) => boolean {
  const hash = hashOfAddress(address)
  return ([row, value]) =>
    mayHave(value, hash) && addressesOf(unpackReceipt(keys.placeOf(row), value)).includes(address)
}

/** How long before its id was made a receipt may stand, for a clock that was set, and how long after: an attempt ends within its time limits. */
const EARLIEST_MS = MINUTE
const LATEST_MS = HOUR
/** Receipts that are passed over for an id whose time is not that of its receipt. */
const MAX_PASSED = 100_000

/**
 * Finds one receipt by its id. It stands under the time at which its attempt ended, which is soon after its id was made: so it is found by going through
 * the receipts from that moment on, and needs no row of its own. After the clock was set back, ids have a later time than what happens; then the newest
 * receipts are gone through.
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
