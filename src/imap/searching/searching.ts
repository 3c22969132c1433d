/**
 * SEARCH, SORT and THREAD (RFC 9051 §6.4.4, RFC 5256) over the folder as a session sees it. Work is done in turns of the event loop, and ends with the signal of its
 * caller.
 */
import { TimedTurns } from '../../mailbox/search/turns.js'
import type { UidSet } from '../../mailbox/folders/uid-set.js'
import type { FolderView } from '../../mailbox/folders/view.js'
import type { MessageReads } from '../../mailbox/search/message-reads.js'
import type { SearchCommand, SortKey } from '../grammar/search.js'
import type { SearchKey } from '../grammar/search-keys.js'
import { Columns, marksOf, numberAt, positionsOf } from './columns.js'
import { asksForModseq, Evaluation } from './evaluation.js'
import { PositionReader, SentDates } from './header-facts.js'
import { orderedSubjectThreads } from './ordered-subject-threads.js'
import { referencesThreads } from './references-threads.js'
import { sorted } from './sorting.js'
import { MAX_REFERENCES, type ThreadFacts, threadFactsOf } from './thread-facts.js'
import { type UidThread, withUids } from './thread-nodes.js'

export interface SearchScope {
  mailboxId: string
  /** The folder as it is now. */
  view: FolderView
  /** What the session knows of it: sequence numbers are of these, and only these are found, as far as they are still there. */
  uids: UidSet
  /** The saved result `$` (RFC 9051 §6.4.4.1); nothing by default. */
  saved?: UidSet | undefined
  /** Ends the search when the session does. */
  signal: AbortSignal
  /** Told of each turn of its work. */
  charge?: ((ms: number) => void) | undefined
}

export interface Found {
  /** Ascending for SEARCH, in their order for SORT. */
  uids: number[]
  /** The highest of the messages found, if the key asks for one and there are any (RFC 7162 §3.1.5). */
  modseq: number | undefined
}

export type Searching = ReturnType<typeof createSearching>

/** The functions reject with the reason of the signal once it is aborted. */
export function createSearching({ searched: reads }: { searched: MessageReads }) {
  const sentDates = new SentDates()

  const find = async ({ mailboxId, view, uids, saved, signal, charge }: SearchScope, key: SearchKey) => {
    const turns = new TimedTurns(signal, charge)
    await turns.next()
    const columns = new Columns(view)
    const reader = new PositionReader(reads, mailboxId, view, columns, turns)
    const folder = { view, columns, uids, saved, nowMs: reads.now() }
    const evaluation = new Evaluation(mailboxId, folder, reads, reader, sentDates, turns)
    const positions = positionsOf(await evaluation.matches(key, marksOf(columns, uids)))
    return { positions, columns, reader, turns }
  }

  return {
    async search(scope: SearchScope, key: SearchKey): Promise<Found> {
      const { positions, columns } = await find(scope, key)
      return found(positions, columns, key)
    },

    async sort(scope: SearchScope, key: SearchKey, criteria: readonly SortKey[]): Promise<Found> {
      const { positions, columns, reader, turns } = await find(scope, key)
      return found(await sorted(positions, criteria, scope.mailboxId, columns, reader, sentDates, turns), columns, key)
    },

    /** Messages that were purged meanwhile are in no thread. */
    async thread(
      scope: SearchScope,
      key: SearchKey,
      algorithm: (SearchCommand & { name: 'THREAD' })['algorithm'],
    ): Promise<UidThread[]> {
      const { positions, columns, reader, turns } = await find(scope, key)
      const messages: ThreadFacts[] = []
      let references = 0
      await reader.eachContent(positions, (read) => {
        const facts = threadFactsOf(read, columns.dates)
        references += facts.references.length
        messages.push(references > MAX_REFERENCES ? { ...facts, references: facts.references.slice(-1) } : facts)
      })
      const threads =
        algorithm === 'REFERENCES'
          ? await referencesThreads(messages, turns)
          : await orderedSubjectThreads(messages, turns)
      return withUids(threads, (position) => numberAt(columns.uids, position))
    },
  }
}

function found(positions: readonly number[], columns: Columns, key: SearchKey): Found {
  const modseq =
    positions.length > 0 && asksForModseq(key)
      ? positions.reduce((highest, at) => Math.max(highest, numberAt(columns.modseqs, at)), 0)
      : undefined
  const { uids } = columns
  return { uids: positions.map((at) => numberAt(uids, at)), modseq }
}
