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
 * | `untold` · review id            | (empty)      | rows of the log that were not yet reported to the guard and the account |
 */
import { DAY } from '../../lib/clock.js'
import { encode, key, keyParts, prefixRange } from '../../store/keys.js'
import type { Transaction, View } from '../../store/types.js'
import { readValue } from '../../store/values.js'
import { EMPTY_VALUE } from '../keys.js'
import type { Check } from '../objects/objects.js'

export const REVIEW_PARTITION = 'review'

/** Blocked messages can be approved within this time. */
export const SECOND_LOOK_MS = 7 * DAY

export const REVIEW_LISTS = ['held', 'blocked'] as const
export type ReviewListName = (typeof REVIEW_LISTS)[number]

export interface ReviewPlace {
  mailboxId: string
  /** Null once decided. */
  list: ReviewListName | null
  /** When it was held or blocked. */
  at: number
  /** One line of the owner to the staff. */
  appeal?: string
}

/** Max characters of a line of the staff or to them. */
export const MAX_LINE_CHARS = 500

/** True for at most 500 characters on one line. */
export const isLine = (text: string): boolean =>
  text.length <= MAX_LINE_CHARS && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text)

export type ReviewCounts = Record<ReviewListName, number>

/** One decision, without content. Times are milliseconds since the epoch. */
export interface ReviewRow {
  id: string
  messageId: string
  mailboxId: string
  accountId: string | null
  /** `suspend` is a rejection that also suspended the account. */
  decision: 'approve' | 'reject' | 'suspend'
  /** Email of a staff member, or `cli:` and a user of the machine. */
  by: string
  at: number
  /** Reason shown to the sender. */
  note: string | null
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

export function listedAt(row: Uint8Array): { at: number; messageId: string } {
  const [, at, messageId] = keyParts(row)
  return { at: Number(at), messageId: String(messageId) }
}

/** Enters a held or blocked message, within a transaction of `REVIEW_PARTITION`. Idempotent; decided messages stay decided. */
export async function enterReview(tx: Transaction, { messageId, mailboxId, list, at }: Enlisted): Promise<void> {
  const before = await readPlace(tx, messageId)
  if (before && (before.list === null || before.list === list)) return
  await unlist(tx, messageId)
  tx.put(placeKey(messageId), encode({ mailboxId, list, at } satisfies ReviewPlace))
  tx.put(listedKey(list, at, messageId), EMPTY_VALUE)
  await count(tx, list, 1)
}

/** Removes a message that no longer waits, within a transaction of `REVIEW_PARTITION`. Decided ones stay. */
export async function leaveReview(tx: Transaction, messageId: string): Promise<void> {
  if (await unlist(tx, messageId)) tx.delete(placeKey(messageId))
}

/** Removes a message from its list. @returns true if it was on one */
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
  return (await readValue<ReviewCounts>(view, COUNTS)) ?? { held: 0, blocked: 0 }
}

export const readPlace = (view: View, messageId: string): Promise<ReviewPlace | undefined> =>
  readValue(view, placeKey(messageId))

/** Undefined once the log dropped it. */
export const readReview = (view: View, reviewId: string): Promise<ReviewRow | undefined> =>
  readValue(view, logKey(reviewId))

/** Logs a decision within its commit: the message leaves the list, and learners are still to be told. */
export async function logDecision(tx: Transaction, row: ReviewRow): Promise<void> {
  const place = await readPlace(tx, row.messageId)
  await unlist(tx, row.messageId)
  if (place) tx.put(placeKey(row.messageId), encode({ ...place, list: null } satisfies ReviewPlace))
  tx.put(logKey(row.id), encode(row))
  tx.put(untoldKey(row.id), EMPTY_VALUE)
}
