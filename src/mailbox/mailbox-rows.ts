/** The two rows of a mailbox: what seldom changes, and the counters, which every message moves. */
import { notFound } from '../lib/errors.js'
import { decode, encode } from '../store/keys.js'
import { pack, unpack } from '../store/packed.js'
import type { Transaction, View } from '../store/types.js'
import { countersKey, mailboxKey } from './keys.js'
import type { MailboxRecord } from './types.js'

type Counters = Pick<
  MailboxRecord,
  'usedBytes' | 'messageCount' | 'scheduledCount' | 'draftCount' | 'sentCount' | 'receivedCount' | 'today' | 'seq'
>

type PackedCounters = [
  seq: number,
  usedBytes: number,
  messageCount: number,
  sentCount: number,
  receivedCount: number,
  today: [date: string, sent: number, received: number],
  scheduledCount: number,
  draftCount: number,
]

type Settled = Omit<MailboxRecord, keyof Counters>

/** Writes what differs from how it was. @param before undefined when it is new */
export function putMailbox(
  tx: Pick<Transaction, 'put'>,
  before: MailboxRecord | undefined,
  after: MailboxRecord,
): void {
  const { counters, settled } = partsOf(after)
  const was = before && partsOf(before)
  if (!was || String(was.counters) !== String(counters)) tx.put(countersKey, pack(counters))
  if (!was || !isSame(was.settled, settled)) tx.put(mailboxKey, encode(settled))
}

/** Undefined when there is no such mailbox. */
export async function mailboxOf(view: View): Promise<MailboxRecord | undefined> {
  const [settled, counters] = await view.getMany([mailboxKey, countersKey])
  if (!settled || !counters) return undefined
  return { ...decode<Settled>(settled), ...unpackCounters(counters) }
}

/** The record within a read or a transaction. @throws ServiceError `not_found` */
export async function mustExist(view: View): Promise<MailboxRecord> {
  const mailbox = await mailboxOf(view)
  if (!mailbox) throw notFound('mailbox')
  return mailbox
}

export const unpackCounters = (row: Uint8Array): Counters => unpack(row, countersFrom)

function countersFrom(fields: PackedCounters): Counters {
  const [seq, usedBytes, messageCount, sentCount, receivedCount, [date, sent, received], scheduledCount, draftCount] =
    fields
  return {
    seq,
    usedBytes,
    messageCount,
    sentCount,
    receivedCount,
    today: { date, sent, received },
    scheduledCount,
    draftCount,
  }
}

function partsOf(mailbox: MailboxRecord): { counters: PackedCounters; settled: Settled } {
  const { seq, usedBytes, messageCount, sentCount, receivedCount, today, scheduledCount, draftCount, ...settled } =
    mailbox
  const day: PackedCounters[5] = [today.date, today.sent, today.received]
  return {
    counters: [seq, usedBytes, messageCount, sentCount, receivedCount, day, scheduledCount ?? 0, draftCount ?? 0],
    settled,
  }
}

function isSame(a: Settled, b: Settled): boolean {
  return Buffer.compare(encode(a), encode(b)) === 0
}
