/**
 * Rebuilds derived data from the stored mail: rows, summaries, counts, the search index, tasks; and removes files without a record. Messages, their content,
 * events and files are never changed or removed, so nothing is lost that cannot be rebuilt.
 *
 * Each step is one idempotent commit, so an interrupted repair is finished by the next one.
 */
import type { Clock } from '../../lib/clock.js'
import { reserveAddress } from '../../mailbox/addresses.js'
import type { DraftRecord } from '../../mailbox/draft.js'
import {
  draftsRange,
  listsRange,
  mailboxPartition,
  messagesRange,
  placeKey,
  searchPartition,
  threadKey,
  threadsRange,
} from '../../mailbox/keys.js'
import { listsOf, saveLists } from '../../mailbox/lists.js'
import { readStates, unpackMessage } from '../../mailbox/message-rows.js'
import { changeMailbox, clearPartition, clearRange, readMailbox } from '../../mailbox/record.js'
import { listingOf } from '../../mailbox/threads/thread.js'
import { readThread, saveThread, unpackThread } from '../../mailbox/threads/thread-rows.js'
import { decode } from '../../store/keys.js'
import { packNumber } from '../../store/packed.js'
import type { WorkQueue } from '../../queue/types.js'
import { rowsOf } from '../../store/pages.js'
import type { Blobs, Store } from '../../store/types.js'
import { missingTasks } from './references.js'
import { remakeThread, summaryIn, summaryOf } from './threads.js'
import type { Finding, FindingKind, RowRepair } from './families/types.js'
import { unlessGarbled } from './walk.js'

export interface RepairDeps {
  store: Store
  queue: WorkQueue
  clock: Clock
  blobs: Pick<Blobs, 'delete'>
  /** Progress over mailboxes and files with findings. */
  onProgress?: (done: number, total: number) => void
}

const DERIVED: readonly FindingKind[] = ['thread-missing', 'thread-wrong', 'place-row', 'list-row', 'counter']

/** @param findings of a check of the same folder, without a daemon running on it since */
export async function repair(deps: RepairDeps, findings: readonly Finding[]): Promise<void> {
  const places = new Map<string, Set<FindingKind>>()
  for (const { kind, where } of findings) places.set(where, (places.get(where) ?? new Set()).add(kind))
  const files = findings.filter(({ kind }) => kind === 'file-orphan')
  const single = findings.filter(({ rowRepair, task }) => rowRepair !== undefined || task !== undefined)
  const total = single.length + places.size + files.length
  let done = 0
  for (const { rowRepair, task } of single) {
    if (rowRepair) await repairRow(deps.store, rowRepair)
    if (task) await deps.queue.enqueue(task.kind, { id: task.id, payload: task.payload, due: deps.clock.now() })
    deps.onProgress?.(++done, total)
  }
  for (const [where, kinds] of places) {
    // An unreadable row is a separate finding; the next check finds what remains here.
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

/** There are no other writers, so the row has not changed since the check. */
async function repairRow(store: Store, { partition, key, value }: RowRepair): Promise<void> {
  await store.write(partition, (tx) => {
    const row = Buffer.from(key, 'hex')
    if (value === null) tx.delete(row)
    else tx.put(row, Buffer.from(value, 'hex'))
  })
}

async function repairAddresses({ store, clock }: RepairDeps, id: string): Promise<void> {
  const mailbox = await readMailbox(store, id)
  if (!mailbox || mailbox.declinedAt !== undefined) return
  // An address that leads to another mailbox is not changed.
  for (const address of [mailbox.address, ...(mailbox.aliases ?? []).map((alias) => alias.address)])
    await reserveAddress(store, address, id, clock.now())
}

async function repairTasks({ store, queue, clock }: RepairDeps, id: string): Promise<void> {
  for await (const [, value] of rowsOf(store, mailboxPartition(id), messagesRange)) {
    const missing = await missingTasks(queue, id, unpackMessage(value), clock.now())
    for (const task of missing)
      await queue.enqueue(task.kind, { id: task.id, payload: task.payload, due: task.due, lane: id })
  }
}

async function repairRows(store: Store, id: string): Promise<void> {
  if (!(await readMailbox(store, id))) return
  const known = await threadsOf(store, id)
  for (const [threadId, places] of await placesOfMessages(store, id)) {
    known.delete(threadId)
    await repairThread(store, id, threadId, places)
  }
  // These have no messages left.
  for (const threadId of known) await repairThread(store, id, threadId, [])
  await remakeLists(store, id)
  await counters(store, id)
}

async function threadsOf(store: Store, id: string): Promise<Set<string>> {
  const ids = new Set<string>()
  for await (const [, value] of rowsOf(store, mailboxPartition(id), threadsRange)) ids.add(unpackThread(value).id)
  return ids
}

/** Each message is found by its id. @returns the places of messages, by conversation */
async function placesOfMessages(store: Store, id: string): Promise<Map<string, number[]>> {
  const places = new Map<string, number[]>()
  for await (const [, value] of rowsOf(store, mailboxPartition(id), messagesRange)) {
    const { id: messageId, threadId, seq } = unpackMessage(value)
    const row = placeKey(messageId)
    const wanted = packNumber(seq)
    await store.write(mailboxPartition(id), async (tx) => {
      const there = await tx.get(row)
      if (!there || Buffer.compare(there, wanted) !== 0) tx.put(row, wanted)
    })
    places.set(threadId, [...(places.get(threadId) ?? []), seq])
  }
  return places
}

async function repairThread(store: Store, id: string, threadId: string, places: readonly number[]): Promise<void> {
  await changeMailbox(store, id, async (tx, mailbox) => {
    const states = await readStates(tx, places)
    const before = await readThread(tx, threadId)
    if (before) {
      const [here, trash] = [states.filter(({ trashed }) => !trashed), states.filter(({ trashed }) => trashed)]
      if (JSON.stringify(summaryOf(here, trash)) === JSON.stringify(summaryIn(before))) return
    }
    const after = await remakeThread(tx, mailbox, threadId, states, before)
    if (after) await saveThread(tx, before, after)
    else tx.delete(threadKey(threadId))
  })
}

async function remakeLists(store: Store, id: string): Promise<void> {
  const partition = mailboxPartition(id)
  await clearRange(store, partition, listsRange)
  for await (const [, value] of rowsOf(store, partition, messagesRange)) {
    const state = unpackMessage(value)
    await store.write(partition, (tx) => saveLists(tx, 'message', undefined, { seq: state.seq, names: listsOf(state) }))
  }
  for await (const [, value] of rowsOf(store, partition, threadsRange)) {
    const thread = unpackThread(value)
    await store.write(partition, async (tx) => {
      for (const side of ['mail', 'spam'] as const) await saveLists(tx, 'thread', undefined, listingOf(thread, side))
    })
  }
}

async function counters(store: Store, id: string): Promise<void> {
  const is = { messages: 0, bytes: 0, drafts: 0, scheduled: 0 }
  for await (const [, value] of rowsOf(store, mailboxPartition(id), messagesRange)) {
    const state = unpackMessage(value)
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
