/** The two rows of a mailbox: the record that seldom changes, and the counters that every message changes. */
import { notFound } from '../lib/errors.js'
import { createRowMemory, frozen } from '../store/row-memory.js'
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

const COUNTERS = [
  'seq',
  'usedBytes',
  'messageCount',
  'sentCount',
  'receivedCount',
  'today',
  'scheduledCount',
  'draftCount',
] as const satisfies (keyof Counters)[]

export const unpackCounters = (row: Uint8Array): Counters => unpack(countersForm, row)

type Settled = Omit<MailboxRecord, keyof Counters>

/** Max memory for decoded rows of all mailboxes. */
const SETTLED_BYTES = 16 * 1024 * 1024
const settledOf = createRowMemory((row) => frozen(decode<Settled>(row)), SETTLED_BYTES)

/** Writes changed rows. @param before undefined for a new mailbox */
export function putMailbox(
  tx: Pick<Transaction, 'put'>,
  before: MailboxRecord | undefined,
  after: MailboxRecord,
): void {
  const { scheduledCount = 0, draftCount = 0 } = after
  const counters = { ...after, scheduledCount, draftCount }
  if (!before || COUNTERS.some((name) => (before[name] ?? 0) !== counters[name])) {
    tx.put(countersKey, pack(countersForm, counters))
  }
  if (!before || isResettled(before, after)) tx.put(mailboxKey, encode(withoutCounters(after)))
}

export async function mailboxOf(view: View): Promise<MailboxRecord | undefined> {
  const [settled, counters] = await view.getMany([mailboxKey, countersKey])
  if (!settled || !counters) return undefined
  const { seq, usedBytes, messageCount, sentCount, receivedCount, today, scheduledCount, draftCount } =
    unpackCounters(counters)
  // Named one by one: copying two objects into one takes ten times as long.
  return {
    ...settledOf(settled),
    seq,
    usedBytes,
    messageCount,
    sentCount,
    receivedCount,
    today,
    scheduledCount,
    draftCount,
  }
}

export async function requireMailbox(view: View): Promise<MailboxRecord> {
  const mailbox = await mailboxOf(view)
  if (!mailbox) throw notFound('mailbox')
  return mailbox
}

const isCounter = (name: string): boolean => COUNTERS.some((counter) => counter === name)

/** Lists are replaced when changed, so the same object means no change. */
function isResettled(before: MailboxRecord, after: MailboxRecord): boolean {
  for (const name in after) if (!isSame(before, after, name as keyof MailboxRecord)) return true
  for (const name in before) if (!(name in after)) return true
  return false
}

function isSame(before: MailboxRecord, after: MailboxRecord, name: keyof MailboxRecord): boolean {
  return before[name] === after[name] || isCounter(name)
}

function withoutCounters(mailbox: MailboxRecord): object {
  return Object.fromEntries(Object.entries(mailbox).filter(([name]) => !isCounter(name)))
}
