/** Creating, approving, changing and removing a mailbox. */
import { accountPartition } from '../accounts/record.js'
import { utcDay } from '../lib/clock.js'
import { notFound } from '../lib/errors.js'
import { prefixRange } from '../store/keys.js'
import type { Blobs, Store, Transaction, View } from '../store/types.js'
import { readFrom } from '../store/read-from.js'
import { readValues } from '../store/values.js'
import { addressOwner } from './addresses.js'
import { appendEvent, takeEvents, writeEvents } from './events.js'
import { filesOf, type DraftRecord } from './draft.js'
import {
  draftsRange,
  EMPTY_VALUE,
  foldersPartition,
  mailboxKey,
  mailboxListKey,
  mailboxPartition,
  messagesRange,
  META_PARTITION,
  searchPartition,
  webhookListKey,
  webhooksPartition,
} from './keys.js'
import { mailboxOf, requireMailbox, putMailbox } from './mailbox-rows.js'
import { unpackMessage } from './message-rows.js'
import type { MailboxRecord } from './mailbox-record.js'

export { mailboxOf, requireMailbox }

/** Keys per commit of a removal. */
const REMOVE_STEP = 500

export interface NewMailbox {
  id: string
  address: string
  agentName: string | null
  claimId: string | null
  status: 'pending' | 'claimed'
  accountId: string | null
  now: number
}

export async function createMailbox(store: Store, mailbox: NewMailbox): Promise<void> {
  await store.write(mailboxPartition(mailbox.id), async (tx) => {
    if (!(await tx.get(mailboxKey))) enterMailbox(tx, mailbox)
  })
}

/** `createMailbox` within a transaction, for a new id. */
export function enterMailbox(tx: Transaction, mailbox: NewMailbox): void {
  const record: MailboxRecord = {
    id: mailbox.id,
    address: mailbox.address,
    status: mailbox.status,
    accountId: mailbox.accountId,
    claimId: mailbox.claimId,
    agentName: mailbox.agentName,
    displayName: mailbox.agentName ?? '',
    createdAt: mailbox.now,
    claimedAt: mailbox.status === 'claimed' ? mailbox.now : null,
    usedBytes: 0,
    messageCount: 0,
    sentCount: 0,
    receivedCount: 0,
    today: { date: utcDay(mailbox.now), sent: 0, received: 0 },
    seq: 0,
  }
  putMailbox(tx.blind(mailboxPartition(mailbox.id)), undefined, record)
  tx.blind(META_PARTITION).put(mailboxListKey(mailbox.id), EMPTY_VALUE)
}

export const readMailbox = (from: Store | View, id: string): Promise<MailboxRecord | undefined> =>
  readFrom(from, mailboxPartition(id), mailboxOf)

/** The mailbox with exactly this address; case does not matter. */
export const mailboxWithAddress = (store: Store, address: string): Promise<MailboxRecord | undefined> =>
  store.read(META_PARTITION, async (view) => {
    const id = await addressOwner(view, address)
    return id === undefined ? undefined : readMailbox(view, id)
  })

/**
 * One commit on a mailbox. `fn` may change the record; changes are stored. As in `store.write`, `fn` may run more than once.
 *
 * @throws ServiceError `not_found`
 */
export async function changeMailbox<T>(
  store: Store,
  id: string,
  fn: (tx: Transaction, mailbox: MailboxRecord) => Promise<T>,
): Promise<T> {
  return store.write(mailboxPartition(id), (tx) => changeWithin(tx, fn))
}

/** `changeMailbox` that does nothing for a mailbox that is gone. */
export async function changeIfThere<T>(
  store: Store,
  id: string,
  fn: (tx: Transaction, mailbox: MailboxRecord) => Promise<T>,
): Promise<T | undefined> {
  return store.write(mailboxPartition(id), (tx) => changeWithin<T | undefined>(tx, fn, () => undefined))
}

/**
 * One commit on a mailbox and its account, if any: `tx.in` takes the account's partition.
 *
 * @param how `also`: further partitions. `first` runs before `fn` in the same transaction and may change the mailbox too. `accountId`: the expected owner, if
 * known
 * @throws ServiceError `not_found`
 */
export async function changeWithAccount<T>(
  store: Store,
  id: string,
  fn: (tx: Transaction, mailbox: MailboxRecord) => Promise<T>,
  how: {
    also?: readonly string[]
    first?: ((tx: Transaction) => Promise<void>) | undefined
    accountId?: string | null | undefined
  } = {},
): Promise<T> {
  const { also = [], first } = how
  for (let guess = how.accountId; ; guess = undefined) {
    const accountId = guess === undefined ? ((await readMailbox(store, id))?.accountId ?? null) : guess
    const account = accountId === null ? [] : [accountPartition(accountId)]
    const done = await store.write([mailboxPartition(id), ...account, ...also], async (tx) => {
      const mailbox = await requireMailbox(tx)
      // It was approved meanwhile.
      if (mailbox.accountId !== accountId) return undefined
      if (!first) return { result: await changeRecord(tx, mailbox, fn) }
      await first(tx)
      return { result: await changeWithin(tx, fn) }
    })
    if (done) return done.result
  }
}

/** `changeMailbox` within a transaction. @throws ServiceError `not_found`, unless `gone` is given */
export async function changeWithin<T>(
  tx: Transaction,
  fn: (tx: Transaction, mailbox: MailboxRecord) => Promise<T>,
  gone: () => T = noMailbox,
): Promise<T> {
  const mailbox = await mailboxOf(tx)
  return mailbox ? changeRecord(tx, mailbox, fn) : gone()
}

async function changeRecord<T>(
  tx: Transaction,
  mailbox: MailboxRecord,
  fn: (tx: Transaction, mailbox: MailboxRecord) => Promise<T>,
): Promise<T> {
  const before = { ...mailbox }
  takeEvents(mailbox)
  const result = await fn(tx, mailbox)
  writeEvents(tx, mailbox)
  putMailbox(tx, before, mailbox)
  return result
}

/** Approves the mailbox for an account, with one event `claim.claimed`, within a transaction of the mailbox. */
export async function claimMailbox(tx: Transaction, accountId: string, now: number): Promise<void> {
  await changeWithin(tx, async (_tx, mailbox) => {
    mailbox.status = 'claimed'
    mailbox.accountId = accountId
    mailbox.claimedAt = now
    appendEvent(mailbox, now, 'claim.claimed', { address: mailbox.address })
  })
}

/** Declines the mailbox, with one event `claim.declined`, within a transaction of the mailbox. The caller releases its address. */
export async function declineMailbox(tx: Transaction, now: number): Promise<void> {
  await changeWithin(tx, async (_tx, mailbox) => {
    mailbox.declinedAt = now
    appendEvent(mailbox, now, 'claim.declined', { address: mailbox.address })
  })
}

function noMailbox(): never {
  throw notFound('mailbox')
}

/**
 * Removes a mailbox with its contents, in bounded steps. Idempotent; repeat after a crash. The record goes first, which stops deliveries, and the list entry
 * last, so that an unfinished removal is found again. The caller releases its address.
 */
export async function removeMailbox(deps: { store: Store; blobs: Blobs }, id: string): Promise<void> {
  const { store, blobs } = deps
  await store.write(mailboxPartition(id), dropMailbox)
  for (;;) {
    const messages = await store.read(mailboxPartition(id), (view) =>
      view.range({ ...messagesRange, limit: REMOVE_STEP }),
    )
    if (messages.length === 0) break
    for (const [, value] of messages) {
      const state = unpackMessage(value)
      if (state.rawIn === 'blob') await blobs.delete(id, state.id)
    }
    await store.write(mailboxPartition(id), (tx) => messages.forEach(([message]) => tx.delete(message)))
  }
  const drafts = await store.read(mailboxPartition(id), (view) => readValues<DraftRecord>(view, draftsRange))
  for (const file of drafts.flatMap(filesOf)) if (file.in === 'blob') await blobs.delete(id, file.id)
  await clearPartition(store, mailboxPartition(id))
  await clearPartition(store, searchPartition(id))
  await clearPartition(store, foldersPartition(id))
  await clearPartition(store, webhooksPartition(id))
  await store.write(META_PARTITION, (tx) => {
    tx.delete(webhookListKey(id))
    tx.delete(mailboxListKey(id))
  })
}

/** Deletes the record, within a transaction; the contents are removed later. */
export function dropMailbox(tx: Transaction): void {
  tx.delete(mailboxKey)
}

export async function clearPartition(store: Store, partition: string): Promise<void> {
  await clearRange(store, partition, prefixRange())
}

/** Deletes a range, in bounded steps. */
export async function clearRange(
  store: Store,
  partition: string,
  range: { gte: Uint8Array; lt: Uint8Array },
): Promise<void> {
  for (;;) {
    const removed = await store.write(partition, async (tx) => {
      const pairs = await tx.range({ ...range, limit: REMOVE_STEP })
      for (const [stored] of pairs) tx.delete(stored)
      return pairs.length
    })
    if (removed < REMOVE_STEP) return
  }
}

/** Uncounts a message sent at that time; only today is counted. */
export function uncountSent(mailbox: MailboxRecord, at: number): void {
  const { today } = mailbox
  if (today.date === utcDay(at)) mailbox.today = { ...today, sent: Math.max(0, today.sent - 1) }
}

/** Counts one message today; counts of earlier days are dropped. */
export function countToday(mailbox: MailboxRecord, kind: 'sent' | 'received', now: number): void {
  const date = utcDay(now)
  const today = mailbox.today.date === date ? mailbox.today : { date, sent: 0, received: 0 }
  mailbox.today = { ...today, [kind]: today[kind] + 1 }
}
