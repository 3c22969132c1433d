/** Upkeep of the partition `review`: unreported decisions and expired rows. */
import { setImmediate as tick } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.js'
import { decode, keyParts, prefixRange } from '../../store/keys.js'
import type { Store } from '../../store/types.js'
import { pagesOf } from '../../store/pages.js'
import type { ReviewEnds } from './feedback.js'
import { isOpen, type ReviewReading } from './reading.js'
import {
  leaveReview,
  listedAt,
  logRange,
  placeKey,
  placesRange,
  readPlace,
  REVIEW_LISTS,
  REVIEW_PARTITION,
  unlist,
  untoldKey,
  untoldRange,
  type ReviewPlace,
  type ReviewRow,
  readReview,
} from './rows.js'

const STEP = 100

export interface ReviewCareDeps {
  store: Store
  clock: Clock
  reading: Pick<ReviewReading, 'find'>
  ends: ReviewEnds
  logMs: number
}

export function createReviewCare({ store, clock, reading, ends, logMs }: ReviewCareDeps) {
  async function tellAgain(signal: AbortSignal): Promise<void> {
    for await (const [mark] of rowsOf(store, untoldRange)) {
      if (signal.aborted) return
      const id = String(keyParts(mark)[1])
      const row = await store.read(REVIEW_PARTITION, (view) => readReview(view, id))
      if (row) await ends.tell(row)
      else await store.write(REVIEW_PARTITION, (tx) => tx.delete(untoldKey(id)))
    }
  }

  /** Drops rows whose message is purged or expired. Trashed messages may be restored and keep their row. */
  async function dropGone(signal: AbortSignal): Promise<number> {
    let dropped = 0
    for (const list of REVIEW_LISTS) {
      for await (const [row] of rowsOf(store, prefixRange(list))) {
        if (signal.aborted) return dropped
        const { at, messageId } = listedAt(row)
        const place = await store.read(REVIEW_PARTITION, (view) => readPlace(view, messageId))
        const message = place && (await reading.find(place.mailboxId, messageId))
        if (message && isOpen(message, list, at, clock.now())) continue
        await store.write(REVIEW_PARTITION, (tx) => leaveReview(tx, messageId))
        dropped++
        await tick()
      }
    }
    return dropped
  }

  async function dropLog(signal: AbortSignal): Promise<number> {
    const end = clock.now() - logMs
    let dropped = 0
    for await (const [logged, value] of rowsOf(store, logRange)) {
      const { at, messageId } = decode<ReviewRow>(value)
      if (signal.aborted || at > end) return dropped
      await store.write(REVIEW_PARTITION, async (tx) => {
        tx.delete(logged)
        const place = await readPlace(tx, messageId)
        if (place?.list === null) tx.delete(placeKey(messageId))
      })
      dropped++
    }
    return dropped
  }

  return {
    /** Runs in the background at the start: reports decisions whose process died. */
    start: tellAgain,
    /** @returns number of expired rows */
    async sweep(signal: AbortSignal): Promise<number> {
      await tellAgain(signal)
      return (await dropGone(signal)) + (await dropLog(signal))
    },
  }
}

export async function eraseReviews(store: Store, accountId: string, mailboxIds: ReadonlySet<string>): Promise<void> {
  for await (const [row, value] of rowsOf(store, placesRange)) {
    if (!mailboxIds.has(decode<ReviewPlace>(value).mailboxId)) continue
    const messageId = String(keyParts(row)[1])
    await store.write(REVIEW_PARTITION, async (tx) => {
      await unlist(tx, messageId)
      tx.delete(row)
    })
  }
  for await (const [row, value] of rowsOf(store, logRange)) {
    const review = decode<ReviewRow>(value)
    if (review.accountId !== accountId && !mailboxIds.has(review.mailboxId)) continue
    await store.write(REVIEW_PARTITION, (tx) => [row, untoldKey(review.id)].forEach((each) => tx.delete(each)))
  }
}

/** Rows in order; yields to the event loop between pages. */
async function* rowsOf(
  store: Store,
  range: { gte: Uint8Array; lt: Uint8Array },
): AsyncGenerator<[Uint8Array, Uint8Array]> {
  for await (const page of pagesOf(store, REVIEW_PARTITION, { ...range, limit: STEP })) yield* page
}
