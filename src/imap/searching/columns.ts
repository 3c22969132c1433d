/** What a folder's view has of each message, as columns by position: a loop over one of them costs a fraction of one over entries. */
import type { TimedTurns } from '../../mailbox/search/turns.js'
import type { UidSet } from '../../mailbox/folders/uid-set.js'
import type { FolderView } from '../../mailbox/folders/view.js'

/** Positions are those of the view, by UID. */
export interface Columns {
  count: number
  uids: Uint32Array
  sizes: Uint32Array
  /** Internal dates in seconds. */
  dates: Uint32Array
  flags: Uint32Array
  /** Bits of the keywords: 0 to 31, and 32 to 63. */
  keywords: readonly [Uint32Array, Uint32Array]
  /** 0 for drafts. */
  places: Float64Array
  modseqs: Float64Array
}

/** Reads all messages of a view: some milliseconds for 100,000 of them. */
export async function columnsOf(view: FolderView, turns: TimedTurns): Promise<Columns> {
  const numbers = (): Uint32Array => new Uint32Array(view.exists)
  const columns: Columns = {
    count: 0,
    uids: numbers(),
    sizes: numbers(),
    dates: numbers(),
    flags: numbers(),
    keywords: [numbers(), numbers()],
    places: new Float64Array(view.exists),
    modseqs: new Float64Array(view.exists),
  }
  const { uids, sizes, dates, flags, keywords, places, modseqs } = columns
  for (const page of view.pages()) {
    for (let at = 0; at < page.count; at++) {
      const i = columns.count++
      uids[i] = page.uid(at)
      sizes[i] = page.size(at)
      dates[i] = page.date(at)
      flags[i] = page.flags(at)
      const [low, high] = page.keywords(at)
      keywords[0][i] = low
      keywords[1][i] = high
      places[i] = page.place(at)
      modseqs[i] = page.modseq(at)
    }
    await turns.next()
  }
  return columns
}

/** Positions as marks, one byte each: 1 for those in the set. */
export type Marks = Uint8Array

export const numberAt = (numbers: ArrayLike<number>, at: number): number => numbers[at] ?? 0

/** Marks the messages whose UIDs are in a set: those the session knows. */
export function marksOf({ count, uids }: Columns, set: UidSet): Marks {
  const marks = new Uint8Array(count)
  for (const [first, last] of set.runs()) markBetween(marks, uids, first, last)
  return marks
}

/** Marks the messages with UIDs from one to another, inclusive. */
export function markBetween(marks: Marks, uids: Uint32Array, first: number, last: number): void {
  marks.fill(1, firstNotBelow(uids, marks.length, first), firstNotBelow(uids, marks.length, last + 1))
}

/** Positions of marks, ascending. */
export function positionsOf(marks: Marks): number[] {
  const positions: number[] = []
  for (let at = marks.indexOf(1); at !== -1; at = marks.indexOf(1, at + 1)) positions.push(at)
  return positions
}

function firstNotBelow(uids: Uint32Array, count: number, uid: number): number {
  let [low, high] = [0, count]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numberAt(uids, middle) < uid) low = middle + 1
    else high = middle
  }
  return low
}
