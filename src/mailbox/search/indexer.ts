/**
 * Maintains the search index of a mailbox: queries update it first (find-messages.ts). It is rebuilt if missing, of another version, or full of purged
 * messages.
 */
import { setImmediate as tick } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { createSerial } from '../../lib/serial.js'
import { prefixRange } from '../../store/keys.js'
import type { Store, View } from '../../store/types.js'
import { wordOf } from './chunks.js'
import { indexKey, mailboxPartition, messageKey, messagesRange, searchPartition, seqOf } from '../keys.js'
import { type MailWork, mailWorkInPlace } from '../mail-work/mail-work.js'
import type { MessageContent } from '../message.js'
import { readContentsOf, unpackMessage } from '../message-rows.js'
import { RecentBodies, type RecentBody } from '../recent-bodies.js'
import { mailboxOf } from '../record.js'
import {
  INDEX_VERSION,
  type Index,
  type Seqs,
  addWords,
  mergeSome,
  newIndex,
  putIndexRow,
  readIndexRow,
  segmentOf,
} from './segments.js'

/** Version of an index that is being emptied: nobody adds to it, and searches find no segments in it. */
const EMPTYING = 0
/** Max rows deleted in one commit. */
const EMPTY_STEP = 500
/** Max time that the thread is kept. */
const TURN_MS = 2
/** Max messages and words of a new segment. */
const READ_STEP = 128
/** Max bodies of one read. */
const BODIES_AT_ONCE = 16
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
    if ('stale' in plan) {
      await beginAnew(store, mailboxId, plan.stale)
      return true
    }
    let from = plan.from
    let batch = newBatch()
    let turnEnds = performance.now() + TURN_MS
    for await (const message of withBodies({ store, bodies }, mailboxId, plan.messages)) {
      addTo(batch, message.seq, await indexedOf(work, mailboxId, message))
      if (performance.now() > turnEnds) {
        await tick()
        turnEnds = performance.now() + TURN_MS
      }
      if (batch.seqs.size < SEGMENT_WORDS) continue
      if (!(await save(store, mailboxId, from, message.seq, batch))) return true
      from = message.seq
      batch = newBatch()
    }
    const last = plan.messages.at(-1)?.seq ?? from
    if (last > from) await save(store, mailboxId, from, last, batch)
    return plan.messages.length === READ_STEP
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

/** A message to index, as it is stored. */
interface Unindexed {
  seq: number
  row: Uint8Array
}

/** Messages after the place `from`, in order. */
interface News {
  from: number
  messages: Unindexed[]
}

/** An index to be built anew, as it was seen: of another version, full of purged messages, or missing. */
interface Outdated {
  stale: Index | undefined
}

async function planNext(view: View, mailboxId: string): Promise<'nothing' | Outdated | News> {
  const mailbox = await mailboxOf(view)
  if (!mailbox) return 'nothing'
  const index = await readIndexRow(view.in(searchPartition(mailboxId)))
  if (!index && mailbox.messageCount === 0) return 'nothing'
  if (index?.version !== INDEX_VERSION) return { stale: index }
  const rows = await view.range({ gte: messageKey(index.seq + 1), lt: messagesRange.lt, limit: READ_STEP })
  const messages = rows.map(([key, row]) => ({ seq: seqOf(key), row }))
  // Words of purged messages stay in immutable segments: with many of them, the index is rebuilt.
  const gone = index.messages + (messages.length < READ_STEP ? messages.length : 0) - mailbox.messageCount
  if (messages.length < READ_STEP && gone >= MIN_GONE && gone * GONE_SHARE >= mailbox.messageCount)
    return { stale: index }
  return messages.length === 0 ? 'nothing' : { from: index.seq, messages }
}

/**
 * Empties an index in bounded steps, and begins it anew. Another process may do so at the same time: who comes late finds another row than it saw, and
 * leaves it alone. Segments keep being numbered on, so that no merge that began before takes new ones for its own.
 */
async function beginAnew(store: Store, mailboxId: string, seen: Index | undefined): Promise<void> {
  const partition = searchPartition(mailboxId)
  const isBegun = await store.write(partition, async (tx) => {
    const index = await readIndexRow(tx)
    if (!isDeepStrictEqual(index, seen)) return false
    putIndexRow(tx, { ...newIndex(EMPTYING), next: index?.next ?? 1 })
    return true
  })
  if (!isBegun) return
  for (let isEmpty = false; !isEmpty;) {
    isEmpty = await store.write(partition, async (tx) => {
      const index = await readIndexRow(tx)
      if (index?.version !== EMPTYING) return true
      const rows = await tx.range({ ...prefixRange(), limit: EMPTY_STEP })
      for (const [key] of rows) if (Buffer.compare(key, indexKey) !== 0) tx.delete(key)
      if (rows.length === EMPTY_STEP) return false
      putIndexRow(tx, { ...newIndex(INDEX_VERSION), next: index.next })
      return true
    })
  }
}

interface Indexed {
  words: string[]
  createdAt: number
}

interface WithBody extends Unindexed {
  recent: RecentBody | undefined
  /** Undefined if it is recent, or missing. */
  content: MessageContent | undefined
}

/** Recent bodies need no reads; of others, several are one read. */
async function* withBodies(
  { store, bodies }: { store: Store; bodies: RecentBodies },
  mailboxId: string,
  messages: readonly Unindexed[],
): AsyncGenerator<WithBody> {
  for (let first = 0; first < messages.length; first += BODIES_AT_ONCE) {
    const some = messages
      .slice(first, first + BODIES_AT_ONCE)
      .map((message) => ({ ...message, recent: bodies.get(mailboxId, message.seq) }))
    const states = some
      .filter(({ recent }) => recent?.words === undefined && recent?.content === undefined)
      .map(({ row }) => unpackMessage(row))
    const read =
      states.length === 0 ? [] : await store.read(mailboxPartition(mailboxId), (view) => readContentsOf(view, states))
    const contents = new Map(states.map(({ seq }, i) => [seq, read[i]]))
    for (const message of some) yield { ...message, content: contents.get(message.seq) }
  }
}

/** Words and time of a message for the index; undefined if its body is missing. */
async function indexedOf(
  work: Pick<MailWork, 'words'>,
  mailboxId: string,
  { row, recent, content: read }: WithBody,
): Promise<Indexed | undefined> {
  if (recent?.words !== undefined) return { words: recent.words.split('\n'), createdAt: recent.createdAt }
  const content = recent?.content ?? read
  if (!content) return undefined
  const { direction, createdAt } = unpackMessage(row)
  return { words: await work.words({ direction, content }, { owner: mailboxId }), createdAt }
}

function addTo(batch: Batch, seq: number, indexed: Indexed | undefined): void {
  batch.messages++
  if (!indexed) return
  batch.oldest = Math.min(batch.oldest, indexed.createdAt)
  batch.newest = Math.max(batch.newest, indexed.createdAt)
  for (const token of indexed.words) {
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
    if (index?.version !== INDEX_VERSION || index.seq !== from) return false
    const next: Index = { ...index, seq: to, messages: index.messages + messages }
    putIndexRow(tx, segment ? await addWords(tx, next, segment) : next)
    return true
  })
}
