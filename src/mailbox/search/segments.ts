/**
 * The search index as immutable segments, as in a log-structured merge tree (O'Neil et al., 1996): new messages make small ones, merged in the background.
 * One row lists them and the index's place, so a commit changes the index atomically.
 */
import { setImmediate as tick } from 'node:timers/promises'
import { keyAfter } from '../../store/keys.js'
import { listOf, pack, record, unpack } from '../../store/packed.js'
import type { Store, Transaction, View } from '../../store/types.js'
import { pagesOf } from '../../store/pages.js'
import { type Chunk, type Entry, entriesOf, findInChunk, packChunks } from './chunks.js'
import { chunkKey, chunksRange, firstChunkKey, indexKey } from '../keys.js'
import { countForm } from '../packed-parts.js'
import { appendSeqs, packSeqs, rebased, unpackSeqs } from '../postings.js'

/** Increment when tokens change. */
export const INDEX_VERSION = 7

export interface Segment {
  id: number
  /** Lowest and highest seq of its messages. Ranges may overlap. */
  first: number
  last: number
  bytes: number
  /** Times of its oldest and newest message; milliseconds since the epoch. */
  oldest: number
  newest: number
}

type Span = Omit<Segment, 'id' | 'bytes'>

export type NewSegment = Span & { chunks: Chunk[] }

/** Messages with a word: most words are in one only. */
export type Seqs = number | number[]

export interface IndexProgress {
  version: number
  /** All messages up to this place are indexed. */
  seq: number
  /** Indexed messages, and how many of them are purged. */
  messages: number
}

/** The index row: id of the next segment, and the segments sorted by `last`. */
export interface Index extends IndexProgress {
  next: number
  segments: Segment[]
}

const indexForm = record<Index>({
  version: countForm,
  seq: countForm,
  messages: countForm,
  next: countForm,
  segments: listOf(
    record<Segment>({
      id: countForm,
      first: countForm,
      last: countForm,
      bytes: countForm,
      oldest: countForm,
      newest: countForm,
    }),
  ),
})

export const newIndex = (version: number): Index => ({ version, seq: 0, messages: 0, next: 1, segments: [] })

/** Segments below each size are merged with others up to that size, at least this many; larger ones stay. */
const LEVELS_BYTES = [2, 16, 128, 1024].map((kib) => kib * 1024)
const MERGE_FROM = 8
/** Max memory and commit size of a merge. */
const MAX_MERGE_BYTES = 4 * 1024 * 1024
const MAX_MERGED = 16
/** Max span of lists merged by marking. */
const MAX_MARKS = 200_000
/** Chunks read or written per turn of the event loop. */
const CHUNKS_A_TURN = 4

export async function readIndexRow(view: View): Promise<Index | undefined> {
  const bytes = await view.get(indexKey)
  return bytes && unpackIndex(bytes)
}

export const unpackIndex = (row: Uint8Array): Index => unpack(indexForm, row)

export const putIndexRow = (tx: Transaction, index: Index): void => tx.put(indexKey, pack(indexForm, index))

export async function readSegments(view: View): Promise<Segment[]> {
  return (await readIndexRow(view))?.segments ?? []
}

/**
 * Builds the segment of some messages.
 *
 * @param seqs messages by word, in any order
 * @param times of the messages
 */
export function segmentOf(
  seqs: ReadonlyMap<string, Seqs>,
  times: Pick<Span, 'oldest' | 'newest'>,
): NewSegment | undefined {
  let first = Infinity
  let last = 0
  for (const some of seqs.values()) {
    if (typeof some !== 'number') some.sort((a, b) => a - b)
    first = Math.min(first, typeof some === 'number' ? some : (some[0] ?? Infinity))
    last = Math.max(last, typeof some === 'number' ? some : (some.at(-1) ?? 0))
  }
  if (first > last) return undefined
  return { first, last, ...times, chunks: [...packChunks(entriesFrom(seqs, first))] }
}

/** Reuses one object: the packer reads each entry before the next. */
function* entriesFrom(seqs: ReadonlyMap<string, Seqs>, base: number): Generator<Entry> {
  const entry: Entry = { word: '', postings: [] }
  const one = [0]
  for (const word of [...seqs.keys()].sort()) {
    const some = seqs.get(word) ?? []
    entry.word = word
    if (typeof some === 'number') one[0] = some
    entry.postings = packSeqs(base, typeof some === 'number' ? one : some)
    yield entry
  }
}

/**
 * Writes the words of new messages, merged with the newest segments if these are small and enough, which saves a commit.
 *
 * @returns the index for `putIndexRow`
 */
export async function addWords(tx: Transaction, index: Index, segment: NewSegment): Promise<Index> {
  const [least = 0] = LEVELS_BYTES
  const tail = index.segments.slice(index.segments.findLastIndex(({ bytes }) => bytes >= least) + 1)
  if (tail.length < MERGE_FROM - 1 || bytesOf(segment.chunks) >= least) return addSegment(tx, index, segment)
  const sources = tail.slice(1 - MAX_MERGED)
  const parts = [{ base: segment.first, chunks: segment.chunks.map(({ bytes }) => bytes) }]
  for (const { id, first } of sources) {
    // A segment of the smallest level is one chunk.
    const [chunk] = await tx.range({ ...chunksRange(id), limit: 1 })
    if (!chunk) continue
    tx.delete(chunk[0])
    parts.push({ base: first, chunks: [chunk[1]] })
  }
  const span = spanOf([...sources, segment])
  const others = index.segments.filter((one) => !sources.includes(one))
  return addSegment(tx, { ...index, segments: others }, { ...span, chunks: [...packChunks(merged(parts, span.first))] })
}

const bytesOf = (chunks: readonly Chunk[]): number => chunks.reduce((sum, { bytes }) => sum + bytes.length, 0)

function spanOf(segments: readonly Span[]): Span {
  return {
    first: Math.min(...segments.map(({ first }) => first)),
    last: Math.max(...segments.map(({ last }) => last)),
    oldest: Math.min(...segments.map(({ oldest }) => oldest)),
    newest: Math.max(...segments.map(({ newest }) => newest)),
  }
}

/** Writes a segment. @returns the index for `putIndexRow` */
function addSegment(tx: Transaction, index: Index, { chunks, ...segment }: NewSegment): Index {
  for (const chunk of chunks) tx.put(chunkKey(index.next, chunk.first), chunk.bytes)
  const segments = [...index.segments, { ...segment, id: index.next, bytes: bytesOf(chunks) }]
  return { ...index, next: index.next + 1, segments: segments.sort((a, b) => a.last - b.last) }
}

/** Messages of a segment with a word, oldest first, and the rows read. @param prefix matches any word with this prefix */
export async function seqsIn(
  view: View,
  { id, first }: Segment,
  { word, prefix }: { word: string; prefix: boolean },
): Promise<{ seqs: number[]; reads: number }> {
  const [row] = await view.range({ ...upTo(id, word), limit: 1, reverse: true })
  if (!prefix) {
    const postings = row && findInChunk(row[1], word)
    return { seqs: postings ? unpackSeqs(first, postings) : [], reads: 1 }
  }
  const lists: number[][] = []
  const { lt } = chunksRange(id)
  // The first match may be in the chunk that starts before it.
  let chunk = row?.[1]
  let from = keyAfter(chunkKey(id, word))
  for (let reads = 1; ; reads++) {
    for (const entry of chunk ? entriesOf(chunk) : []) {
      if (entry.word.startsWith(word)) lists.push(unpackSeqs(first, entry.postings))
      else if (entry.word > word) return { seqs: together(lists), reads }
    }
    const [next] = await view.range({ gte: from, lt, limit: 1 })
    if (!next) return { seqs: together(lists), reads }
    chunk = next[1]
    from = keyAfter(next[0])
  }
}

/** Merges ascending lists without duplicates. Seqs of a segment are usually dense: marking them is much faster than sorting. */
function together(lists: number[][]): number[] {
  if (lists.length <= 1) return lists[0] ?? []
  const first = Math.min(...lists.map((seqs) => seqs[0] ?? Infinity))
  const last = Math.max(...lists.map((seqs) => seqs.at(-1) ?? 0))
  if (last - first >= MAX_MARKS) return [...new Set(lists.flat())].sort((a, b) => a - b)
  const marks = new Uint8Array(last - first + 1)
  for (const seqs of lists) for (const seq of seqs) marks[seq - first] = 1
  const all: number[] = []
  for (const [i, mark] of marks.entries()) if (mark === 1) all.push(first + i)
  return all
}

/** Chunks of a segment that start at or before a word; the last one has it, if any. */
function upTo(id: number, word: string): { gte: Uint8Array; lt: Uint8Array } {
  return { gte: firstChunkKey(id), lt: keyAfter(chunkKey(id, word)) }
}

/** Merges segments of similar size, if there are enough. @returns false if there is nothing to merge */
export async function mergeSome(store: Store, partition: string): Promise<boolean> {
  const sources = toMerge(await store.read(partition, readSegments))
  if (!sources) return false
  const keys: Uint8Array[] = []
  const parts: { base: number; chunks: Uint8Array[] }[] = []
  for (const { id, first } of sources) {
    const chunks: Uint8Array[] = []
    for await (const rows of pagesOf(store, partition, { ...chunksRange(id), limit: CHUNKS_A_TURN })) {
      for (const [key, bytes] of rows) {
        keys.push(key)
        chunks.push(bytes)
      }
    }
    parts.push({ base: first, chunks })
  }

  const span = spanOf(sources)
  const chunks: Chunk[] = []
  for (const chunk of packChunks(merged(parts, span.first))) {
    chunks.push(chunk)
    if (chunks.length % CHUNKS_A_TURN === 0) await tick()
  }
  await store.write(partition, async (tx) => {
    const index = await readIndexRow(tx)
    if (!index) return
    const gone = new Set(sources.map(({ id }) => id))
    const others = index.segments.filter(({ id }) => !gone.has(id))
    // Another process merged them or rebuilt the index.
    if (others.length !== index.segments.length - sources.length) return
    for (const key of keys) tx.delete(key)
    putIndexRow(tx, addSegment(tx, { ...index, segments: others }, { ...span, chunks }))
  })
  return true
}

/** The oldest of the newest segments of similar size, if there are enough. */
function toMerge(segments: Segment[]): Segment[] | undefined {
  for (const level of LEVELS_BYTES) {
    const tail = segments.slice(segments.findLastIndex(({ bytes }) => bytes >= level) + 1)
    if (tail.length < MERGE_FROM) continue
    let bytes = 0
    return tail.slice(0, MAX_MERGED).filter((segment, i) => {
      bytes += segment.bytes
      return i < 2 || bytes <= MAX_MERGE_BYTES
    })
  }
  return undefined
}

/** Entries of all parts in order; lists of a shared word are merged. */
function* merged(parts: { base: number; chunks: Uint8Array[] }[], base: number): Generator<Entry> {
  const heads = parts.map((part) => ({ base: part.base, entries: entriesOfAll(part.chunks), entry: undefined as Head }))
  for (const head of heads) advance(head)
  for (;;) {
    let word: string | undefined
    for (const { entry } of heads) if (entry && (word === undefined || entry.word < word)) word = entry.word
    if (word === undefined) return
    // Usually a word is in one part only: its list is reused.
    let only: ArrayLike<number> | undefined
    const seqs: number[] = []
    for (const head of heads) {
      const { entry } = head
      if (entry?.word !== word) continue
      if (
        only === undefined &&
        seqs.length === 0 &&
        !heads.some((other) => other !== head && other.entry?.word === word)
      )
        only = rebased(entry.postings, head.base, base)
      else appendSeqs(seqs, head.base, entry.postings)
      advance(head)
    }
    yield { word, postings: only ?? packSeqs(base, isAscending(seqs) ? seqs : seqs.sort((a, b) => a - b)) }
  }
}

type Head = (Entry & { postings: Uint8Array }) | undefined

function isAscending(seqs: readonly number[]): boolean {
  for (let i = 1; i < seqs.length; i++) if ((seqs[i - 1] ?? 0) > (seqs[i] ?? 0)) return false
  return true
}

function advance(head: { entries: Generator<NonNullable<Head>, undefined>; entry: Head }): void {
  head.entry = head.entries.next().value
}

function* entriesOfAll(chunks: Uint8Array[]): Generator<NonNullable<Head>, undefined> {
  for (const chunk of chunks) yield* entriesOf(chunk)
  return undefined
}
