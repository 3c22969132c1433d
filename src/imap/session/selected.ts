/**
 * The selected folder as the client knows it: its UIDs, hence sequence numbers, and up to which modseq it was told of flags. What is known is kept small, as a session waits for
 * hours.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Entry } from '../../mailbox/folders/entries.js'
import type { FolderKey } from '../../mailbox/folders/folder.js'
import type { FolderView } from '../../mailbox/folders/view.js'
import { UidSet } from '../../mailbox/folders/uid-set.js'
import type { ResponseLine } from '../wire/response.js'
import { formatSet } from '../wire/set-text.js'
import { largestNumber, type SequenceSet } from '../wire/sequence-set.js'
import { flagNames, writeFlags } from './flag-names.js'
import { Refused } from './completion.js'

const MAX_UID = 2 ** 32 - 1
/** Responses between turns of the event loop. */
const TURN = 512

/** Who is told. */
interface Client {
  readonly condstore: boolean
  readonly qresync: boolean
  line(): ResponseLine
  send(line: ResponseLine): Promise<void>
}

export class Selected {
  uids: UidSet
  /** Flags are told up to here. */
  modseq: number
  readonly validity: number
  /** Keywords that a FLAGS response has named. */
  #keywords: number

  constructor(
    view: FolderView,
    readonly name: string,
    readonly isReadOnly: boolean,
  ) {
    this.number = view.row.number
    this.key = view.row.key
    this.validity = view.row.validity
    this.uids = view.uids
    this.modseq = view.modseq
    this.#keywords = view.keywords.length
  }

  /** Of the folder in the index. */
  readonly number: number
  readonly key: FolderKey

  /** UIDs of a set, ascending: those that the client knows of. @throws Refused for a sequence number beyond the last */
  resolve(set: SequenceSet, isUid: boolean, saved: readonly number[]): number[] {
    const { uids } = this
    if (set.kind === 'saved') return saved.filter((uid) => uids.has(uid))
    const { runs, starFrom } = set
    const found: number[] = []
    if (isUid) {
      for (let i = 0; i < runs.length; i += 2) addTo(found, uids.between(runs[i] ?? 1, runs[i + 1] ?? 0))
      if (starFrom !== undefined && uids.count > 0) addTo(found, uids.between(Math.min(starFrom, uids.last), MAX_UID))
      return starFrom === undefined ? found : ascending(found)
    }
    if (largestNumber(set) > uids.count)
      throw new Refused({ status: 'BAD', text: 'there is no message with such a number' })
    const [first, last] = [uids.uidOf.bind(uids), uids.count]
    for (let i = 0; i < runs.length; i += 2)
      addTo(found, uids.between(first(runs[i] ?? 0) ?? 1, first(runs[i + 1] ?? 0) ?? 0))
    if (starFrom !== undefined && last > 0) addTo(found, uids.between(first(Math.min(starFrom, last)) ?? 1, MAX_UID))
    return starFrom === undefined ? found : ascending(found)
  }

  /** Sequence number of a UID that the client knows of. */
  seqOf(uid: number): number {
    const seq = this.uids.seqOf(uid)
    if (seq === undefined) throw new Error(`The client does not know UID ${uid}`)
    return seq
  }

  /**
   * Tells what changed since the client was last told.
   *
   * @param how `gone` and `fresh`: also what is gone and what is new, which changes sequence numbers. `silent`: UIDs of which the client knows the flags
   */
  async tell(
    session: Client,
    view: FolderView,
    how: { gone: boolean; fresh: boolean; silent?: ReadonlySet<number> },
  ): Promise<void> {
    await this.#tellKeywords(session, view)
    if (how.gone) await this.#tellGone(session, view)
    const { modseq } = this
    let told = 0
    for (const entry of view.entries(modseq)) {
      if (!this.uids.has(entry.uid)) continue
      if (++told % TURN === 0) await nextTurn()
      if (!how.silent?.has(entry.uid)) await this.tellFlags(session, view, entry)
      else if (session.condstore) await this.#tellModseq(session, entry)
    }
    this.modseq = view.modseq
    if (how.fresh) await this.#tellNew(session, view)
  }

  /** An unsolicited FETCH with flags. */
  async tellFlags(session: Client, view: FolderView, entry: Entry): Promise<void> {
    const line = session
      .line()
      .raw('* ')
      .number(this.seqOf(entry.uid))
      .raw(' FETCH (UID ')
      .number(entry.uid)
      .raw(' FLAGS ')
    writeFlags(line, view, entry)
    if (session.condstore) line.raw(` MODSEQ (${entry.modseq})`)
    await session.send(line.raw(')'))
  }

  async #tellModseq(session: Client, { uid, modseq }: Entry): Promise<void> {
    await session.send(session.line().raw(`* ${this.seqOf(uid)} FETCH (UID ${uid} MODSEQ (${modseq}))`))
  }

  async #tellKeywords(session: Client, view: FolderView): Promise<void> {
    if (view.keywords.length === this.#keywords) return
    this.#keywords = view.keywords.length
    const line = session.line().raw('* FLAGS ')
    await session.send(line.list(flagNames(view), (name) => line.atom(name)))
  }

  async #tellGone(session: Client, view: FolderView): Promise<void> {
    const gone = [...this.uids.missingIn(view.uids)]
    if (gone.length === 0) return
    if (session.qresync) await session.send(session.line().raw(`* VANISHED ${formatSet(gone)}`))
    // From the end, so that each number is valid when it is told.
    else for (const uid of gone.toReversed()) await session.send(session.line().raw(`* ${this.seqOf(uid)} EXPUNGE`))
    const left = new Set(gone)
    this.uids = UidSet.of([...this.uids].filter((uid) => !left.has(uid)))
  }

  async #tellNew(session: Client, view: FolderView): Promise<void> {
    const fresh = [...view.uids.between(this.uids.last + 1, MAX_UID)]
    if (fresh.length === 0) return
    // What is gone and not told yet still has its number.
    const isCurrent = this.uids.count + fresh.length === view.uids.count
    this.uids = isCurrent ? view.uids : UidSet.of(both(this.uids, fresh))
    await session.send(session.line().raw(`* ${this.uids.count} EXISTS`))
  }
}

function* both(before: Iterable<number>, after: Iterable<number>): Generator<number> {
  yield* before
  yield* after
}

/** Not by spreading: a folder may have more messages than a call may have arguments. */
function addTo(found: number[], uids: Iterable<number>): void {
  for (const uid of uids) found.push(uid)
}

function ascending(numbers: number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b)
}
