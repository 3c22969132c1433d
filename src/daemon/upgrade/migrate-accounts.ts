/**
 * Version 6: an account's counts are updated in the transactions of its mail, and stored once.
 *
 * - Mailboxes had their own counts (`outcomes`), and the account the part it had counted (`counted`): the rest is added to its days.
 * - The account had a row per message for new recipients (`reserved`), indexed by age (`reserved-on`): it moves into the message's state, while the message
 * waits.
 * - Review decisions were counted after their commit, marked by message (`review-counted`, by age `review-counted-on`).
 */
import { addToDay } from '../../accounts/outcome-counting.js'
import { dayOf, NO_OUTCOMES, minus, type DayCounts } from '../../accounts/outcomes.js'
import { accountPartition, readAccount } from '../../accounts/record.js'
import { DAY, systemClock } from '../../lib/clock.js'
import { mailboxListRange, mailboxPartition, META_PARTITION } from '../../mailbox/keys.js'
import type { MessageState } from '../../mailbox/message.js'
import { readState, saveMessage } from '../../mailbox/message-rows.js'
import { freshAmong } from '../../mailbox/decisions/new-recipients.js'
import { readMailbox } from '../../mailbox/record.js'
import {
  logKey,
  placesRange,
  REVIEW_PARTITION,
  untoldRange,
  type ReviewPlace,
  type ReviewRow,
} from '../../mailbox/review/rows.js'
import type { CheckTask } from '../../mailbox/tasks.js'
import { decodeTask, partitionOf, taskRange } from '../../queue/rows.js'
import { domainOf } from '../../mime/address.js'
import { decode, encode, key, keyAfter, keyParts, prefixRange } from '../../store/keys.js'
import type { Store, Transaction } from '../../store/types.js'
import { dropSome } from './old-rows.js'

const TALLY = key('outcomes')
const countedKey = (mailboxId: string): Uint8Array => key('counted', mailboxId)
const reservationKey = (messageId: string): Uint8Array => key('reserved', messageId)
const reviewedKey = (messageId: string): Uint8Array => key('review-counted', messageId)
const OLD_FAMILIES = ['counted', 'reserved', 'reserved-on', 'review-counted', 'review-counted-on'].map((family) =>
  prefixRange(family),
)

const STEP = 200

interface Stage {
  partition: string
  rows: { gte: Uint8Array; lt: Uint8Array }
  /** One idempotent commit. */
  settle(store: Store, row: Uint8Array, value: Uint8Array): Promise<void>
}

/** Run one after the other; they don't move rows. */
const STAGES: readonly Stage[] = [
  {
    partition: META_PARTITION,
    rows: mailboxListRange,
    settle: (store, row) => settleTally(store, String(keyParts(row)[1])),
  },
  ...['relay', 'check'].map((kind) => ({
    partition: partitionOf(kind, 0),
    rows: taskRange,
    settle: (store: Store, _row: Uint8Array, value: Uint8Array) => {
      const { mailbox_id, message_id } = decodeTask(value).payload as CheckTask
      return settleReservation(store, mailbox_id, message_id)
    },
  })),
  {
    partition: REVIEW_PARTITION,
    rows: placesRange,
    settle: (store, row, value) =>
      settleReservation(store, decode<ReviewPlace>(value).mailboxId, String(keyParts(row)[1])),
  },
  {
    partition: REVIEW_PARTITION,
    rows: untoldRange,
    settle: (store, row) => countDecision(store, String(keyParts(row)[1])),
  },
]

/** @param cursor stage number and its last settled row; after the stages, `account` and the last cleared partition */
export async function countInPlace(store: Store, cursor: string): Promise<string | undefined> {
  const [at = '', last = ''] = cursor.split(' ')
  const stage = STAGES[Number(at)]
  if (!stage) return clearAccount(store, last)
  const { partition, rows, settle } = stage
  const from = last === '' ? rows.gte : keyAfter(Buffer.from(last, 'base64url'))
  const page = await store.read(partition, (view) => view.range({ gte: from, lt: rows.lt, limit: STEP }))
  await Promise.all(page.map(([row, value]) => settle(store, row, value)))
  const end = page.at(-1)
  if (end && page.length === STEP) return `${Number(at)} ${Buffer.from(end[0]).toString('base64url')}`
  return Number(at) + 1 < STAGES.length ? `${Number(at) + 1} ` : 'account '
}

async function settleTally(store: Store, mailboxId: string): Promise<void> {
  const partition = mailboxPartition(mailboxId)
  if (!(await store.read(partition, (view) => view.get(TALLY)))) return
  const accountId = (await readMailbox(store, mailboxId))?.accountId ?? null
  const account = accountId === null ? undefined : accountPartition(accountId)
  await store.write(account === undefined ? partition : [partition, account], async (tx) => {
    const tally = await tx.get(TALLY)
    if (!tally) return
    tx.delete(TALLY)
    if (account === undefined) return
    const of = tx.in(account)
    const bytes = await of.get(countedKey(mailboxId))
    const counted = bytes ? decode<DayCounts[]>(bytes) : []
    for (const { day, ...counts } of decode<DayCounts[]>(tally)) {
      const already = counted.find((each) => each.day === day) ?? NO_OUTCOMES
      await addToDay(of, { day, ...minus(counts, already) })
    }
    of.delete(countedKey(mailboxId))
  })
}

const WAITING: ReadonlySet<string> = new Set<MessageState['status']>(['checking', 'queued', 'held', 'blocked'])

async function settleReservation(store: Store, mailboxId: string, messageId: string): Promise<void> {
  const accountId = (await readMailbox(store, mailboxId))?.accountId ?? null
  if (accountId === null) return
  const account = accountPartition(accountId)
  if (!(await store.read(account, (view) => view.get(reservationKey(messageId))))) return
  await store.write([mailboxPartition(mailboxId), account], async (tx) => {
    const state = await readState(tx, messageId)
    if (state && WAITING.has(state.status)) await saveMessage(tx, state, await withReservation(tx.in(account), state))
  })
}

/** As stored: a message's new recipients, and whether they were refunded. */
interface Reservation {
  fresh: string[]
  returned?: true
}

/** The message's state with its account's reservation, which is deleted. @param tx of the account */
export async function withReservation(tx: Transaction, state: MessageState): Promise<MessageState> {
  const bytes = await tx.get(reservationKey(state.id))
  if (!bytes) return state
  tx.delete(reservationKey(state.id))
  const { fresh, returned } = decode<Reservation>(bytes)
  const places = freshAmong(state.recipients, fresh)
  const isCounted = places.fresh && returned === undefined
  const day = Math.floor((state.letGoAt ?? state.createdAt) / DAY)
  return { ...state, ...places, ...(isCounted ? { freshCountedOn: day } : {}) }
}

async function countDecision(store: Store, reviewId: string): Promise<void> {
  const bytes = await store.read(REVIEW_PARTITION, (view) => view.get(logKey(reviewId)))
  // `blockedAt`: time of the guard's block, if counted.
  const row = bytes && decode<ReviewRow & { blockedAt?: number | null }>(bytes)
  if (!row || row.accountId === null || row.blockedAt === undefined) return
  const { blockedAt, messageId } = row
  const account = accountPartition(row.accountId)
  const state = await store.read(mailboxPartition(row.mailboxId), (view) => readState(view, messageId))
  const isTrial = state?.recipients.every(({ address }) => domainOf(address).startsWith('simulator.'))
  if (isTrial !== false) return
  await store.write(account, async (tx) => {
    if (!(await readAccount(tx)) || (await tx.get(reviewedKey(messageId)))) return
    const blocks = (row.decision === 'approve' ? 0 : 1) - (blockedAt === null ? 0 : 1)
    const day = blockedAt === null ? dayOf(systemClock) : Math.floor(blockedAt / DAY)
    if (blocks !== 0) await addToDay(tx, { ...NO_OUTCOMES, day, blocks })
    tx.put(reviewedKey(messageId), encode(1))
  })
}

async function clearAccount(store: Store, last: string): Promise<string | undefined> {
  const [partition] = await store.partitions(last === '' ? 'account/' : last, 1)
  if (!partition?.startsWith('account/')) return undefined
  const isMore = await store.write(partition, (tx) => dropSome(tx, OLD_FAMILIES, STEP))
  return isMore ? `account ${last}` : `account ${partition}`
}
