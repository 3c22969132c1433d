/** The event log of a mailbox, written in the commit of the change. Numbers never repeat or go back; gaps exist only after a restore. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ServiceError } from '../lib/errors.js'
import { newId } from '../lib/ids.js'
import type { Store, Transaction, View } from '../store/types.js'
import { packEvents, readEventsAfter, type NewEvent } from './event-rows.js'
import { type EventFilter, fitsFilter, isNarrow } from './event-filter.js'
import { eventKey, mailboxPartition } from './keys.js'
import { requireMailbox } from './mailbox-rows.js'
import type { Event, EventType } from './objects/objects.js'
import type { MailboxRecord } from './mailbox-record.js'

export interface EventQuery {
  /** 0 starts with the oldest kept event. */
  after: number
  limit: number
  waitMs: number
  /** Without it, all events match. */
  filter?: EventFilter | undefined
  /** `skip` starts with the oldest kept event if those after `after` have expired; otherwise that is refused. */
  gone?: 'refuse' | 'skip'
}

export interface EventPage {
  data: Event[]
  /** True if there are events after `next_after`, matching or not. */
  has_more: boolean
  /** `after` for the next call: the last event examined, matching or not. */
  next_after: number
}

/**
 * Up to `limit` matching events after `after`, oldest first. With `waitMs`, waits for the first one until then or until the signal aborts.
 *
 * @throws ServiceError `events_expired` with the oldest kept seq if events after `after` have expired; never for `after` 0
 */
export type ReadEvents = (mailboxId: string, query: EventQuery, signal: AbortSignal) => Promise<EventPage>

/** Max events examined per turn and per answer with a selective filter. */
const STEP = 200
const MAX_LOOKED_AT = 5000

/** Events of a mailbox being changed, written by `changeWithin`. */
const unwritten = new WeakMap<MailboxRecord, NewEvent[]>()

export function takeEvents(mailbox: MailboxRecord): void {
  unwritten.set(mailbox, [])
}

export function writeEvents(tx: Transaction, mailbox: MailboxRecord): void {
  const events = unwritten.get(mailbox) ?? []
  unwritten.delete(mailbox)
  if (events.length > 0) tx.put(eventKey(mailbox.seq), packEvents(events))
}

/**
 * Adds the next event, within `changeWithin`, which writes it. Increments `mailbox.seq`.
 *
 * @throws Error for a record outside `changeWithin`
 */
export function appendEvent(mailbox: MailboxRecord, now: number, type: EventType, data: Record<string, unknown>): void {
  const events = unwritten.get(mailbox)
  if (!events) throw new Error(`Mailbox ${mailbox.id} is not being changed: its event would be lost`)
  events.push({ id: newId('evt', now), type, at: now, data })
  mailbox.seq++
}

/** Reads matching events, oldest first. While there are none it sleeps until a commit on the mailbox's partition; a waiter costs only memory and one timer. */
export function eventReader(store: Store): ReadEvents {
  return async (mailboxId, query, signal) => {
    const { waitMs } = query
    const deadline = new AbortController()
    const end = (): void => deadline.abort()
    const timer = setTimeout(end, waitMs)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
    try {
      let { after, gone } = query
      for (let lookedAt = 0; ; gone = 'skip') {
        const step = await store.read(mailboxPartition(mailboxId), async (view) => ({
          ...(await readStep(view, mailboxId, { ...query, after, gone })),
          version: await view.version(),
        }))
        after = step.page.next_after
        lookedAt += step.lookedAt
        const { data, has_more } = step.page
        if (data.length > 0 || signal.aborted || lookedAt >= MAX_LOOKED_AT) return step.page
        if (has_more) await nextTurn()
        else if (waitMs <= 0 || deadline.signal.aborted) return step.page
        else await store.wait(mailboxPartition(mailboxId), step.version, deadline.signal)
      }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    }
  }
}

async function readStep(
  view: View,
  mailboxId: string,
  { after, gone, limit, filter }: EventQuery,
): Promise<{ page: EventPage; lookedAt: number }> {
  const mailbox = await requireMailbox(view)
  const most = filter && isNarrow(filter) ? STEP : limit
  const { events, more } = await readEventsAfter(view, mailboxId, after, most)
  if (gone !== 'skip' && after > 0) mustFollow(mailbox, after, events[0])
  const data: Event[] = []
  let lookedAt = 0
  for (const event of events) {
    if (data.length === limit) break
    lookedAt++
    if (!filter || fitsFilter(event, filter)) data.push(event)
  }
  const next_after = events[lookedAt - 1]?.seq ?? after
  return { page: { data, has_more: more || lookedAt < events.length, next_after }, lookedAt }
}

/**
 * Checks a cursor: later events must be kept, and it must be a number of this log.
 *
 * @param found the first event after `after`
 * @throws ServiceError `events_expired` with a valid cursor
 */
function mustFollow(mailbox: MailboxRecord, after: number, found: Event | undefined): void {
  const { seq } = mailbox
  if (after > seq) throw unknownEvent(after, seq)
  const oldest = found?.seq ?? seq + 1
  if (isPassedOver(mailbox, after)) throw unknownEvent(after, oldest - 1)
  if (nextSeq(mailbox, after) < oldest)
    throw new ServiceError(
      'events_expired',
      `Events after ${after} are no longer kept; the oldest that is has the seq ${oldest}.`,
      `GET /v1/threads shows what you missed. Then continue with GET /v1/events?after=${oldest - 1}.`,
      { oldestSeq: oldest },
    )
}

/** @param goOnAfter a cursor that misses no existing event */
function unknownEvent(after: number, goOnAfter: number): ServiceError {
  return new ServiceError(
    'events_expired',
    `This mailbox has no event ${after}: the server was restored from a backup, and events after the backup are lost, or the cursor is another mailbox's.`,
    `GET /v1/threads shows the current mail. Then continue with GET /v1/events?after=${goOnAfter}.`,
    { oldestSeq: goOnAfter + 1 },
  )
}

/**
 * Number of the first event after `after`, existing or not.
 *
 * @param after number of an event, or one skipped by a restore
 */
export function nextSeq({ jumps = [] }: Pick<MailboxRecord, 'jumps'>, after: number): number {
  const jump = jumps.find(({ from, to }) => from <= after && after < to)
  return (jump?.to ?? after) + 1
}

/** True if a restore skipped this number: its event is lost. The last number of a gap is a valid cursor. */
export function isPassedOver({ jumps = [] }: Pick<MailboxRecord, 'jumps'>, seq: number): boolean {
  return jumps.some(({ from, to }) => from < seq && seq < to)
}
