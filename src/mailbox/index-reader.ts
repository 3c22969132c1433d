/**
 * One look into the search index, at one version of it: what a short turn of a search reads, each row once, and counts. What is read of the
 * segments is taken over to the next turn (`Found`), since they never change.
 */
import { asBuffer, decode, keyParts } from '../store/keys.js'
import type { View } from '../store/types.js'
import { listedKey, listedRange, placeKey, placesRange } from './keys.js'
import type { Place } from './places.js'
import type { Segment } from './segments.js'
import { readSegments, seqsIn } from './segments.js'
import { reachTimes, type Times } from './times.js'

/** A word of the index as its octets (chunks.ts), or all that begin so. */
export interface Word {
  word: string
  prefix: boolean
}

/** Messages that have a word, by word and segment, as far as they were looked up. */
export type Found = ReadonlyMap<string, readonly number[]>

export interface PlacedMessage extends Place {
  seq: number
}

/** Rows of a list read at once, and places where one after the other is asked for. */
const LISTED_STEP = 32
const MAX_PLACES_STEP = 32
/** A row whose words are all looked at, beside one in which a word is looked up. */
const ALL_WORDS_COST = 8
/** Lists kept from turn to turn; together about a megabyte. */
const MAX_KEPT_SEQS = 150_000

export interface IndexReader {
  readonly segments: readonly Segment[]
  /** Rows read so far, and what else has taken about as long. */
  cost: number
  /** Messages of a segment that have a word, oldest first. */
  seqs(segment: Segment, word: Word): Promise<readonly number[]>
  /** The newest entry of a list at or before a place. */
  listed(name: string, atMost: number): Promise<number | undefined>
  /** Some of the messages at or before a place, the newest of them first; none when there is none. More, where they are asked for in a row. */
  places(atMost: number): Promise<PlacedMessage[]>
  /** The first place, from there down, around which there may be mail of some time; undefined when there is none. */
  reach(atMost: number, times: Times): Promise<number | undefined>
  /** `found` with what was read, without what has been there longest where it gets too much. */
  found(): Found
}

export async function readIndex(view: View, found: Found): Promise<IndexReader> {
  const segments = await readSegments(view)
  const read = new Map<string, readonly number[]>()
  /** Of each list the entries from `from` down to the last of them, or to the end of the list. */
  const lists = new Map<string, { from: number; seqs: number[]; isAll: boolean }>()

  const stretches = new Map<string, Uint8Array | undefined>()
  let places: PlacedMessage[] = []
  let placesFrom = -1

  const reader: IndexReader = {
    segments,
    cost: 1,

    async seqs(segment, word) {
      // A segment of an index that was begun anew may have the number of an old one, but not all the rest.
      const { id, first, last, bytes } = segment
      const name = `${id} ${first} ${last} ${bytes} ${word.prefix ? '*' : '='}${word.word}`
      const known = read.get(name) ?? found.get(name)
      if (known) return known
      const { seqs, reads } = await seqsIn(view, segment, word)
      reader.cost += reads * (word.prefix ? ALL_WORDS_COST : 1) + seqs.length / 1000
      read.set(name, seqs)
      return seqs
    },

    async listed(name, atMost) {
      const known = lists.get(name)
      if (known && known.from >= atMost) {
        const seq = known.seqs.find((each) => each <= atMost)
        if (seq !== undefined || known.isAll) return seq
      }
      const { gte } = listedRange(name)
      const rows = await view.range({ gte, lt: listedKey(name, atMost + 1), limit: LISTED_STEP, reverse: true })
      const seqs = rows.map(([entry]) => Number(keyParts(entry)[2]))
      lists.set(name, { from: atMost, seqs, isAll: rows.length < LISTED_STEP })
      reader.cost += 1 + rows.length / 16
      return seqs[0]
    },

    async places(atMost) {
      const lowest = places.at(-1)?.seq ?? Infinity
      if (atMost <= placesFrom && atMost >= lowest) return places.filter(({ seq }) => seq <= atMost)
      const limit = atMost === lowest - 1 ? Math.min(places.length * 2, MAX_PLACES_STEP) : 1
      const { gte } = placesRange
      const rows = await view.range({ gte, lt: placeKey(atMost + 1), limit, reverse: true })
      places = rows.map(([entry, value]) => ({ ...decode<Place>(value), seq: Number(keyParts(entry)[1]) }))
      placesFrom = atMost
      reader.cost += 1 + rows.length / 2
      return places
    },

    reach: (atMost, times) =>
      reachTimes(
        atMost,
        times,
        async (key) => {
          const name = asBuffer(key).toString('latin1')
          if (stretches.has(name)) return stretches.get(name)
          reader.cost++
          const bytes = await view.get(key)
          stretches.set(name, bytes)
          return bytes
        },
        async (place) => (await reader.places(place))[0]?.seq,
      ),

    found() {
      const all = [...found, ...read]
      let kept = 0
      const fits = all.reverse().filter(([, seqs]) => (kept += seqs.length + 10) <= MAX_KEPT_SEQS)
      return new Map(fits.reverse())
    },
  }
  return reader
}
