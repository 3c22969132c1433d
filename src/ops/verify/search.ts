/**
 * Checks a mailbox's search index against its mail. It may lack messages not indexed yet. Any fault makes the whole index be rebuilt, so the check ends at
 * the first one.
 *
 * A sum shows that each message has all its words: for each message of a segment, the words that list it are added up as numbers, and so are the words of
 * the message. Memory has one segment's sums, and one bit for each place.
 */
import { setImmediate as tick } from 'node:timers/promises'
import { entriesOf, wordOf } from '../../mailbox/search/chunks.js'
import { chunksRange, mailboxPartition, messagesRange, searchPartition } from '../../mailbox/keys.js'
import { readStateAt, readStoredAt, unpackMessage } from '../../mailbox/message-rows.js'
import { unpackSeqs } from '../../mailbox/postings.js'
import { mailboxOf } from '../../mailbox/record.js'
import { INDEX_VERSION, readIndexRow, type Segment } from '../../mailbox/search/segments.js'
import { wordsOfMessage } from '../../mailbox/mail-work/words.js'
import { keyParts, prefixRange } from '../../store/keys.js'
import { rowsOf } from '../../store/pages.js'
import type { Store } from '../../store/types.js'
import { SeqMarks } from './seq-marks.js'

export interface SearchDeps {
  store: Store
  /** Skips the words of each message, which take most of the time. */
  quick: boolean
}

/** Fault of a mailbox's index; undefined if it is right or missing. */
export async function faultOfIndex({ store, quick }: SearchDeps, id: string): Promise<string | undefined> {
  const partition = searchPartition(id)
  if ((await store.version(partition)) === 0n) return undefined
  const mailbox = await store.read(mailboxPartition(id), mailboxOf)
  if (!mailbox) return 'there is no such mailbox'
  const index = await store.read(partition, readIndexRow)
  if (!index) return 'it has no position'
  // The next search rebuilds an index of another version.
  if (index.version !== INDEX_VERSION) return undefined
  if (index.seq > mailbox.seq) return `its position is ${index.seq}, the newest event is ${mailbox.seq}`

  const known = new Set(index.segments.map((segment) => BigInt(segment.id)))
  for await (const [row] of rowsOf(store, partition, prefixRange('chunk'))) {
    const [, segment] = keyParts(row)
    if (typeof segment !== 'bigint' || !known.has(segment)) return 'it has words of a segment that is not listed'
  }
  const seen = new SeqMarks()
  for (const segment of index.segments) {
    const sums = new Map<number, number>()
    const fault =
      (await addUp(store, partition, segment, sums)) ??
      (await compareTimes(store, id, segment, sums)) ??
      (quick ? undefined : await compare(store, id, sums))
    if (fault !== undefined) return fault
    for (const seq of sums.keys()) seen.add(seq)
  }
  // Each message has at least one word: its direction.
  for await (const [, value] of rowsOf(store, mailboxPartition(id), messagesRange)) {
    const { seq } = unpackMessage(value)
    if (seq <= index.seq && !seen.has(seq)) return `no word leads to message ${seq}`
  }
  return undefined
}

/** @param sums of the messages of the segment, which it fills */
async function addUp(
  store: Store,
  partition: string,
  { id, first, last, bytes }: Segment,
  sums: Map<number, number>,
): Promise<string | undefined> {
  const torn = `its segment ${id} is damaged`
  let size = 0
  let before: string | undefined
  for await (const [row, chunk] of rowsOf(store, partition, chunksRange(id))) {
    size += chunk.length
    let isFirst = true
    for (const { word, postings } of entriesOf(chunk)) {
      if ((before !== undefined && word <= before) || postings.length === 0) return torn
      if (isFirst && keyParts(row)[2] !== word) return torn
      isFirst = false
      before = word
      const number = numberOf(word)
      for (const seq of unpackSeqs(first, postings)) {
        if (seq > last) return torn
        sums.set(seq, ((sums.get(seq) ?? 0) + number) >>> 0)
      }
    }
    await tick()
  }
  return size === bytes ? undefined : torn
}

async function compareTimes(
  store: Store,
  id: string,
  { oldest, newest }: Segment,
  sums: ReadonlyMap<number, number>,
): Promise<string | undefined> {
  for (const seq of sums.keys()) {
    const state = await store.read(mailboxPartition(id), (view) => readStateAt(view, seq))
    if (state && (state.createdAt < oldest || state.createdAt > newest))
      return `${state.id} is outside the times of its segment`
  }
  return undefined
}

async function compare(store: Store, id: string, sums: ReadonlyMap<number, number>): Promise<string | undefined> {
  let since = 0
  for (const [seq, sum] of sums) {
    const stored = await store.read(mailboxPartition(id), (view) => readStoredAt(view, seq))
    // Words of deleted messages stay in the index.
    if (!stored) continue
    let wanted = 0
    for (const token of wordsOfMessage(stored.state, stored.content)) wanted = (wanted + numberOf(wordOf(token))) >>> 0
    if (wanted !== sum) return `${stored.state.id} is not found by all of its words`
    if (++since % 50 === 0) await tick()
  }
  return undefined
}

/** FNV-1a: different words have the same number with a chance of one in four billion. */
function numberOf(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
