/**
 * What a message has to fulfil, as questions to the search index that let a search leap: each condition says which is the newest message not past
 * a place that may fulfil it. So a rare word, or a list of few, makes the way short whatever the others are.
 */
import { lastAtMost } from '../postings.js'
import type { IndexReader, Times, Word } from './index-reader.js'
import { ALL_LIST } from '../lists.js'

/**
 * A place, and whether the condition is fulfilled there. When it is not known, none past the place fulfils it, and the search asks again from
 * there; such a place is always before the one that was asked for.
 */
export interface Answer {
  seq: number
  sure: boolean
}

/** Undefined: no message at or before the place fulfils it. */
export type Condition = (reader: IndexReader, atMost: number) => Promise<Answer | undefined>

/** What one answer costs at most, but for the last row of it. */
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

/** The message stands in the mailbox, came within a time, and is as each of `fits` wants it. */
export function stands(
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

/** Looks at each message for itself; for what the index can't tell. */
export function isSuch(test: (reader: IndexReader, seq: number) => Promise<boolean>): Condition {
  return async (reader, atMost) => {
    if (await test(reader, atMost)) return { seq: atMost, sure: true }
    return atMost === 0 ? undefined : { seq: atMost - 1, sure: false }
  }
}

/** Not all of some conditions. */
export function isNot(conditions: readonly Condition[]): Condition {
  return isSuch(async (reader, seq) => !(await fulfils(reader, conditions, seq)))
}

export async function fulfils(reader: IndexReader, conditions: readonly Condition[], seq: number): Promise<boolean> {
  for (const condition of conditions) {
    if ((await condition(reader, seq))?.seq !== seq) return false
  }
  return true
}

/** Where a search stands: `found` all conditions agreed; otherwise how far down it came in its turn. Undefined: there is no match any more. */
export interface Leap {
  seq: number
  found: boolean
}

/**
 * The newest message at or before `atMost` that fulfils all conditions, which are asked in their order: dear ones only about a message that fulfils
 * those before them. Ends where it stands when the reader's cost comes to `budget`, but not before it has moved.
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
