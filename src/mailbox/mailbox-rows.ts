/** The two rows of a mailbox: the record that seldom changes, and the counters that every message changes. */
import { notFound } from '../lib/errors.js'
import { decode, encode } from '../store/keys.js'
import { pack, plain, record, unpack } from '../store/packed.js'
import type { Transaction, View } from '../store/types.js'
import { countersKey, mailboxKey } from './keys.js'
import { countForm } from './packed-parts.js'
import type { MailboxRecord } from './mailbox-record.js'

type Counters = Required<
  Pick<
    MailboxRecord,
    'usedBytes' | 'messageCount' | 'scheduledCount' | 'draftCount' | 'sentCount' | 'receivedCount' | 'today' | 'seq'
  >
>

const countersForm = record<Counters>({
  seq: countForm,
  usedBytes: countForm,
  messageCount: countForm,
  sentCount: countForm,
  receivedCount: countForm,
  today: record<Counters['today']>({ date: plain<string>(), sent: countForm, received: countForm }),
  scheduledCount: countForm,
  draftCount: countForm,
})

export const unpackCounters = (row: Uint8Array): Counters => unpack(countersForm, row)

type Settled = Omit<MailboxRecord, keyof Counters>

/** Writes changed rows. @param before undefined for a new mailbox */
export function putMailbox(
  tx: Pick<Transaction, 'put'>,
  before: MailboxRecord | undefined,
  after: MailboxRecord,
): void {
  const { counters, settled } = partsOf(after)
  const was = before && partsOf(before)
  if (!was || !isSame(was.counters, counters)) tx.put(countersKey, pack(countersForm, counters))
  if (!was || !isSame(was.settled, settled)) tx.put(mailboxKey, encode(settled))
}

export async function mailboxOf(view: View): Promise<MailboxRecord | undefined> {
  const [settled, counters] = await view.getMany([mailboxKey, countersKey])
  if (!settled || !counters) return undefined
  return { ...decode<Settled>(settled), ...unpackCounters(counters) }
}

export async function requireMailbox(view: View): Promise<MailboxRecord> {
  const mailbox = await mailboxOf(view)
  if (!mailbox) throw notFound('mailbox')
  return mailbox
}

function partsOf({
  seq,
  usedBytes,
  messageCount,
  sentCount,
  receivedCount,
  today,
  scheduledCount = 0,
  draftCount = 0,
  ...settled
}: MailboxRecord): { counters: Counters; settled: Settled } {
  return {
    counters: { seq, usedBytes, messageCount, sentCount, receivedCount, today, scheduledCount, draftCount },
    settled,
  }
}

/** Lists and daily counts are replaced when changed, so the same object means no change. */
function isSame(a: object, b: object): boolean {
  const [before, after] = [Object.entries(a), new Map<string, unknown>(Object.entries(b))]
  return before.length === after.size && before.every(([name, value]) => value === after.get(name))
}
