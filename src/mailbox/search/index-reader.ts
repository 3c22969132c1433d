/** Snapshot of a mailbox and its index for one turn of a search. Data of the immutable segments carries over to the next turn (`Found`). */
import type { View } from '../../store/types.js'
import { messageKey, searchPartition } from '../keys.js'
import { newestListed } from '../lists.js'
import type { MessageState } from '../message.js'
import { type Segment, readSegments, seqsIn } from './segments.js'

/** A word of the index as bytes (chunks.ts), or a prefix. */
export interface Word {
  word: string
  prefix: boolean
}

/** Messages by word and segment, as looked up so far. */
export type Found = ReadonlyMap<string, readonly number[]>

/** Milliseconds since the epoch; from the first, inclusive, to the second, exclusive. */
export interface Times {
  after: number
  before: number
}

/** List entries read at once. */
const LISTED_STEP = 32
/** A message row, read and unpacked. */
const STATE_COST = 1
/** A row in which all words are examined, relative to one lookup. */
const ALL_WORDS_COST = 8
/** Lists kept between turns; about a megabyte. */
const MAX_KEPT_SEQS = 150_000

export type IndexReader = Awaited<ReturnType<typeof readIndex>>

/**
 * @param view of the mailbox
 * @param unpacked the message in a row; not to be changed
 */
export async function readIndex(
  view: View,
  mailboxId: string,
  found: Found,
  unpacked: (row: Uint8Array) => MessageState,
) {
  const words = view.in(searchPartition(mailboxId))
  const segments = await readSegments(words)
  const read = new Map<string, readonly number[]>()
  /** Entries of each list from `from` down to the last one read, or to the list's end. */
  const lists = new Map<string, { from: number; seqs: number[]; isAll: boolean }>()

  const states = new Map<number, MessageState | undefined>()

  const reader = {
    segments: segments as readonly Segment[],
    /** Rows read, and equivalent work. */
    cost: 1,

    /** Messages of a segment with a word, oldest first. */
    async seqs(segment: Segment, word: Word): Promise<readonly number[]> {
      // A segment of a rebuilt index may reuse an id, but not all other fields.
      const { id, first, last, bytes } = segment
      const name = `${id} ${first} ${last} ${bytes} ${word.prefix ? '*' : '='}${word.word}`
      const known = read.get(name) ?? found.get(name)
      if (known) return known
      const { seqs, reads } = await seqsIn(words, segment, word)
      reader.cost += reads * (word.prefix ? ALL_WORDS_COST : 1) + seqs.length / 1000
      read.set(name, seqs)
      return seqs
    },

    /** Newest entry of a list at or before a place. */
    async listed(name: string, atMost: number): Promise<number | undefined> {
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

    /** Message at a place, if any. */
    async state(seq: number): Promise<MessageState | undefined> {
      if (!states.has(seq)) {
        const row = await view.get(messageKey(seq))
        states.set(seq, row && unpacked(row))
        reader.cost += STATE_COST
      }
      return states.get(seq)
    },

    /** First place, going down, near which there may be mail of the time range. */
    async reach(atMost: number, { after, before }: Times): Promise<number | undefined> {
      const fitting = segments.filter(
        ({ first, oldest, newest }) => first <= atMost && newest >= after && oldest < before,
      )
      reader.cost += segments.length / 100
      return fitting.length === 0 ? undefined : Math.max(...fitting.map(({ last }) => Math.min(last, atMost)))
    },

    /** `found` plus what was read, without the oldest entries if too large. */
    found(): Found {
      const all = [...found, ...read]
      let kept = 0
      const fits = all.reverse().filter(([, seqs]) => (kept += seqs.length + 10) <= MAX_KEPT_SEQS)
      return new Map(fits.reverse())
    },
  }
  return reader
}
