/**
 * Finds the messages of a search key. A key is asked only of messages that may still match: those that need but the view first, then the index, then rows. Sets are
 * marks by position.
 */
import type { TimedTurns } from '../../mailbox/search/turns.js'
import { substringOf } from '../../mailbox/mail-work/substrings.js'
import type { MessageReads } from '../../mailbox/search/message-reads.js'
import type { SearchKey } from '../grammar/search-keys.js'
import { type Marks, numberAt, positionsOf } from './columns.js'
import type { PositionReader, SentDates } from './header-facts.js'
import { dayOf } from './sent-date.js'
import {
  fieldOfDraft,
  INDEX_FIELDS,
  isToldByIndex,
  needsContent,
  type TextKey,
  textsFor,
  textsOfContent,
  textsOfShown,
} from './texts.js'
import { type Folder, isOnDay, type Test, testOfView } from './view-keys.js'

const DAY_MS = 24 * 60 * 60 * 1000
/** So few messages are read sooner than the index. */
const FEW = 20
/** Positions tested between two looks at the clock. */
const TESTED_AT_ONCE = 10_000

export class Evaluation {
  constructor(
    private readonly mailboxId: string,
    private readonly folder: Folder,
    private readonly reads: MessageReads,
    private readonly reader: PositionReader,
    private readonly sentDates: SentDates,
    private readonly turns: TimedTurns,
  ) {}

  /** Those of some messages that match. @param among is not changed */
  async matches(key: SearchKey, among: Marks): Promise<Marks> {
    if (!among.includes(1)) return among
    switch (key.key) {
      case 'and': {
        let left = among
        for (const each of [...key.keys].sort((a, b) => costOf(a) - costOf(b))) left = await this.matches(each, left)
        return left
      }
      case 'or': {
        const [first, second] = [key.either, key.or].sort((a, b) => costOf(a) - costOf(b))
        const found = first ? await this.matches(first, among) : among
        const others = second ? await this.matches(second, without(among, found)) : among
        return found.map((mark, at) => mark | numberAt(others, at))
      }
      case 'not':
        return without(among, await this.matches(key.not, among))
      case 'text':
        return this.#text(key.in, key.value, among)
      case 'header':
        return this.#header(key.name.toLowerCase(), key.value, among)
      case 'email id':
        return this.#emailId(key.id, among)
      case 'thread id':
        return this.#threadId(key.id, among)
      default:
        return key.key === 'date' && key.of !== 'internal' ? this.#date(key, key.of, among) : this.#ofView(key, among)
    }
  }

  #date({ is, dateMs }: SearchKey & { key: 'date' }, of: 'sent' | 'saved', among: Marks): Promise<Marks> {
    const isWanted = isOnDay(is, dateMs, DAY_MS)
    return of === 'sent' ? this.#sent(isWanted, among) : this.#saved(isWanted, among)
  }

  #ofView(key: SearchKey, among: Marks): Promise<Marks> {
    const test = testOfView(key, this.folder)
    if (!test) throw new Error(`No search finds ${key.key}`)
    return this.#those(among, test)
  }

  async #those(among: Marks, test: Test): Promise<Marks> {
    const found = new Uint8Array(among.length)
    for (let start = 0; start < among.length; start += TESTED_AT_ONCE) {
      const end = Math.min(among.length, start + TESTED_AT_ONCE)
      for (let at = start; at < end; at++) if (among[at] === 1 && test(at)) found[at] = 1
      await this.turns.next()
    }
    return found
  }

  async #text(key: TextKey, value: string, among: Marks): Promise<Marks> {
    const string = substringOf(this.reads.folded(value))
    if (string.folded === '') return among
    const positions = positionsOf(among)
    const found = new Uint8Array(among.length)
    const toRead = positions.length <= FEW ? positions : []
    if (positions.length > FEW) {
      const { places } = this.folder.columns
      const told = await this.reads.stringPlaces(this.mailboxId, string, INDEX_FIELDS[key], this.turns)
      for (const at of positions) {
        const place = numberAt(places, at)
        if (place > 0 && place <= told.indexedTo && !told.candidates.has(place)) continue
        if (isToldByIndex(key) && told.certain.has(place)) found[at] = 1
        else toRead.push(at)
      }
    }
    const has = (texts: string[]): boolean => texts.some((text) => this.reads.folded(text).includes(string.folded))
    const take = ({ position }: { position: number }, texts: string[]): void => {
      if (has(texts)) found[position] = 1
    }
    if (needsContent(key))
      await this.reader.eachContent(toRead, (read) => take(read, textsFor(key, textsOfContent(read))))
    else await this.reader.eachMessage(toRead, (read) => take(read, textsFor(key, textsOfShown(read))))
    return found
  }

  /** An empty value finds messages that have the field. */
  async #header(name: string, value: string, among: Marks): Promise<Marks> {
    const wanted = this.reads.folded(value)
    const found = new Uint8Array(among.length)
    const has = (values: readonly string[]): boolean =>
      wanted === '' ? values.length > 0 : values.some((each) => this.reads.folded(each).includes(wanted))
    let positions = positionsOf(among)
    if (name === 'message-id') {
      // Programs look for messages by it: lists have it, where it is valid.
      const others: number[] = []
      await this.reader.eachMessage(positions, (read) => {
        const id = 'draft' in read ? null : read.message.shown.message_id
        if (id === null) others.push(read.position)
        else if (has([`<${id}>`])) found[read.position] = 1
      })
      positions = others
    }
    const take = (position: number, values: readonly string[]): void => {
      if (has(values)) found[position] = 1
    }
    await this.reader.eachContent(positions, (read) => {
      const { position } = read
      if ('draft' in read) return take(position, fieldOfDraft(read.draft, name))
      const values = this.reads.storedField(read.message, name)
      if (values) return take(position, values)
      return this.reads.rawField(this.mailboxId, read.message, name).then((all) => take(position, all))
    })
    return found
  }

  async #emailId(id: string, among: Marks): Promise<Marks> {
    const { columns, view } = this.folder
    const place = await this.reads.placeOf(this.mailboxId, id)
    return this.#those(among, (at) => {
      const own = numberAt(columns.places, at)
      return own === 0 ? view.drafts.get(numberAt(columns.uids, at)) === id : own === place
    })
  }

  async #threadId(id: string, among: Marks): Promise<Marks> {
    const { columns } = this.folder
    const places = new Set(await this.reads.placesOfThread(this.mailboxId, id))
    const found = await this.#those(among, (at) => places.has(numberAt(columns.places, at)))
    const drafts = positionsOf(among).filter((at) => numberAt(columns.places, at) === 0)
    await this.reader.eachMessage(drafts, (read) => {
      if ('draft' in read && read.draft.threadId === id) found[read.position] = 1
    })
    return found
  }

  async #sent(isWanted: (dayMs: number) => boolean, among: Marks): Promise<Marks> {
    const dates = await this.sentDates.of(this.mailboxId, positionsOf(among), this.folder.columns, this.reader)
    return this.#those(among, (at) => {
      const date = dates.get(at)
      return date !== undefined && isWanted(date.dayMs)
    })
  }

  /** RFC 8514: when it came into the mailbox, since a folder is a label of it. */
  async #saved(isWanted: (dayMs: number) => boolean, among: Marks): Promise<Marks> {
    const found = new Uint8Array(among.length)
    await this.reader.eachMessage(positionsOf(among), (read) => {
      const ms = 'draft' in read ? read.draft.updatedAt : read.message.state.createdAt
      if (isWanted(dayOf(ms))) found[read.position] = 1
    })
    return found
  }
}

function without(marks: Marks, others: Marks): Marks {
  return marks.map((mark, at) => mark & ~numberAt(others, at))
}

/** Relative: what each message costs. */
function costOf(key: SearchKey): number {
  switch (key.key) {
    case 'and':
      return key.keys.reduce((sum, each) => sum + costOf(each), 0)
    case 'or':
      return costOf(key.either) + costOf(key.or)
    case 'not':
      return costOf(key.not)
    case 'email id':
    case 'thread id':
      return 2
    case 'text':
      return needsContent(key.in) ? 200 : 100
    case 'header':
      return 1000
    case 'date':
      return key.of === 'internal' ? 1 : 500
    default:
      return 1
  }
}

/** RFC 7162 §3.1.5: whether the response has the highest modseq of what was found. */
export function asksForModseq(key: SearchKey): boolean {
  switch (key.key) {
    case 'modseq':
      return true
    case 'and':
      return key.keys.some(asksForModseq)
    case 'or':
      return asksForModseq(key.either) || asksForModseq(key.or)
    case 'not':
      return asksForModseq(key.not)
    default:
      return false
  }
}
