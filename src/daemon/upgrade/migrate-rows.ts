/**
 * Version 7: the rows of a mailbox are compact (mailbox/keys.ts). A message had rows for state, content and raw text under its id, and others for its thread; a
 * thread had a row in each list; each event had a row; the index had rows for lists. All were JSON, or empty values under long keys.
 *
 * Old rows are recognized by key or first byte, and deleted in the commit that writes their replacement, so a repeated step finds less to do.
 */
import { packEvents } from '../../mailbox/event-rows.js'
import {
  countersKey,
  mailboxKey,
  mailboxListKey,
  mailboxListRange,
  mailboxPartition,
  META_PARTITION,
  searchPartition,
  trashKey,
} from '../../mailbox/keys.js'
import { INBOX_LABEL, isSpam } from '../../mailbox/labels.js'
import { putMailbox } from '../../mailbox/mailbox-rows.js'
import type { MessageContent, MessageState } from '../../mailbox/message.js'
import { placeOf, putMessage, readStates, smallShown } from '../../mailbox/message-rows.js'
import type { Event } from '../../mailbox/objects/objects.js'
import { saveThread } from '../../mailbox/threads/thread-rows.js'
import { subjectEntry } from '../../mailbox/threads/threading.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import { idBytes } from '../../lib/ids.js'
import { headerLength } from '../../mime/headers.js'
import { asBuffer, decode, key, keyAfter, keyParts, prefixRange } from '../../store/keys.js'
import { packNumber } from '../../store/packed.js'
import type { Store, Transaction } from '../../store/types.js'
import type { Work } from './migration.js'
import { dropSome, readable } from './old-rows.js'
import { rowsOf } from '../../store/pages.js'
import { remakeThread } from '../../ops/verify/threads.js'

/** Rows per commit: messages are large, and a conversation ends a commit at this many messages. */
const MESSAGES = 100
const THREADS = 100
const MESSAGES_OF_THREADS = 500
const ROWS = 1000
/** Duration of a step: its cursor costs a commit. */
const STEP_MS = 500

/** Old keys have text where new ones have a number or bytes, which sort after it. */
const AFTER_TEXT = '\u{10ffff}'
const oldRange = (family: string) => ({ gte: key(family, ''), lt: key(family, AFTER_TEXT) })
const contentKey = (id: string): Uint8Array => key('content', id)
const rawKey = (id: string): Uint8Array => key('raw', id)
const oldThreadRanges = (id: string) => [prefixRange('thread-message', id), prefixRange('thread-trash', id)]

type OldMessage = Omit<MessageState, 'shown'>
/** Fields of a thread's record that its messages don't have. */
interface OldThread {
  id: string
  subject: string
  createdAt: number
  recentSends: number[]
}

/** Stages of one mailbox, in order. Each returns where it continues; undefined when done. */
const STAGES: readonly ((store: Store, mailboxId: string, at: string, work: Work) => Promise<string | undefined>)[] = [
  messages,
  threads,
  (store, id) =>
    smallRows(store, id, 'message-id', (tx, [, hash], value) => {
      tx.put(key('message-id', halfOf(hash)), idBytes(decode<string>(value)))
    }),
  (store, id) =>
    smallRows(store, id, 'subject', (tx, [, base, address], value) => {
      const { threadId, at } = decode<{ threadId: string; at: number }>(value)
      tx.put(key('subject', halfOf(base), halfOf(address)), subjectEntry(threadId, at))
    }),
  (store, id) =>
    smallRows(store, id, 'correspondent', (tx, [, hash], value) => {
      tx.put(key('correspondent', halfOf(hash)), packNumber(decode<{ at: number }>(value).at))
    }),
  (store, id) => smallRows(store, id, 'held', () => undefined),
  trash,
  lists,
  events,
  record,
  index,
]

/** @param cursor mailbox id, stage number, and position in the stage */
export async function compactRows(store: Store, cursor: string, work: Work): Promise<string | undefined> {
  const [last = '', stage, at = ''] = cursor.split(' ')
  if (stage === undefined) {
    const mailboxId = await nextToMove(store, last)
    return mailboxId === undefined ? undefined : `${mailboxId} 0 `
  }
  const until = performance.now() + STEP_MS
  let next: string | undefined = at
  while (next !== undefined && performance.now() < until) next = await STAGES[Number(stage)]?.(store, last, next, work)
  if (next !== undefined) return `${last} ${stage} ${next}`
  return Number(stage) + 1 < STAGES.length ? `${last} ${Number(stage) + 1} ` : last
}

/** From the mailboxes' counts. */
export async function countOldMessages(store: Store): Promise<number> {
  let count = 0
  for await (const [row] of rowsOf(store, META_PARTITION, mailboxListRange)) {
    const [mailbox, counters] = await store.read(mailboxPartition(String(keyParts(row)[1])), (view) =>
      view.getMany([mailboxKey, countersKey]),
    )
    if (mailbox && !counters) count += decode<MailboxRecord>(mailbox).messageCount
  }
  return count
}

/** The first mailbox after `last` with old rows: one with separate counters is done. */
async function nextToMove(store: Store, last: string): Promise<string | undefined> {
  const from = last === '' ? mailboxListRange.gte : keyAfter(mailboxListKey(last))
  for await (const [row] of rowsOf(store, META_PARTITION, { gte: from, lt: mailboxListRange.lt })) {
    const mailboxId = String(keyParts(row)[1])
    const isMoved = await store.read(mailboxPartition(mailboxId), (view) => view.get(countersKey))
    if (!isMoved || (await hasOldIndex(store, mailboxId))) return mailboxId
  }
  return undefined
}

async function messages(store: Store, mailboxId: string, _at: string, work: Work): Promise<string | undefined> {
  const partition = mailboxPartition(mailboxId)
  const moved = await store.write(partition, async (tx) => {
    const rows = await tx.range({ ...oldRange('message'), limit: MESSAGES })
    for (const [row, value] of rows) {
      const messageId = String(keyParts(row)[1])
      const [bytes, raw] = await tx.getMany([contentKey(messageId), rawKey(messageId)])
      for (const old of [row, contentKey(messageId), rawKey(messageId)]) tx.delete(old)
      const stored = readable<OldMessage>(value)
      const content = bytes && readable<MessageContent>(bytes)
      if (!stored || !content) {
        // Everything can be derived from the raw text.
        work.setAside(tx, partition, [row, value])
        if (bytes) work.setAside(tx, partition, [contentKey(messageId), bytes])
        if (raw) work.setAside(tx, partition, [rawKey(messageId), raw])
        continue
      }
      const { id, ...state } = stored
      const labels = isSpam(state) ? state.labels.filter((label) => label !== INBOX_LABEL) : state.labels
      const places = raw && placesIn(raw, content)
      await putMessage(
        tx,
        { ...state, id, labels, shown: smallShown(content) },
        { ...content, ...(places && { places }) },
        raw,
      )
    }
    return rows.length
  })
  // The other half are the conversations.
  work.moved(Math.ceil(moved / 2))
  return more(moved === MESSAGES)
}

/** Presumed place of a one-part message's text; checked when stored. */
function placesIn(raw: Uint8Array, { html, headers }: MessageContent): MessageContent['places'] {
  const end = headerLength(asBuffer(raw))
  const encoding = (headers['content-transfer-encoding'] ?? '').trim().toLowerCase()
  const place = { fromEnd: raw.length - end, length: raw.length - end, encoding }
  return html === null ? { text: place } : { html: place }
}

async function threads(store: Store, mailboxId: string, _at: string, work: Work): Promise<string | undefined> {
  const partition = mailboxPartition(mailboxId)
  const { messages, isMore } = await store.write(partition, async (tx) => {
    const mailbox = await tx.get(mailboxKey)
    const rows = await tx.range({ ...oldRange('thread'), limit: THREADS })
    let messages = 0
    for (const [row, value] of rows) {
      if (messages >= MESSAGES_OF_THREADS) return { messages, isMore: true }
      const threadId = String(keyParts(row)[1])
      // An unreadable one is rebuilt from its messages.
      const before = readable<OldThread>(value)
      const seqs: number[] = []
      for (const range of oldThreadRanges(threadId)) {
        for (const [old] of await tx.range(range)) {
          seqs.push(Number(keyParts(old)[2]))
          tx.delete(old)
        }
      }
      tx.delete(row)
      messages += seqs.length
      // A mailbox being removed has no record, and needs none of this.
      if (!mailbox) continue
      const states = await readStates(tx, seqs)
      const own = decode<MailboxRecord>(mailbox)
      const after = await remakeThread(tx, own, threadId, states, before)
      if (after) await saveThread(tx, undefined, after)
    }
    return { messages, isMore: rows.length === THREADS }
  })
  work.moved(Math.floor(messages / 2))
  return more(isMore)
}

async function smallRows(
  store: Store,
  mailboxId: string,
  family: string,
  move: (tx: Transaction, parts: string[], value: Uint8Array) => void,
): Promise<string | undefined> {
  return store.write(mailboxPartition(mailboxId), async (tx) => {
    const rows = await tx.range({ ...oldRange(family), limit: ROWS })
    for (const [row, value] of rows) {
      tx.delete(row)
      // Unreadable rows are only lost for threading and search.
      if (isReadable(value)) move(tx, keyParts(row).map(String), value)
    }
    return more(rows.length === ROWS)
  })
}

function isReadable(value: Uint8Array): boolean {
  try {
    return value.length === 0 || decode<unknown>(value) !== undefined
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** The first half of a hexadecimal hash, as in `hashPart`. */
const halfOf = (hash: string | undefined): Uint8Array => Buffer.from(hash ?? '', 'hex').subarray(0, 16)

/** Old rows have the message's id after the number. */
async function trash(store: Store, mailboxId: string, at: string): Promise<string | undefined> {
  return store.write(mailboxPartition(mailboxId), async (tx) => {
    const rows = await tx.range({ ...rest('trash', at), limit: ROWS })
    for (const [row] of rows) {
      const [, seq, id] = keyParts(row)
      if (typeof id !== 'string') continue
      tx.delete(row)
      const place = await placeOf(tx, id)
      if (place !== undefined) tx.put(trashKey(Number(seq)), packNumber(place))
    }
    return nextAt(rows, ROWS)
  })
}

/** Old rows have a thread's id after its place. */
async function lists(store: Store, mailboxId: string, at: string): Promise<string | undefined> {
  return store.write(mailboxPartition(mailboxId), async (tx) => {
    const rows = await tx.range({ ...rest('list', at), limit: ROWS })
    for (const [row] of rows) if (keyParts(row).length === 4) tx.delete(row)
    return nextAt(rows, ROWS)
  })
}

/** Old rows are JSON; new ones start with another byte. */
async function events(store: Store, mailboxId: string, at: string, work: Work): Promise<string | undefined> {
  const partition = mailboxPartition(mailboxId)
  return store.write(partition, async (tx) => {
    const rows = await tx.range({ ...rest('event', at), limit: ROWS })
    for (const [row, value] of rows) {
      if (value[0] !== OPENING_BRACE) continue
      const event = readable<Event>(value)
      if (!event) {
        work.setAside(tx, partition, [row, value])
        continue
      }
      const { id, type, timestamp, data } = event
      tx.put(row, packEvents([{ id, type, at: Date.parse(timestamp), data: withoutEmptyName(data) }]))
    }
    return nextAt(rows, ROWS)
  })
}

const OPENING_BRACE = 0x7b

/** Versions up to 0.1.0 wrote "" for a missing name; an event names only the sender of incoming mail. */
function withoutEmptyName(data: Event['data']): Event['data'] {
  const { from } = data
  if (typeof from !== 'object' || from === null || !('name' in from) || from.name !== '') return data
  return { ...data, from: { ...from, name: null } }
}

/** Last of the mailbox's own rows: separates its counters. */
async function record(store: Store, mailboxId: string): Promise<undefined> {
  await store.write(mailboxPartition(mailboxId), async (tx) => {
    const [mailbox, counters] = await tx.getMany([mailboxKey, countersKey])
    if (mailbox && !counters) putMailbox(tx, undefined, decode<MailboxRecord>(mailbox))
  })
}

const progressKey = key('progress')

/** Old rows of the index; lists of messages are in the mailbox's rows now. */
const OLD_LISTS = ['place', 'stretch', 'listed', 'segments'].map((family) => prefixRange(family))

const hasOldIndex = (store: Store, mailboxId: string): Promise<boolean> =>
  store.read(searchPartition(mailboxId), async (view) => {
    if (await view.get(progressKey)) return true
    for (const range of OLD_LISTS) if ((await view.range({ ...range, limit: 1 })).length > 0) return true
    return false
  })

/** Its words are no longer those of the index: the first search builds it anew. */
async function index(store: Store, mailboxId: string): Promise<string | undefined> {
  const isMore = await store.write(searchPartition(mailboxId), (tx) => dropSome(tx, [prefixRange()], ROWS))
  return more(isMore)
}

const more = (isMore: boolean): string | undefined => (isMore ? '' : undefined)

const rest = (family: string, at: string) => {
  const { gte, lt } = prefixRange(family)
  return { gte: at === '' ? gte : keyAfter(Buffer.from(at, 'base64url')), lt }
}

function nextAt(rows: readonly [Uint8Array, Uint8Array][], limit: number): string | undefined {
  const last = rows.at(-1)
  return last && rows.length === limit ? Buffer.from(last[0]).toString('base64url') : undefined
}
