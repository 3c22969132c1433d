/**
 * Maintains the search index of a mailbox: queries update it first (find-messages.ts). It is rebuilt if missing, of another version, or full of purged
 * messages.
 */
import { setImmediate as tick } from 'node:timers/promises'
import { createSerial } from '../../lib/serial.js'
import type { Store, View } from '../../store/types.js'
import { wordOf } from './chunks.js'
import { mailboxPartition, messageKey, messagesRange, searchPartition } from '../keys.js'
import { type MailWork, mailWorkInPlace } from '../mail-work/mail-work.js'
import type { MessageState } from '../message.js'
import { readContentOf, unpackMessage } from '../message-rows.js'
import { RecentBodies } from '../recent-bodies.js'
import { clearPartition, mailboxOf } from '../record.js'
import {
  type Index,
  type Seqs,
  addWords,
  mergeSome,
  newIndex,
  putIndexRow,
  readIndexRow,
  segmentOf,
} from './segments.js'

/** Increment when tokens change. */
export const INDEX_VERSION = 6
/** Max messages and words of a new segment. */
const READ_STEP = 128
const SEGMENT_WORDS = 20_000
/** The index is rebuilt after this many purged messages and this share. */
const MIN_GONE = 20
const GONE_SHARE = 5

/** Messages of one new segment. */
interface Batch {
  /** Messages by word (bytes as characters). */
  seqs: Map<string, Seqs>
  oldest: number
  newest: number
  messages: number
}

const newBatch = (): Batch => ({ seqs: new Map(), oldest: Infinity, newest: 0, messages: 0 })

export type Indexer = ReturnType<typeof createIndexer>

/** @param work computes words of messages; in place by default */
export function createIndexer({
  store,
  work = mailWorkInPlace(),
  bodies = new RecentBodies(),
}: {
  store: Store
  work?: Pick<MailWork, 'words'> | undefined
  bodies?: RecentBodies | undefined
}) {
  const line = createSerial()
  const merges = createSerial()

  /** @returns false if nothing is new */
  const step = async (mailboxId: string): Promise<boolean> => {
    const plan = await store.read(mailboxPartition(mailboxId), (view) => planNext(view, mailboxId))
    if (plan === 'nothing') return false
    if (plan === 'begin') {
      await clearPartition(store, searchPartition(mailboxId))
      await store.write(searchPartition(mailboxId), (tx) => putIndexRow(tx, newIndex(INDEX_VERSION)))
      return true
    }
    let from = plan.from
    let batch = newBatch()
    for (const state of plan.states) {
      await addTo({ store, work, bodies }, batch, mailboxId, state)
      await tick()
      if (batch.seqs.size < SEGMENT_WORDS) continue
      if (!(await save(store, mailboxId, from, state.seq, batch))) return true
      from = state.seq
      batch = newBatch()
    }
    const last = plan.states.at(-1)?.seq ?? from
    if (last > from) await save(store, mailboxId, from, last, batch)
    return plan.states.length === READ_STEP
  }

  return {
    /** Indexes what the mailbox has at the call; an aborted signal stops between steps. Cheap if nothing is new. */
    async indexMailbox(mailboxId: string, signal?: AbortSignal): Promise<void> {
      await line.run(mailboxId, async () => {
        while (!signal?.aborted && (await step(mailboxId))) await tick()
      })
    },
    /** Merges small segments in the background, to keep searches fast; a search does not wait for it. */
    async mergeIndex(mailboxId: string, signal?: AbortSignal): Promise<void> {
      await merges.run(mailboxId, async () => {
        while (!signal?.aborted && (await mergeSome(store, searchPartition(mailboxId)))) await tick()
      })
    },
  }
}

/** Messages after the place `from`, in order. */
interface News {
  from: number
  states: MessageState[]
}

async function planNext(view: View, mailboxId: string): Promise<'nothing' | 'begin' | News> {
  const mailbox = await mailboxOf(view)
  if (!mailbox) return 'nothing'
  const index = await readIndexRow(view.in(searchPartition(mailboxId)))
  if (!index && mailbox.messageCount === 0) return 'nothing'
  if (index?.version !== INDEX_VERSION) return 'begin'
  const rows = await view.range({ gte: messageKey(index.seq + 1), lt: messagesRange.lt, limit: READ_STEP })
  const states = rows.map(([, row]) => unpackMessage(row))
  // Words of purged messages stay in immutable segments: with many of them, the index is rebuilt.
  const gone = index.messages + (states.length < READ_STEP ? states.length : 0) - mailbox.messageCount
  if (states.length < READ_STEP && gone >= MIN_GONE && gone * GONE_SHARE >= mailbox.messageCount) return 'begin'
  return states.length === 0 ? 'nothing' : { from: index.seq, states }
}

async function addTo(
  { store, work, bodies }: { store: Store; work: Pick<MailWork, 'words'>; bodies: RecentBodies },
  batch: Batch,
  mailboxId: string,
  state: MessageState,
): Promise<void> {
  const { seq, direction, createdAt } = state
  const recent = bodies.get(mailboxId, seq)
  const content =
    recent?.content ?? (await store.read(mailboxPartition(mailboxId), (view) => readContentOf(view, state)))
  batch.messages++
  if (!content) return
  batch.oldest = Math.min(batch.oldest, createdAt)
  batch.newest = Math.max(batch.newest, createdAt)
  const words = recent?.words?.split('\n') ?? (await work.words({ direction, content }, { owner: mailboxId }))
  for (const token of words) {
    const word = wordOf(token)
    const seqs = batch.seqs.get(word)
    if (seqs === undefined) batch.seqs.set(word, seq)
    else if (typeof seqs === 'number') batch.seqs.set(word, [seqs, seq])
    else seqs.push(seq)
  }
}

/** Commits a batch and the index's new place; false if another process was faster. */
async function save(
  store: Store,
  mailboxId: string,
  from: number,
  to: number,
  { seqs, messages, ...times }: Batch,
): Promise<boolean> {
  const segment = segmentOf(seqs, times)
  return store.write(searchPartition(mailboxId), async (tx) => {
    const index = await readIndexRow(tx)
    if (index?.seq !== from) return false
    const next: Index = { ...index, seq: to, messages: index.messages + messages }
    putIndexRow(tx, segment ? await addWords(tx, next, segment) : next)
    return true
  })
}
