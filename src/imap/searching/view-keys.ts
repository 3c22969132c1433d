/** Search keys that the folder's view alone answers: one comparison a message. */
import { SYSTEM_FLAGS } from '../../mailbox/folders/flags.js'
import type { UidSet } from '../../mailbox/folders/uid-set.js'
import type { FolderView } from '../../mailbox/folders/view.js'
import type { SearchKey } from '../grammar/search-keys.js'
import { type NumberSet, resolveSequence, type SequenceSet } from '../wire/sequence-set.js'
import { type Columns, markBetween, type Marks, numberAt } from './columns.js'

const DAY_SECONDS = 24 * 60 * 60

export interface Folder {
  view: FolderView
  columns: Columns
  /** What the session knows: its sequence numbers are positions in it. */
  uids: UidSet
  /** The saved result `$`. */
  saved: UidSet | undefined
  nowMs: number
}

export type Test = (position: number) => boolean

/** @returns undefined for a key that needs more than the view */
export function testOfView(key: SearchKey, folder: Folder): Test | undefined {
  const { columns, view, nowMs } = folder
  switch (key.key) {
    case 'all':
    case 'saved date supported':
    // No message is recent here: RFC 9051 has no \Recent, and RFC 3501 §2.3.2 lets a server say so when it can't tell.
    case 'old':
      return () => true
    case 'recent':
    case 'new':
      return () => false
    case 'flag': {
      const bit = SYSTEM_FLAGS.get(key.flag) ?? 0
      const { flags } = columns
      return (at) => ((numberAt(flags, at) & bit) !== 0) === key.isSet
    }
    case 'keyword':
      return testOfKeyword(key, view, columns)
    case 'date': {
      if (key.of !== 'internal') return undefined
      const test = isOnDay(key.is, key.dateMs / 1000, DAY_SECONDS)
      const { dates } = columns
      return (at) => test(numberAt(dates, at))
    }
    case 'size': {
      const { sizes } = columns
      return key.is === 'LARGER' ? (at) => numberAt(sizes, at) > key.bytes : (at) => numberAt(sizes, at) < key.bytes
    }
    case 'age': {
      // RFC 5032 §3: both have the moment itself.
      const moment = Math.floor(nowMs / 1000) - key.seconds
      const { dates } = columns
      return key.is === 'OLDER' ? (at) => numberAt(dates, at) <= moment : (at) => numberAt(dates, at) >= moment
    }
    case 'sequence':
    case 'uid': {
      const marks = marksOfSet(key.key, key.set, folder)
      return (at) => marks[at] === 1
    }
    case 'modseq': {
      // That of the message, whatever the entry (RFC 7162 §3.1.5).
      const { modseqs } = columns
      return (at) => numberAt(modseqs, at) >= key.modseq
    }
    default:
      return undefined
  }
}

/** Tests times, in the unit of `start` and `length`, for a day. */
export function isOnDay(is: 'BEFORE' | 'ON' | 'SINCE', start: number, length: number): (time: number) => boolean {
  if (is === 'BEFORE') return (time) => time < start
  return is === 'SINCE' ? (time) => time >= start : (time) => time >= start && time < start + length
}

function testOfKeyword({ keyword, isSet }: SearchKey & { key: 'keyword' }, view: FolderView, columns: Columns): Test {
  const name = keyword.toLowerCase()
  const bit = view.keywords.findIndex((known) => known.toLowerCase() === name)
  if (bit === -1) return () => !isSet
  const column = columns.keywords(bit < 32 ? 0 : 1)
  return (at) => (((numberAt(column, at) >>> (bit % 32)) & 1) === 1) === isSet
}

/** Numbers that are not in use are left out; UIDs are those that the session knows. */
function marksOfSet(kind: 'sequence' | 'uid', set: SequenceSet, { columns, uids, saved }: Folder): Marks {
  const marks = new Uint8Array(columns.count)
  const mark = (first: number, last: number): void => markBetween(marks, columns.uids, first, last)
  if (set.kind === 'saved') for (const [first, last] of saved?.runs() ?? []) mark(first, last)
  else if (kind === 'uid') for (const [first, last] of uidRuns(set, uids.last)) mark(first, last)
  else
    for (const { start, end } of resolveSequence(set, uids.count))
      mark(uids.uidOf(start + 1) ?? 0, uids.uidOf(end) ?? 0)
  return marks
}

/** `n:*` has at least the last message (RFC 9051 §9: seq-range). */
function* uidRuns({ runs, starFrom }: NumberSet, last: number): Generator<[first: number, last: number]> {
  for (let i = 0; i + 1 < runs.length; i += 2) yield [numberAt(runs, i), numberAt(runs, i + 1)]
  if (starFrom !== undefined && last > 0) yield [Math.min(starFrom, last), last]
}
