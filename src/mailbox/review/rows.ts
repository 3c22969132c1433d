/**
 * The partition `review`: which messages wait for a person, across all mailboxes, and what was decided. Its rows come and go in the commit that
 * changes their message.
 *
 * | key                             | value        | read by                                                                 |
 * | ------------------------------- | ------------ | ----------------------------------------------------------------------- |
 * | `place` · message id            | ReviewPlace  | everybody who has a message's id and not its mailbox                    |
 * | `held` · time · message id      | (empty)      | the list, the longest waiting first                                     |
 * | `blocked` · time · message id   | (empty)      | the list for a second look, for 7 days                                  |
 * | `counts`                        | ReviewCounts | metrics and the pages: how many rows each list has                      |
 * | `log` · review id               | ReviewRow    | the review log; ids sort by time                                        |
 * | `untold` · review id            | (empty)      | rows of the log that the guard and the account have not been told of    |
 */
import { DAY } from '../../lib/clock.js'
import { decode, encode, key, keyParts, prefixRange } from '../../store/keys.js'
import type { Transaction, View } from '../../store/types.js'
import { EMPTY_VALUE } from '../keys.js'
import type { Check } from '../objects/objects.js'

export const REVIEW_PARTITION = 'review'

/** So long what the guard blocked can be looked at again and let go. */
export const SECOND_LOOK_MS = 7 * DAY

export const REVIEW_LISTS = ['held', 'blocked'] as const
export type ReviewListName = (typeof REVIEW_LISTS)[number]

export interface ReviewPlace {
  mailboxId: string
  /** Null once a person has decided. */
  list: ReviewListName | null
  /** When it was held or blocked. */
  at: number
}

export type ReviewCounts = Record<ReviewListName, number>

/** One decision. Times are milliseconds since the epoch; nothing of the content is in it. */
export interface ReviewRow {
  id: string
  messageId: string
  mailboxId: string
  accountId: string | null
  /** `suspend` is a rejection with which the sender's account was suspended. */
  decision: 'approve' | 'reject' | 'suspend'
  /** Email of a person of the staff, or `cli:` and a user of the machine. */
  by: string
  at: number
  /** For the sender: why it was rejected, or the account suspended. */
  note: string | null
  /** What the guard had said. */
  guard: { category: Check['category']; decision: Check['decision']; codes: string[] }
}

export interface Enlisted {
  messageId: string
  mailboxId: string
  list: ReviewListName
  at: number
}

export const COUNTS = key('counts')
export const placeKey = (messageId: string): Uint8Array => key('place', messageId)
export const listedKey = (list: ReviewListName, at: number, messageId: string): Uint8Array => key(list, at, messageId)
export const logKey = (reviewId: string): Uint8Array => key('log', reviewId)
export const untoldKey = (reviewId: string): Uint8Array => key('untold', reviewId)
export const placesRange = prefixRange('place')
export const logRange = prefixRange('log')
export const untoldRange = prefixRange('untold')

/** Time and message of a row of a list. */
export function listedAt(row: Uint8Array): { at: number; messageId: string } {
  const [, at, messageId] = keyParts(row)
  return { at: Number(at), messageId: String(messageId) }
}

/**
 * Enters a message that is held or blocked, within a transaction of `REVIEW_PARTITION`. Idempotent; one that a person has decided stays as it is.
 */
export async function enterReview(tx: Transaction, { messageId, mailboxId, list, at }: Enlisted): Promise<void> {
  const before = await readPlace(tx, messageId)
  if (before && (before.list === null || before.list === list)) return
  await unlist(tx, messageId)
  tx.put(placeKey(messageId), encode({ mailboxId, list, at } satisfies ReviewPlace))
  tx.put(listedKey(list, at, messageId), EMPTY_VALUE)
  await count(tx, list, 1)
}

/** Takes a message away that waits no longer, within a transaction of `REVIEW_PARTITION`. One that was decided stays as it is. */
export async function leaveReview(tx: Transaction, messageId: string): Promise<void> {
  if (await unlist(tx, messageId)) tx.delete(placeKey(messageId))
}

/** Takes a message off its list. @returns whether it was on one */
export async function unlist(tx: Transaction, messageId: string): Promise<boolean> {
  const place = await readPlace(tx, messageId)
  if (!place || place.list === null) return false
  tx.delete(listedKey(place.list, place.at, messageId))
  await count(tx, place.list, -1)
  return true
}

async function count(tx: Transaction, list: ReviewListName, change: number): Promise<void> {
  const counts = await readCounts(tx)
  tx.put(COUNTS, encode({ ...counts, [list]: Math.max(0, counts[list] + change) } satisfies ReviewCounts))
}

export async function readCounts(view: View): Promise<ReviewCounts> {
  const bytes = await view.get(COUNTS)
  return bytes ? decode<ReviewCounts>(bytes) : { held: 0, blocked: 0 }
}

export async function readPlace(view: View, messageId: string): Promise<ReviewPlace | undefined> {
  const bytes = await view.get(placeKey(messageId))
  return bytes && decode<ReviewPlace>(bytes)
}

/** A decision by its id, as long as the log keeps it. */
export async function readReview(view: View, reviewId: string): Promise<ReviewRow | undefined> {
  const bytes = await view.get(logKey(reviewId))
  return bytes && decode<ReviewRow>(bytes)
}

/** Within the commit of a decision: its message leaves the list, and those who learn from it are still to be told. */
export async function logDecision(tx: Transaction, row: ReviewRow): Promise<void> {
  const place = await readPlace(tx, row.messageId)
  await unlist(tx, row.messageId)
  if (place) tx.put(placeKey(row.messageId), encode({ ...place, list: null } satisfies ReviewPlace))
  tx.put(logKey(row.id), encode(row))
  tx.put(untoldKey(row.id), EMPTY_VALUE)
}
