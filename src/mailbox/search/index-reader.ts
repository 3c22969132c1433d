/**
 * One look at a mailbox and its index, at one moment: what a short turn of a search reads, each row once, and counts. What is read of the
 * segments is taken over to the next turn (`Found`), since they never change.
 */
import type { View } from '../../store/types.js'
import { searchPartition } from '../keys.js'
import { newestListed } from '../lists.js'
import type { MessageState } from '../message.js'
import { readStateAt } from '../message-rows.js'
import { type Segment, readSegments, seqsIn } from './segments.js'

/** A word of the index as its octets (chunks.ts), or all that begin so. */
export interface Word {
  word: string
  prefix: boolean
}

/** Messages that have a word, by word and segment, as far as they were looked up. */
export type Found = ReadonlyMap<string, readonly number[]>

/** Milliseconds since the epoch; from the first one on, before the second. */
export interface Times {
  after: number
  before: number
}

/** Entries of a list read at once. */
const LISTED_STEP = 32
/** A message, whose whole row is read and unpacked. */
const STATE_COST = 1
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
  /** The message at a place; undefined when there is none. */
  state(seq: number): Promise<MessageState | undefined>
  /** The first place, from there down, around which there may be mail of some time; undefined when there is none. */
  reach(atMost: number, times: Times): Promise<number | undefined>
  /** `found` with what was read, without what has been there longest where it gets too much. */
  found(): Found
}

/** @param view of the mailbox */
export async function readIndex(view: View, mailboxId: string, found: Found): Promise<IndexReader> {
  const words = view.in(searchPartition(mailboxId))
  const segments = await readSegments(words)
  const read = new Map<string, readonly number[]>()
  /** Of each list the entries from `from` down to the last of them, or to the end of the list. */
  const lists = new Map<string, { from: number; seqs: number[]; isAll: boolean }>()

  const states = new Map<number, MessageState | undefined>()

  const reader: IndexReader = {
    segments,
    cost: 1,

    async seqs(segment, word) {
      // A segment of an index that was begun anew may have the number of an old one, but not all the rest.
      const { id, first, last, bytes } = segment
      const name = `${id} ${first} ${last} ${bytes} ${word.prefix ? '*' : '='}${word.word}`
      const known = read.get(name) ?? found.get(name)
      if (known) return known
      const { seqs, reads } = await seqsIn(words, segment, word)
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
      const seqs = await newestListed(view, name, 'message', atMost, LISTED_STEP)
      lists.set(name, { from: atMost, seqs, isAll: seqs.length < LISTED_STEP })
      reader.cost += 1 + seqs.length / 16
      return seqs[0]
    },

    async state(seq) {
      if (!states.has(seq)) {
        states.set(seq, await readStateAt(view, seq))
        reader.cost += STATE_COST
      }
      return states.get(seq)
    },

    async reach(atMost, { after, before }) {
      const fitting = segments.filter(
        ({ first, oldest, newest }) => first <= atMost && newest >= after && oldest < before,
      )
      reader.cost += segments.length / 100
      return fitting.length === 0 ? undefined : Math.max(...fitting.map(({ last }) => Math.min(last, atMost)))
    },

    found() {
      const all = [...found, ...read]
      let kept = 0
      const fits = all.reverse().filter(([, seqs]) => (kept += seqs.length + 10) <= MAX_KEPT_SEQS)
      return new Map(fits.reverse())
    },
  }
  return reader
}
