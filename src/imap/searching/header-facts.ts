/** What is read of the messages at some positions, in turns; the dates in their headers are remembered, since programs sort by them again and again. */
import type { TimedTurns } from '../../mailbox/search/turns.js'
import type { ContentRead, DraftRead, MessageRead, MessageReads } from '../../mailbox/search/message-reads.js'
import type { FolderView } from '../../mailbox/folders/view.js'
import { type Columns, numberAt } from './columns.js'
import { dayOf, type SentDate, sentDateOf } from './sent-date.js'

/** Rows read at once. */
const BATCH = 16
/** Of all mailboxes. */
const MAX_DATES = 200_000

/** A message or a draft at a position, as one of the reads has it. */
export type Read<T> = { position: number; message: T } | { position: number; draft: DraftRead }

/** Gets what was read of one. */
export type Take<T> = (read: Read<T>) => Promise<void> | void

export class PositionReader {
  constructor(
    private readonly reads: MessageReads,
    private readonly mailboxId: string,
    private readonly view: FolderView,
    private readonly columns: Columns,
    private readonly turns: TimedTurns,
  ) {}

  /** Those that are still there, in their order. */
  eachMessage(positions: readonly number[], take: Take<MessageRead>): Promise<void> {
    return this.#each(positions, (places) => this.reads.messages(this.mailboxId, places), take)
  }

  /** The same with texts and header fields. */
  eachContent(positions: readonly number[], take: Take<ContentRead>): Promise<void> {
    return this.#each(positions, (places) => this.reads.contents(this.mailboxId, places), take)
  }

  async #each<T>(
    positions: readonly number[],
    read: (places: readonly number[]) => Promise<ReadonlyMap<number, T>>,
    take: Take<T>,
  ): Promise<void> {
    for (let at = 0; at < positions.length; at += BATCH) {
      this.turns.signal.throwIfAborted()
      const some = positions.slice(at, at + BATCH)
      const places = some.map((position) => numberAt(this.columns.places, position))
      const messages = await read(places.filter((place) => place !== 0))
      const drafts = await this.#drafts(some.filter((_, i) => places[i] === 0))
      for (const [i, position] of some.entries()) {
        const message = messages.get(places[i] ?? 0)
        const draft = drafts.get(position)
        const taking = message !== undefined ? take({ position, message }) : draft && take({ position, draft })
        // A promise for each of thousands of messages would cost as much as what is done with it.
        if (taking) await taking
        if (this.turns.isOver()) await this.turns.next()
      }
    }
  }

  async #drafts(positions: readonly number[]): Promise<Map<number, DraftRead>> {
    const found = new Map<number, DraftRead>()
    if (positions.length === 0) return found
    const ids = positions.map((position) => this.view.drafts.get(numberAt(this.columns.uids, position)) ?? '')
    const drafts = await this.reads.drafts(this.mailboxId, ids)
    for (const [i, position] of positions.entries()) {
      const draft = drafts.get(ids[i] ?? '')
      if (draft) found.set(position, draft)
    }
    return found
  }
}

/** The internal date is that of a message whose header has none (RFC 5256 §2.2). */
export function sentDateFrom(content: ContentRead['content'], internalSeconds: number): SentDate {
  return sentDateOf(content.headers['date']?.split('\n')[0] ?? '') ?? atTime(internalSeconds * 1000)
}

const atTime = (ms: number): SentDate => ({ ms, dayMs: dayOf(ms) })

export class SentDates {
  readonly #byMailbox = new Map<string, Map<number, SentDate>>()
  #count = 0

  /** @returns dates by position */
  async of(
    mailboxId: string,
    positions: readonly number[],
    columns: Columns,
    reader: PositionReader,
  ): Promise<Map<number, SentDate>> {
    const { places } = columns
    const known = this.#of(mailboxId)
    const found = new Map<number, SentDate>()
    const missing: number[] = []
    for (const position of positions) {
      const date = known.get(numberAt(places, position))
      if (date) found.set(position, date)
      else missing.push(position)
    }
    await reader.eachContent(missing, (read) => {
      const { position } = read
      if ('draft' in read) found.set(position, atTime(read.draft.updatedAt))
      else {
        const date = sentDateFrom(read.message.content, numberAt(columns.dates, position))
        found.set(position, date)
        this.#keep(mailboxId, known, numberAt(places, position), date)
      }
    })
    return found
  }

  #of(mailboxId: string): Map<number, SentDate> {
    const known = this.#byMailbox.get(mailboxId) ?? new Map<number, SentDate>()
    // The last one in the order is the last used.
    this.#byMailbox.delete(mailboxId)
    this.#byMailbox.set(mailboxId, known)
    return known
  }

  #keep(mailboxId: string, known: Map<number, SentDate>, place: number, date: SentDate): void {
    for (const [other, dates] of this.#byMailbox) {
      if (this.#count < MAX_DATES || other === mailboxId) break
      this.#byMailbox.delete(other)
      this.#count -= dates.size
    }
    if (this.#count >= MAX_DATES || this.#byMailbox.get(mailboxId) !== known || known.has(place)) return
    known.set(place, date)
    this.#count++
  }
}
