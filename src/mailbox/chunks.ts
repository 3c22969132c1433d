/**
 * The rows of a segment of the index: words in order with their posting lists, some thousand octets together. A row a word would be most of what
 * storing a message costs, since each lands in another page of the store.
 *
 * A chunk is a run of entries: length of the word, the word, length of its posting list, the list; lengths as in `postings.ts`. Words are
 * octets (UTF-8), here as strings of one character an octet, so that their order is that of keys.
 */
import { pushNumber } from './postings.js'

export interface Entry {
  /** Octets as characters. */
  word: string
  postings: ArrayLike<number>
}

export interface Chunk {
  /** Its first word. */
  first: string
  bytes: Uint8Array
}

/** A value of LMDB takes whole pages, and two of them hold a little less than 8 KiB. */
const CHUNK_BYTES = 8_000

const ASCII = /^[\x00-\x7f]*$/

/** A token as its octets. */
export function wordOf(token: string): string {
  return ASCII.test(token) ? token : Buffer.from(token).toString('latin1')
}

/** @param entries in the order of their words */
export function* packChunks(entries: Iterable<Entry>): Generator<Chunk> {
  let first: string | undefined
  let bytes: number[] = []
  for (const { word, postings } of entries) {
    if (first !== undefined && bytes.length + word.length + postings.length > CHUNK_BYTES) {
      yield { first, bytes: Uint8Array.from(bytes) }
      first = undefined
      bytes = []
    }
    first ??= word
    pushNumber(bytes, word.length)
    for (let i = 0; i < word.length; i++) bytes.push(word.charCodeAt(i))
    pushNumber(bytes, postings.length)
    for (let i = 0; i < postings.length; i++) bytes.push(postings[i] ?? 0)
  }
  if (first !== undefined) yield { first, bytes: Uint8Array.from(bytes) }
}

/** The posting list of a word; undefined when the chunk has none. */
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

/** The entries in order. */
export function* entriesOf(bytes: Uint8Array): Generator<Entry & { postings: Uint8Array }> {
  const chunk = view(bytes)
  const place = { at: 0 }
  while (place.at < chunk.length) {
    const length = readNumber(chunk, place)
    const word = chunk.toString('latin1', place.at, place.at + length)
    place.at += length
    const listLength = readNumber(chunk, place)
    const postings = chunk.subarray(place.at, place.at + listLength)
    place.at += listLength
    yield { word, postings }
  }
}

function view(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Reads a number and moves the place past it. */
function readNumber(chunk: Buffer, place: { at: number }): number {
  let value = 0
  for (let scale = 1; ; scale *= 0x80) {
    const byte = chunk[place.at++] ?? 0
    value += (byte & 0x7f) * scale
    if (byte < 0x80) return value
  }
}
