/** Search conditions: each returns the newest message, not after a place, that may match, so a rare word shortens the search whatever the others are. */
import { lastAtMost } from '../postings.js'
import type { IndexReader, Times, Word } from './index-reader.js'
import { ALL_LIST } from '../lists.js'

/**
 * A place, and whether it matches. If unknown, none after the place matches and the search asks again from there; such a place is always before the requested
 * one.
 */
export interface Answer {
  seq: number
  sure: boolean
}

/** Undefined: no message at or before the place matches. */
export type Condition = (reader: IndexReader, atMost: number) => Promise<Answer | undefined>

/** Max cost of one answer, apart from its last row. */
const MAX_ANSWER_COST = 40

export function hasWord(word: Word): Condition {
  return async (reader, atMost) => {
    let newest: number | undefined
    const begun = reader.cost
    for (let i = reader.segments.length - 1; i >= 0; i--) {
      const segment = reader.segments[i]
      if (!segment || segment.first > atMost) continue
      if (newest !== undefined && segment.last <= newest) break
      if (newest === undefined && reader.cost - begun >= MAX_ANSWER_COST && segment.last < atMost) {
        return { seq: segment.last, sure: false }
      }
      const seq = lastAtMost(await reader.seqs(segment, word), atMost)
      if (seq !== undefined) newest = Math.max(newest ?? 0, seq)
    }
    return newest === undefined ? undefined : { seq: newest, sure: true }
  }
}

export function isListed(name: string): Condition {
  return async (reader, atMost) => {
    const seq = await reader.listed(name, atMost)
    return seq === undefined ? undefined : { seq, sure: true }
  }
}

/** @param seqs ascending */
export function isOneOf(seqs: readonly number[]): Condition {
  return async (_reader, atMost) => {
    const seq = lastAtMost(seqs, atMost)
    return seq === undefined ? undefined : { seq, sure: true }
  }
}

/** Messages in the mailbox, within a time range, that satisfy all of `fits`. */
export function inMailbox(
  times: Times | undefined,
  fits: readonly ((reader: IndexReader, seq: number) => Promise<boolean>)[],
): Condition {
  return async (reader, atMost) => {
    const reached = times ? await reader.reach(atMost, times) : atMost
    const seq = reached === undefined ? undefined : await reader.listed(ALL_LIST, reached)
    if (seq === undefined) return undefined
    if (seq < atMost) return { seq, sure: false }
    if ((!times || (await isWithin(reader, seq, times))) && (await all(fits, reader, seq))) return { seq, sure: true }
    return seq === 0 ? undefined : { seq: seq - 1, sure: false }
  }
}

async function isWithin(reader: IndexReader, seq: number, { after, before }: Times): Promise<boolean> {
  const state = await reader.state(seq)
  return state !== undefined && state.createdAt >= after && state.createdAt < before
}

async function all(
  tests: readonly ((reader: IndexReader, seq: number) => Promise<boolean>)[],
  reader: IndexReader,
  seq: number,
): Promise<boolean> {
  for (const test of tests) if (!(await test(reader, seq))) return false
  return true
}

/** Tests each message; for conditions the index cannot answer. */
export function isSuch(test: (reader: IndexReader, seq: number) => Promise<boolean>): Condition {
  return async (reader, atMost) => {
    if (await test(reader, atMost)) return { seq: atMost, sure: true }
    return atMost === 0 ? undefined : { seq: atMost - 1, sure: false }
  }
}

export function isNot(conditions: readonly Condition[]): Condition {
  return isSuch(async (reader, seq) => !(await fulfils(reader, conditions, seq)))
}

export async function fulfils(reader: IndexReader, conditions: readonly Condition[], seq: number): Promise<boolean> {
  for (const condition of conditions) {
    if ((await condition(reader, seq))?.seq !== seq) return false
  }
  return true
}

/** State of a search: `found` if all conditions agree; otherwise how far down it got. Undefined: no further match. */
export interface Leap {
  seq: number
  found: boolean
}

/**
 * The newest message at or before `atMost` that satisfies all conditions, asked in order, expensive ones last. Stops when the reader's cost reaches `budget`,
 * but not without progress.
 */
export async function leap(
  reader: IndexReader,
  conditions: readonly Condition[],
  atMost: number,
  budget: number,
): Promise<Leap | undefined> {
  let at = atMost
  for (let i = 0; i < conditions.length;) {
    const answer = await conditions[i]?.(reader, at)
    if (!answer) return undefined
    reader.cost += 0.1
    if (answer.seq === at && answer.sure) {
      i++
      continue
    }
    at = answer.seq
    i = 0
    if (reader.cost >= budget && at < atMost) return { seq: at, found: false }
  }
  return { seq: at, found: true }
}
