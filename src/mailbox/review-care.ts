/** Looking after the partition `review`: finishing what a crash cut off, entering what was held before there was a queue, dropping what has had its time. */
import { setImmediate as tick } from 'node:timers/promises'
import type { Clock } from '../lib/clock.js'
import { decode, encode, keyAfter, keyParts, prefixRange } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { heldRange, mailboxPartition } from './keys.js'
import { mailboxIds } from './list.js'
import { readState } from './message.js'
import type { ReviewEnds } from './review-ends.js'
import { isWaiting, putRight } from './review-reading.js'
import type { ReviewReading } from './review-reading.js'
import {
  ADOPTED,
  COMMIT_MISSING_MS,
  delist,
  enlist,
  intentKey,
  intentsRange,
  listedAt,
  logKey,
  logRange,
  placeKey,
  placesRange,
  readPlace,
  REVIEW_LISTS,
  REVIEW_PARTITION,
  untoldKey,
  untoldRange,
} from './review-rows.js'
import type { ReviewPlace, ReviewRow } from './review-rows.js'

const STEP = 100

export interface ReviewCareDeps {
  store: Store
  clock: Clock
  reading: Pick<ReviewReading, 'find'>
  ends: ReviewEnds
  logMs: number
}

export interface ReviewCare {
  /** Done at the start, in the background: finishes decisions, and once enters what was held before there was a queue. */
  start(signal: AbortSignal): Promise<void>
  /** By the clock. @returns how many rows had had their time */
  sweep(signal: AbortSignal): Promise<number>
}

export function createReviewCare({ store, clock, reading, ends, logMs }: ReviewCareDeps): ReviewCare {
  /** Decisions whose process died, and those that nobody could be told of. */
  async function resume(signal: AbortSignal): Promise<void> {
    for await (const value of rowsOf(store, intentsRange)) {
      if (signal.aborted) return
      const row = decode<ReviewRow>(value)
      const message = await reading.find(row.mailboxId, row.messageId)
      if (message?.state.reviewId === row.id) await ends.finish(row)
      else if (row.at <= clock.now() - COMMIT_MISSING_MS)
        await store.write(REVIEW_PARTITION, (tx) => tx.delete(intentKey(row.id)))
    }
    for await (const [mark] of pagesOf(store, untoldRange)) {
      if (signal.aborted) return
      const id = String(keyParts(mark)[1])
      const bytes = await store.read(REVIEW_PARTITION, (view) => view.get(logKey(id)))
      if (bytes) await ends.tell(decode<ReviewRow>(bytes))
      else await store.write(REVIEW_PARTITION, (tx) => tx.delete(untoldKey(id)))
    }
  }

  async function adopt(signal: AbortSignal): Promise<void> {
    if (await store.read(REVIEW_PARTITION, (view) => view.get(ADOPTED))) return
    for await (const mailboxId of mailboxIds(store, signal)) {
      for await (const messageId of heldIn(store, mailboxId)) {
        const state = await store.read(mailboxPartition(mailboxId), (view) => readState(view, messageId))
        if (state?.status === 'held') await enlist(store, { messageId, mailboxId, list: 'held', at: state.updatedAt })
      }
    }
    if (!signal.aborted) await store.write(REVIEW_PARTITION, (tx) => tx.put(ADOPTED, encode(clock.now())))
  }

  /** Rows whose message never came, has gone or has had its time. */
  async function dropGone(signal: AbortSignal): Promise<number> {
    let dropped = 0
    for (const list of REVIEW_LISTS) {
      for await (const [row] of pagesOf(store, prefixRange(list))) {
        if (signal.aborted) return dropped
        const { at, messageId } = listedAt(row)
        if (at > clock.now() - COMMIT_MISSING_MS) break
        const place = await store.read(REVIEW_PARTITION, (view) => readPlace(view, messageId))
        const message = place && (await reading.find(place.mailboxId, messageId))
        // One that is decided is its decision's to take away.
        if (message && (message.state.reviewId !== undefined || isWaiting(message, list, at, clock.now()))) continue
        await putRight(store, { messageId, at, message }, clock.now())
        dropped++
        await tick()
      }
    }
    return dropped
  }

  async function dropLog(signal: AbortSignal): Promise<number> {
    const end = clock.now() - logMs
    let dropped = 0
    for await (const [logged, value] of pagesOf(store, logRange)) {
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
    async start(signal) {
      await resume(signal)
      await adopt(signal)
    },
    async sweep(signal) {
      await resume(signal)
      return (await dropGone(signal)) + (await dropLog(signal))
    },
  }
}

/** Takes away all that is about an account that comes to its end. Idempotent. */
export async function eraseReviews(store: Store, accountId: string, mailboxIds: ReadonlySet<string>): Promise<void> {
  for await (const [row, value] of pagesOf(store, placesRange)) {
    if (!mailboxIds.has(decode<ReviewPlace>(value).mailboxId)) continue
    const messageId = String(keyParts(row)[1])
    await delist(store, [messageId])
    await store.write(REVIEW_PARTITION, (tx) => tx.delete(row))
  }
  for (const range of [logRange, intentsRange]) {
    for await (const [row, value] of pagesOf(store, range)) {
      const review = decode<ReviewRow>(value)
      if (review.accountId !== accountId && !mailboxIds.has(review.mailboxId)) continue
      await store.write(REVIEW_PARTITION, (tx) => [row, untoldKey(review.id)].forEach((each) => tx.delete(each)))
    }
  }
}

async function* heldIn(store: Store, mailboxId: string): AsyncGenerator<string> {
  for await (const [row] of pagesOf(store, heldRange, mailboxPartition(mailboxId))) yield String(keyParts(row)[1])
}

async function* rowsOf(store: Store, range: Range): AsyncGenerator<Uint8Array> {
  for await (const [, value] of pagesOf(store, range)) yield value
}

interface Range {
  gte: Uint8Array
  lt: Uint8Array
}

/** Rows in order, in pages, with a turn for everybody else between them. */
async function* pagesOf(
  store: Store,
  { gte, lt }: Range,
  partition = REVIEW_PARTITION,
): AsyncGenerator<[Uint8Array, Uint8Array]> {
  for (let from = gte; ;) {
    const page = await store.read(partition, (view) => view.range({ gte: from, lt, limit: STEP }))
    yield* page
    const last = page.at(-1)
    if (!last || page.length < STEP) return
    from = keyAfter(last[0])
    await tick()
  }
}
