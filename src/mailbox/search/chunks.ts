/**
 * Rows of an index segment: sorted words with their posting lists, some thousand bytes per row. A row per word would dominate the cost of storing a message,
 * since each lands on another page.
 *
 * A chunk is a sequence of entries: length of the word, word, length of its posting list, list; lengths as in `mailbox/postings.ts`. Words are UTF-8 bytes, as
 * strings with one character per byte, so that their order is that of keys.
 */
import { writeNumber } from '../postings.js'

export interface Entry {
  /** Bytes as characters. */
  word: string
  postings: ArrayLike<number>
}

export interface Chunk {
  first: string
  bytes: Uint8Array
}

/** LMDB values occupy whole pages; two hold just under 8 KiB. */
const CHUNK_BYTES = 8_000
/** Max bytes of an entry's two lengths. */
const MAX_LENGTHS = 16

const ASCII = /^[\x00-\x7f]*$/

/** A token as bytes. */
export function wordOf(token: string): string {
  return ASCII.test(token) ? token : Buffer.from(token).toString('latin1')
}

/** @param entries sorted by word; each is read before the next is requested */
export function* packChunks(entries: Iterable<Entry>): Generator<Chunk> {
  let first: string | undefined
  let bytes = Buffer.allocUnsafe(2 * CHUNK_BYTES)
  let length = 0
  for (const { word, postings } of entries) {
    const own = word.length + postings.length
    if (first !== undefined && length + own > CHUNK_BYTES) {
      yield { first, bytes: new Uint8Array(bytes.subarray(0, length)) }
      first = undefined
      length = 0
    }
    if (length + own + MAX_LENGTHS > bytes.length)
      bytes = Buffer.concat([bytes.subarray(0, length)], length + own + MAX_LENGTHS)
    first ??= word
    length = writeNumber(bytes, length, word.length)
    for (let i = 0; i < word.length; i++) bytes[length++] = word.charCodeAt(i)
    length = writeNumber(bytes, length, postings.length)
    for (let i = 0; i < postings.length; i++) bytes[length++] = postings[i] ?? 0
  }
  if (first !== undefined) yield { first, bytes: new Uint8Array(bytes.subarray(0, length)) }
}

/** The posting list of a word; undefined if not in the chunk. */
export function findInChunk(bytes: Uint8Array, word: string): Uint8Array | undefined {
  const chunk = view(bytes)
  const wanted = Buffer.from(word, 'latin1')
  const place = { at: 0 }
  while (place.at < chunk.length) {
    const length = readNumber(chunk, place)
    const start = place.at
    place.at += length
    const listLength = readNumber(chunk, place)
    const listAt = place.at
    place.at += listLength
    if (length === wanted.length && chunk.compare(wanted, 0, length, start, start + length) === 0) {
      return chunk.subarray(listAt, place.at)
    }
  }
  return undefined
}

export function* entriesOf(bytes: Uint8Array): Generator<Entry & { postings: Uint8Array }> {
  const chunk = view(bytes)
  const place = { at: 0 }
  while (place.at < chunk.length) {
    const length = readNumber(chunk, place)
    const word = chunk.toString('latin1', place.at, place.at + length)
    place.at += length
    const listLength = readNumber(chunk, place)
    const postings = new Uint8Array(chunk.buffer, chunk.byteOffset + place.at, listLength)
    place.at += listLength
    yield { word, postings }
  }
}

/** Entries whose word has some characters. The others are passed over by their lengths, as nearly all are. @param part not empty; bytes as characters */
export function* entriesWith(bytes: Uint8Array, part: Buffer): Generator<Entry & { postings: Uint8Array }> {
  const chunk = view(bytes)
  const place = { at: 0 }
  let hit = chunk.indexOf(part)
  while (hit !== -1 && place.at < chunk.length) {
    const length = readNumber(chunk, place)
    const start = place.at
    place.at += length
    const listLength = readNumber(chunk, place)
    const listAt = place.at
    place.at += listLength
    if (hit >= place.at) continue
    // What is found in a length or a list is no word's.
    if (hit < start) hit = chunk.indexOf(part, start)
    if (hit !== -1 && hit + part.length <= start + length) {
      const word = chunk.toString('latin1', start, start + length)
      yield { word, postings: new Uint8Array(chunk.buffer, chunk.byteOffset + listAt, listLength) }
    }
    if (hit !== -1 && hit < place.at) hit = chunk.indexOf(part, place.at)
  }
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Reads a number and advances the offset. */
function readNumber(chunk: Buffer, place: { at: number }): number {
  const first = chunk[place.at] ?? 0
  if (first < 0x80) {
    place.at++
    return first
  }
  let value = 0
  for (let scale = 1; ; scale *= 0x80) {
    const byte = chunk[place.at++] ?? 0
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return value
  }
}
