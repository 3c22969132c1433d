/**
 * The event log of a mailbox. An event is written in the commit that makes what it tells of true; its number is the mailbox's `seq`
 * plus one, so numbers never repeat and never go back, also when old events are dropped. They have a gap only where a backup was restored (mailbox/retention/continue-numbering.ts).
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ServiceError } from '../lib/errors.js'
import { newId } from '../lib/ids.js'
import type { Store, Transaction, View } from '../store/types.js'
import { packEvents, readEventsAfter, type NewEvent } from './event-rows.js'
import { fitsFilter, isNarrow, type EventFilter } from './objects/event-filter.js'
import { eventKey, mailboxPartition } from './keys.js'
import { isPassedOver, nextSeq } from './numbering.js'
import { mustExist } from './mailbox-rows.js'
import type { Event, EventType } from './objects/objects.js'
import type { MailboxRecord } from './mailbox-record.js'

export interface EventQuery {
  /** 0 begins with the oldest that is kept. */
  after: number
  limit: number
  waitMs: number
  /** Everything fits without one. */
  filter?: EventFilter | undefined
  /** `skip`: where events after `after` are no longer kept, begins with the oldest that is. Refused otherwise. */
  gone?: 'refuse' | 'skip'
}

export interface EventPage {
  data: Event[]
  /** There are events past `next_after`; whether they fit is not looked at yet. */
  has_more: boolean
  /** `after` of the next call: the last event that was looked at, whether it fitted or not. */
  next_after: number
}

/**
 * Events past `after` that fit the filter, oldest first, at most `limit`. With `waitMs` it waits for the first one until then or until the
 * signal is aborted.
 *
 * @throws ServiceError `events_expired` with the oldest seq that is kept, when what follows `after` has gone; never for `after` 0
 */
export type ReadEvents = (mailboxId: string, query: EventQuery, signal: AbortSignal) => Promise<EventPage>

/** Events that are looked at in one turn, and for one answer, when a filter passes few of them. */
const STEP = 200
const MAX_LOOKED_AT = 5000

/** Events of a mailbox that is being changed, until that is written (`changeWithin` does). */
const unwritten = new WeakMap<MailboxRecord, NewEvent[]>()

/** The record takes events from now on. */
export function takeEvents(mailbox: MailboxRecord): void {
  unwritten.set(mailbox, [])
}

/** Writes the events that it took, as one row. */
export function writeEvents(tx: Transaction, mailbox: MailboxRecord): void {
  const events = unwritten.get(mailbox) ?? []
  unwritten.delete(mailbox)
  if (events.length > 0) tx.put(eventKey(mailbox.seq), packEvents(events))
}

/**
 * The mailbox's next event, within `changeWithin`, which writes it. Raises `mailbox.seq`.
 *
 * @throws Error for a record that nobody would write
 */
export function appendEvent(mailbox: MailboxRecord, now: number, type: EventType, data: Record<string, unknown>): void {
  const events = unwritten.get(mailbox)
  if (!events) throw new Error(`Mailbox ${mailbox.id} is not being changed: its event would be lost`)
  events.push({ id: newId('evt', now), type, at: now, data })
  mailbox.seq++
}

/**
 * Events past `after` that fit, oldest first. Without any it sleeps on the mailbox's partition until something is committed, and looks
 * on from where it was; a waiter costs its memory and one timer, and nothing else until then.
 */
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
  const mailbox = await mustExist(view)
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
 * A cursor has to lead to the events that follow it: those after it are kept, and it is the number of an event of this log.
 *
 * @param found the first event past `after`
 * @throws ServiceError `events_expired`, with where to go on
 */
function mustFollow(mailbox: MailboxRecord, after: number, found: Event | undefined): void {
  const { seq } = mailbox
  if (after > seq) throw unknownEvent(after, seq)
  const oldest = found?.seq ?? seq + 1
  if (isPassedOver(mailbox, after)) throw unknownEvent(after, oldest - 1)
  if (nextSeq(mailbox, after) < oldest) throw eventsExpired(after, oldest)
}

function eventsExpired(after: number, oldest: number): ServiceError {
  return new ServiceError(
    'events_expired',
    `Events after ${after} are no longer kept; the oldest that is has the seq ${oldest}.`,
    `What you missed is in GET /v1/threads. Then read on with GET /v1/events?after=${oldest - 1}.`,
    { oldestSeq: oldest },
  )
}

/** @param goOnAfter the cursor that misses nothing of what there is */
function unknownEvent(after: number, goOnAfter: number): ServiceError {
  return new ServiceError(
    'events_expired',
    `This mailbox has no event ${after}: the server was restored from a backup, and events after the backup are lost, or the cursor is another mailbox's.`,
    `What there is now is in GET /v1/threads. Then read on with GET /v1/events?after=${goOnAfter}.`,
    { oldestSeq: goOnAfter + 1 },
  )
}
