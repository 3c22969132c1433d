/**
 * Keeps the search index of a mailbox up with its mail. The indexer follows the event log with a stored cursor; the words of a message are
 * computed once, and what may change of it is read again when an event tells of it. It first goes through all messages there are, and does so again when the index is missing, was made by another version of this
 * file, or when events that it had not seen have been dropped: so deleting the index rebuilds it.
 *
 * A query brings the index up to date before it looks (search.ts). That is how a message is found as soon as it is visible, with no second way
 * to match words.
 */
import { setImmediate as tick } from 'node:timers/promises'
import { decode, encode, keyParts } from '../store/keys.js'
import { createLine } from '../store/line.js'
import type { Store, View } from '../store/types.js'
import { wordOf } from './chunks.js'
import {
  eventKey,
  eventsRange,
  mailboxPartition,
  messageKey,
  messagesRange,
  placeKey,
  progressKey,
  searchPartition,
} from './keys.js'
import { readContent, readState } from './message.js'
import { nextSeq } from './numbering.js'
import type { Event } from './objects.js'
import type { Place } from './places.js'
import { placeOf, savePlace, shownOf } from './places.js'
import { clearPartition, mailboxOf } from './record.js'
import { addSegment, mergeSome, segmentOf } from './segments.js'
import { saveTimes } from './times.js'
import { mailWorkInPlace, type MailWork } from './mail-work.js'

/** Counts up when tokens are made in another way. */
export const INDEX_VERSION = 5
/** Messages that make one segment at most, and words after which one is made. */
const READ_STEP = 128
const SEGMENT_WORDS = 20_000
/** So many messages that are gone, and such a share of all, have the index made anew. */
const MIN_GONE = 20
const GONE_SHARE = 5

export interface IndexProgress {
  version: number
  /** Last message of the first walk; null when that is over. */
  walked: string | null
  /** Events up to this one are indexed, or will be by the walk. */
  seq: number
  /** Messages of which the index still knows, and which were deleted for good. Missing: none. */
  gone?: number
}

export interface Indexer {
  /** Brings the index up to what the mailbox held when it was called; an aborted signal ends it between two steps. Cheap when nothing is new. */
  indexMailbox(mailboxId: string, signal?: AbortSignal): Promise<void>
  /** Merges what is in many small pieces, so that searches stay fast. For the background; a search doesn't wait for it. */
  mergeIndex(mailboxId: string, signal?: AbortSignal): Promise<void>
}

/** A message to be indexed, or looked at again, and the progress once it is. */
interface Pending {
  messageId: string
  after: IndexProgress
  /** The event that tells of it; undefined on the walk through all messages. */
  event?: number
}

type Plan =
  | { next: 'nothing' }
  | { next: 'begin'; progress: IndexProgress }
  /** `gone`: places of messages that were deleted for good. */
  | { next: 'index'; before: IndexProgress; pending: Pending[]; gone: number[]; after: IndexProgress }

/** Messages that are indexed by one commit. */
interface Batch {
  /** Messages that have a word, by word (octets as characters). */
  seqs: Map<string, number[]>
  /** What is known of the messages now, by their places; null of those that no list has any more. */
  places: Map<number, Place | null>
}

const newBatch = (): Batch => ({ seqs: new Map(), places: new Map() })

/** @param work where the words of a message are found; in place without it */
export function createIndexer({
  store,
  work = mailWorkInPlace(),
}: {
  store: Store
  work?: Pick<MailWork, 'words'> | undefined
}): Indexer {
  const line = createLine()
  const merges = createLine()

  const step = async (mailboxId: string): Promise<boolean> => {
    const progress = await store.read(searchPartition(mailboxId), readProgress)
    const plan = await store.read(mailboxPartition(mailboxId), (view) => planNext(view, progress))
    switch (plan.next) {
      case 'nothing':
        return false
      case 'begin':
        await clearPartition(store, searchPartition(mailboxId))
        await store.write(searchPartition(mailboxId), (tx) => tx.put(progressKey, encode(plan.progress)))
        return true
      case 'index': {
        let { before } = plan
        let batch = newBatch()
        for (const { messageId, after, event } of plan.pending) {
          await addTo({ store, work }, batch, mailboxId, messageId, event, before)
          await tick()
          if (batch.seqs.size < SEGMENT_WORDS) continue
          if (!(await save(store, mailboxId, before, after, batch))) return true
          before = after
          batch = newBatch()
        }
        await save(store, mailboxId, before, plan.after, batch, plan.gone)
        return true
      }
    }
  }

  return {
    async indexMailbox(mailboxId, signal) {
      await line.run(mailboxId, async () => {
        while (!signal?.aborted && (await step(mailboxId))) await tick()
      })
    },
    async mergeIndex(mailboxId, signal) {
      await merges.run(mailboxId, async () => {
        while (!signal?.aborted && (await mergeSome(store, searchPartition(mailboxId)))) await tick()
      })
    },
  }
}

async function readProgress(view: View): Promise<IndexProgress | undefined> {
  const bytes = await view.get(progressKey)
  return bytes && decode<IndexProgress>(bytes)
}

async function planNext(view: View, progress: IndexProgress | undefined): Promise<Plan> {
  const mailbox = await mailboxOf(view)
  if (!mailbox) return { next: 'nothing' }
  const begin: Plan = { next: 'begin', progress: { version: INDEX_VERSION, walked: '', seq: mailbox.seq } }
  if (progress?.version !== INDEX_VERSION) return begin
  if (progress.walked !== null) return walk(view, progress, progress.walked)
  const expected = nextSeq(mailbox, progress.seq)
  if (expected > mailbox.seq) return { next: 'nothing' }

  const pairs = await view.range({ gte: eventKey(progress.seq + 1), lt: eventsRange.lt, limit: READ_STEP })
  const events = pairs.map(([, value]) => decode<Event>(value))
  const places = events.flatMap(placeOfGone)
  const gone = (progress.gone ?? 0) + places.length
  // The words of what is gone are in segments that never change: when there is much of that, the index is made anew without it.
  if (gone >= MIN_GONE && gone * GONE_SHARE >= mailbox.messageCount) return begin
  const last = events.at(-1)
  if (!last || events[0]?.seq !== expected) return begin
  const pending = events.flatMap((event) => {
    const { message_id: messageId } = event.data
    if (typeof messageId !== 'string' || !event.type.startsWith('message.')) return []
    return [{ messageId, after: { ...progress, seq: event.seq }, event: event.seq }]
  })
  const after = { ...progress, seq: last.seq, ...(gone > 0 && { gone }) }
  return { next: 'index', before: progress, pending, gone: places, after }
}

async function walk(view: View, progress: IndexProgress, walked: string): Promise<Plan> {
  const found = await view.range({ gte: messageKey(`${walked}\0`), lt: messagesRange.lt, limit: READ_STEP })
  const ids = found.map(([message]) => String(keyParts(message)[1]))
  const pending = ids.map((messageId) => ({ messageId, after: { ...progress, walked: messageId } }))
  const after = { ...progress, walked: ids.length < READ_STEP ? null : (ids.at(-1) ?? null) }
  return { next: 'index', before: progress, pending, gone: [], after }
}

/** The place of a message of which an event tells that it was deleted for good. What is in the trash stays in the index: it may come back. */
function placeOfGone({ type, data }: Event): number[] {
  const isGone = type === 'message.deleted' && data.permanent === true
  return isGone && typeof data.message_seq === 'number' ? [data.message_seq] : []
}

async function addTo(
  { store, work }: { store: Store; work: Pick<MailWork, 'words'> },
  batch: Batch,
  mailboxId: string,
  messageId: string,
  event: number | undefined,
  { walked, seq: known }: IndexProgress,
): Promise<void> {
  const state = await store.read(mailboxPartition(mailboxId), (view) => readState(view, messageId))
  if (!state) return
  const { seq } = state
  // What came after the walk began is told of by the events that follow it.
  if (walked !== null && seq > known) return
  const isNew = walked !== null || event === seq
  const before = isNew ? undefined : (batch.places.get(seq) ?? (await storedPlace(store, mailboxId, seq)))
  if (before) {
    batch.places.set(seq, !state.trashed ? placeOf(state, before.shown) : null)
    return
  }
  const content = await store.read(mailboxPartition(mailboxId), (view) => readContent(view, messageId))
  if (!content) return
  batch.places.set(seq, !state.trashed ? placeOf(state, shownOf(content)) : null)
  // One that came back from the trash has its words in the index still.
  if (!isNew) return
  for (const token of await work.words({ direction: state.direction, content }, { owner: mailboxId })) {
    const word = wordOf(token)
    const seqs = batch.seqs.get(word)
    if (seqs) seqs.push(seq)
    else batch.seqs.set(word, [seq])
  }
}

async function storedPlace(store: Store, mailboxId: string, seq: number): Promise<Place | undefined> {
  const bytes = await store.read(searchPartition(mailboxId), (view) => view.get(placeKey(seq)))
  return bytes && decode<Place>(bytes)
}

/** One commit of a batch with the progress it stands for; false when another process has gone on from `before`. */
async function save(
  store: Store,
  mailboxId: string,
  before: IndexProgress,
  after: IndexProgress,
  { seqs, places }: Batch,
  gone: readonly number[] = [],
): Promise<boolean> {
  const segment = segmentOf(seqs)
  return store.write(searchPartition(mailboxId), async (tx) => {
    const current = await readProgress(tx)
    if (!current || current.walked !== before.walked || current.seq !== before.seq) return false
    for (const [seq, place] of places) await savePlace(tx, seq, place)
    await saveTimes(
      tx,
      [...places].flatMap(([seq, place]) => (place ? [{ seq, at: place.at }] : [])),
    )
    for (const seq of gone) await savePlace(tx, seq, null)
    if (segment) await addSegment(tx, segment)
    tx.put(progressKey, encode(after))
    return true
  })
}
