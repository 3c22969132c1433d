/**
 * Makes anew what follows from what is there: rows, summaries, counts, the search index, tasks; and lets go of files that nothing names. Messages, their
 * content, events and files are never changed or removed, so nothing is lost that could not be made again.
 *
 * Each step is one commit that comes to the same when it is done again, so a repair that is cut off is finished by the next one.
 */
import type { Clock } from '../lib/clock.js'
import { reserveAddress } from '../mailbox/addresses.js'
import type { DraftRecord } from '../mailbox/draft.js'
import {
  draftsRange,
  EMPTY_VALUE,
  heldKey,
  heldRange,
  listKey,
  mailboxPartition,
  messageKey,
  messagesRange,
  searchPartition,
  threadKey,
  threadMessageKey,
  threadsRange,
  threadTrashKey,
} from '../mailbox/keys.js'
import type { MessageState } from '../mailbox/message.js'
import { changeMailbox, clearPartition, mailboxOf, readMailbox } from '../mailbox/record.js'
import { isListed, placesOf, saveThread } from '../mailbox/thread.js'
import type { ThreadRecord } from '../mailbox/thread.js'
import type { MailboxRecord } from '../mailbox/types.js'
import { decode, encode, keyParts, prefixRange } from '../store/keys.js'
import type { WorkQueue } from '../queue/types.js'
import type { Blobs, Store, Transaction } from '../store/types.js'
import { missingTasks } from './references.js'
import { rowsOf } from './rows.js'
import { readRows, remakeThread, summaryIn, summaryOf } from './threads.js'
import type { Finding, FindingKind, Mend } from './types.js'
import { unlessGarbled } from './walk.js'

export interface RepairDeps {
  store: Store
  queue: WorkQueue
  clock: Clock
  blobs: Pick<Blobs, 'delete'>
  /** Of the mailboxes and files that something was found in. */
  onProgress?: (done: number, total: number) => void
}

/** Of a mailbox's rows that follow from its messages. */
const DERIVED: readonly FindingKind[] = [
  'thread-missing',
  'thread-wrong',
  'thread-row',
  'list-row',
  'held-row',
  'counter',
]

/** @param findings of a look at the same folder, on which nobody works meanwhile */
export async function repair(deps: RepairDeps, findings: readonly Finding[]): Promise<void> {
  const places = new Map<string, Set<FindingKind>>()
  for (const { kind, where } of findings) places.set(where, (places.get(where) ?? new Set()).add(kind))
  const files = findings.filter(({ kind }) => kind === 'file-orphan')
  const single = findings.filter(({ mend, task }) => mend !== undefined || task !== undefined)
  const total = single.length + places.size + files.length
  let done = 0
  for (const { mend, task } of single) {
    if (mend) await repairRow(deps.store, mend)
    if (task) await deps.queue.enqueue(task.kind, { id: task.id, payload: task.payload, due: deps.clock.now() })
    deps.onProgress?.(++done, total)
  }
  for (const [where, kinds] of places) {
    // A row in the way that can't be read is a finding of its own; what is left of it here is found by the next look.
    await unlessGarbled(async () => {
      if (DERIVED.some((kind) => kinds.has(kind))) await repairRows(deps.store, where)
    })
    if (kinds.has('index-wrong')) await clearPartition(deps.store, searchPartition(where))
    if (kinds.has('address')) await repairAddresses(deps, where)
    await unlessGarbled(async () => {
      if (kinds.has('task-missing')) await repairTasks(deps, where)
    })
    deps.onProgress?.(++done, total)
  }
  for (const { where, what } of files) {
    await deps.blobs.delete(where, what)
    deps.onProgress?.(++done, total)
  }
}

/** Nobody else writes, so the row is as it was when it was looked at. */
async function repairRow(store: Store, { partition, key, value }: Mend): Promise<void> {
  await store.write(partition, (tx) => {
    const row = Buffer.from(key, 'hex')
    if (value === null) tx.delete(row)
    else tx.put(row, Buffer.from(value, 'hex'))
  })
}

async function repairAddresses({ store, clock }: RepairDeps, id: string): Promise<void> {
  const mailbox = await readMailbox(store, id)
  if (!mailbox || mailbox.declinedAt !== undefined) return
  // One that leads to another mailbox stays that one's.
  for (const address of [mailbox.address, ...(mailbox.aliases ?? []).map((alias) => alias.address)])
    await reserveAddress(store, address, id, clock.now())
}

async function repairTasks({ store, queue, clock }: RepairDeps, id: string): Promise<void> {
  for await (const [, value] of rowsOf(store, mailboxPartition(id), messagesRange)) {
    const missing = await missingTasks(queue, id, decode<MessageState>(value), clock.now())
    for (const task of missing)
      await queue.enqueue(task.kind, { id: task.id, payload: task.payload, due: task.due, lane: id })
  }
}

async function repairRows(store: Store, id: string): Promise<void> {
  if (!(await readMailbox(store, id))) return
  const unknown = await rowsOfMessages(store, id)
  await strayRows(store, id)
  for await (const [, value] of rowsOf(store, mailboxPartition(id), threadsRange))
    await repairThread(store, id, decode<ThreadRecord>(value).id)
  for (const threadId of unknown) await repairThread(store, id, threadId)
  await strayListRows(store, id)
  await heldRows(store, id)
  await counters(store, id)
}

/** Each message stands in its conversation. @returns conversations without a record */
async function rowsOfMessages(store: Store, id: string): Promise<Set<string>> {
  const unknown = new Set<string>()
  for await (const [, value] of rowsOf(store, mailboxPartition(id), messagesRange)) {
    const { threadId, seq, id: messageId, trashed } = decode<MessageState>(value)
    await store.write(mailboxPartition(id), async (tx) => {
      const row = (trashed ? threadTrashKey : threadMessageKey)(threadId, seq, messageId)
      const [there, thread] = await tx.getMany([row, threadKey(threadId)])
      if (!there) tx.put(row, trashed ? encode(trashed) : EMPTY_VALUE)
      if (!thread) unknown.add(threadId)
    })
  }
  return unknown
}

async function strayRows(store: Store, id: string): Promise<void> {
  for (const family of ['thread-message', 'thread-trash'])
    for await (const [row] of rowsOf(store, mailboxPartition(id), prefixRange(family))) {
      const [, threadId, seq, messageId] = keyParts(row)
      await removeUnless(store, id, row, async (tx) => {
        const bytes = await tx.get(messageKey(String(messageId)))
        const state = bytes && decode<MessageState>(bytes)
        const isHere = (family === 'thread-trash') === (state?.trashed !== undefined)
        return state !== undefined && state.threadId === threadId && state.seq === Number(seq) && isHere
      })
    }
}

async function repairThread(store: Store, id: string, threadId: string): Promise<void> {
  await changeMailbox(store, id, async (tx, mailbox: MailboxRecord) => {
    const bytes = await tx.get(threadKey(threadId))
    const before = bytes && decode<ThreadRecord>(bytes)
    const rows = await readRows(tx, threadId)
    const states = rows.messages.flatMap(({ state }) => (state ? [state] : []))
    const trashed = rows.trash.flatMap(({ state }) => (state ? [state] : []))
    const isRight = before && JSON.stringify(summaryOf(states, trashed.length)) === JSON.stringify(summaryIn(before))
    const after = isRight ? before : await remakeThread(tx, mailbox, threadId, states, trashed, before)
    if (!after) return
    if (!isRight) saveThread(tx, before, after)
    for (const [name, seq] of placesOf(after)) {
      const row = listKey(name, seq, threadId)
      if (!(await tx.get(row))) tx.put(row, EMPTY_VALUE)
    }
  })
}

async function strayListRows(store: Store, id: string): Promise<void> {
  for await (const [row] of rowsOf(store, mailboxPartition(id), prefixRange('list'))) {
    const [, name, seq, threadId] = keyParts(row)
    await removeUnless(store, id, row, async (tx) => {
      const bytes = await tx.get(threadKey(String(threadId)))
      const thread = bytes && decode<ThreadRecord>(bytes)
      return thread !== undefined && isListed(thread, String(name), Number(seq))
    })
  }
}

async function heldRows(store: Store, id: string): Promise<void> {
  for await (const [row] of rowsOf(store, mailboxPartition(id), heldRange)) {
    await removeUnless(store, id, row, async (tx) => {
      const bytes = await tx.get(messageKey(String(keyParts(row)[1])))
      return bytes !== undefined && decode<MessageState>(bytes).status === 'held'
    })
  }
  for await (const [, value] of rowsOf(store, mailboxPartition(id), messagesRange)) {
    const state = decode<MessageState>(value)
    if (state.status !== 'held') continue
    await store.write(mailboxPartition(id), async (tx) => {
      if (!(await tx.get(heldKey(state.id)))) tx.put(heldKey(state.id), EMPTY_VALUE)
    })
  }
}

async function counters(store: Store, id: string): Promise<void> {
  const is = { messages: 0, bytes: 0, drafts: 0, scheduled: 0 }
  for await (const [, value] of rowsOf(store, mailboxPartition(id), messagesRange)) {
    const state = decode<MessageState>(value)
    is.messages++
    is.bytes += state.rawBytes
    if (state.status === 'scheduled') is.scheduled++
  }
  for await (const [, value] of rowsOf(store, mailboxPartition(id), draftsRange)) {
    is.drafts++
    is.bytes += decode<DraftRecord>(value).bytes
  }
  await changeMailbox(store, id, async (_tx, mailbox) => {
    mailbox.messageCount = is.messages
    mailbox.usedBytes = is.bytes
    if ((mailbox.draftCount ?? 0) !== is.drafts) mailbox.draftCount = is.drafts
    if ((mailbox.scheduledCount ?? 0) !== is.scheduled) mailbox.scheduledCount = is.scheduled
  })
}

async function removeUnless(
  store: Store,
  id: string,
  row: Uint8Array,
  isRight: (tx: Transaction) => Promise<boolean>,
): Promise<void> {
  await store.write(mailboxPartition(id), async (tx) => {
    if ((await mailboxOf(tx)) && !(await isRight(tx))) tx.delete(row)
  })
}
