/**
 * The inside of a mailbox's search index, held against its mail. What it may lack is what events tell of that it has not come to yet; then only its own
 * rows are held against each other. Any fault has the whole index made anew, so the first one ends the look.
 *
 * That each message has all its words is seen by a sum: of each segment, for each of its messages, the words that list it are added up as numbers, and
 * so are the words that the message has. Memory holds one segment's sums, and one bit for each number of an event.
 */
import { setImmediate as tick } from 'node:timers/promises'
import { entriesOf, wordOf } from '../mailbox/chunks.js'
import { INDEX_VERSION } from '../mailbox/indexer.js'
import type { IndexProgress } from '../mailbox/indexer.js'
import {
  chunksRange,
  contentKey,
  listedKey,
  mailboxPartition,
  messageKey,
  messagesRange,
  placeKey,
  placesRange,
  progressKey,
  searchPartition,
  stretchKey,
} from '../mailbox/keys.js'
import type { MessageContent, MessageState } from '../mailbox/message.js'
import { listsOf, placeOf } from '../mailbox/places.js'
import type { Place } from '../mailbox/places.js'
import { nextSeq } from '../mailbox/numbering.js'
import { unpackSeqs } from '../mailbox/postings.js'
import { mailboxOf } from '../mailbox/record.js'
import { readSegments } from '../mailbox/segments.js'
import type { Segment } from '../mailbox/segments.js'
import { LENGTHS } from '../mailbox/times.js'
import { wordsOfMessage } from '../mailbox/words.js'
import { decode, keyParts, prefixRange } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { rowsOf } from './rows.js'
import { SeqMarks } from './seq-marks.js'

export interface SearchDeps {
  store: Store
  /** Not the words of each message, which takes most of the time. */
  quick: boolean
}

/** What is wrong with the index of a mailbox; undefined when nothing is, or there is none. */
export async function faultOfIndex(deps: SearchDeps, id: string): Promise<string | undefined> {
  const { store } = deps
  const partition = searchPartition(id)
  if ((await store.version(partition)) === 0n) return undefined
  const mailbox = await store.read(mailboxPartition(id), mailboxOf)
  if (!mailbox) return 'there is no such mailbox'
  const bytes = await store.read(partition, (view) => view.get(progressKey))
  if (!bytes) return 'it does not know how far it is'
  const progress = decode<IndexProgress>(bytes)
  // One of another version is made anew by the next search.
  if (progress.version !== INDEX_VERSION) return undefined
  if (progress.seq > mailbox.seq) return `it has event ${progress.seq}, the newest is ${mailbox.seq}`
  const isComplete = progress.walked === null && nextSeq(mailbox, progress.seq) > mailbox.seq
  return (
    (await faultOfPlaces(store, id, isComplete)) ??
    (await faultOfLists(store, partition)) ??
    (isComplete ? await faultOfMessages(store, id) : undefined) ??
    (await faultOfSegments(deps, id, isComplete))
  )
}

async function faultOfPlaces(store: Store, id: string, isComplete: boolean): Promise<string | undefined> {
  const partition = searchPartition(id)
  for await (const [row, value] of rowsOf(store, partition, placesRange)) {
    const seq = Number(keyParts(row)[1])
    const place = decode<Place>(value)
    const bytes = await store.read(mailboxPartition(id), (view) => view.get(messageKey(place.messageId)))
    const state = bytes && decode<MessageState>(bytes)
    if (isComplete && (!state || state.trashed)) return `${place.messageId} is in it, and is gone`
    if (state && state.seq !== seq) return `${place.messageId} stands at ${seq}, and is ${state.seq}`
    if (isComplete && state && JSON.stringify(placeOf(state, place.shown)) !== JSON.stringify(place))
      return `it says of ${state.id} what is not so`
    const { lists, spans } = await store.read(partition, async (view) => ({
      lists: await view.getMany(listsOf(place).map((name) => listedKey(name, seq))),
      spans: await view.getMany(LENGTHS.map((length) => stretchKey(length, Math.floor(seq / length)))),
    }))
    if (lists.some((listed) => !listed)) return `${place.messageId} is missing in one of its lists`
    for (const span of spans) {
      const [oldest, newest] = span ? decode<[number, number]>(span) : [Infinity, -Infinity]
      if (place.at < oldest || place.at > newest) return `${place.messageId} is not in the times of its place`
    }
  }
  return undefined
}

async function faultOfLists(store: Store, partition: string): Promise<string | undefined> {
  for await (const [row] of rowsOf(store, partition, prefixRange('listed'))) {
    const [, name, seq] = keyParts(row)
    const bytes = await store.read(partition, (view) => view.get(placeKey(Number(seq))))
    if (!bytes || !listsOf(decode<Place>(bytes)).includes(String(name)))
      return `${String(seq)} should not be in ${String(name)}`
  }
  return undefined
}

async function faultOfMessages(store: Store, id: string): Promise<string | undefined> {
  for await (const [, value] of rowsOf(store, mailboxPartition(id), messagesRange)) {
    const state = decode<MessageState>(value)
    if (state.trashed) continue
    const [content, place] = [
      await store.read(mailboxPartition(id), (view) => view.get(contentKey(state.id))),
      await store.read(searchPartition(id), (view) => view.get(placeKey(state.seq))),
    ]
    if (content && !place) return `${state.id} is not in it`
  }
  return undefined
}

async function faultOfSegments(
  { store, quick }: SearchDeps,
  id: string,
  isComplete: boolean,
): Promise<string | undefined> {
  const partition = searchPartition(id)
  const segments = await store.read(partition, readSegments)
  const known = new Set(segments.map((segment) => BigInt(segment.id)))
  for await (const [row] of rowsOf(store, partition, prefixRange('chunk')))
    if (!known.has(BigInt(keyParts(row)[1] ?? -1n))) return 'it has words of a part that is not listed'
  const seen = new SeqMarks()
  for (const segment of segments) {
    const sums = new Map<number, number>()
    const fault = (await addUp(store, partition, segment, sums)) ?? (quick ? undefined : await compare(store, id, sums))
    if (fault !== undefined) return fault
    for (const seq of sums.keys()) seen.add(seq)
  }
  if (!isComplete) return undefined
  // Each message has a word at least: which way it went.
  for await (const [row] of rowsOf(store, partition, placesRange)) {
    const seq = Number(keyParts(row)[1])
    if (!seen.has(seq)) return `no word leads to message ${seq}`
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
  const torn = `part ${id} of it is torn`
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

async function compare(store: Store, id: string, sums: ReadonlyMap<number, number>): Promise<string | undefined> {
  let since = 0
  for (const [seq, sum] of sums) {
    const bytes = await store.read(searchPartition(id), (view) => view.get(placeKey(seq)))
    // Of what is gone, or in the trash, the words stay.
    if (!bytes) continue
    const { messageId } = decode<Place>(bytes)
    const [state, content] = await store.read(mailboxPartition(id), (view) =>
      view.getMany([messageKey(messageId), contentKey(messageId)]),
    )
    if (!state || !content) continue
    let wanted = 0
    for (const token of wordsOfMessage(decode<MessageState>(state), decode<MessageContent>(content)))
      wanted = (wanted + numberOf(wordOf(token))) >>> 0
    if (wanted !== sum) return `${messageId} is not found by all of its words`
    if (++since % 50 === 0) await tick()
  }
  return undefined
}

/** FNV-1a: different words have different numbers, with a chance of one in four milliards. */
function numberOf(word: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
