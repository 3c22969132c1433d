/**
 * The event log of a mailbox. An event is written in the commit that makes what it tells of true; its number is the mailbox's `seq`
 * plus one, so numbers have no gap, never repeat and never go back, also when old events are dropped.
 */
import { timestamp } from '../lib/clock.js'
import { notFound } from '../lib/errors.js'
import { newId } from '../lib/ids.js'
import { decode, encode } from '../store/keys.js'
import type { Store, Transaction } from '../store/types.js'
import { eventKey, eventsRange, mailboxKey, mailboxPartition } from './keys.js'
import type { Event, EventType } from './objects.js'
import type { MailboxRecord, Mailboxes } from './types.js'

/** Writes the mailbox's next event within a transaction. Raises `mailbox.seq`: the caller stores the record (`changeMailbox` does). */
export function appendEvent(
  tx: Transaction,
  mailbox: MailboxRecord,
  now: number,
  type: EventType,
  data: Record<string, unknown>,
): void {
  mailbox.seq++
  const event: Event = {
    seq: mailbox.seq,
    id: newId('evt', now),
    type,
    timestamp: timestamp(now),
    mailbox_id: mailbox.id,
    data,
  }
  tx.put(eventKey(mailbox.seq), encode(event))
}

/**
 * Events past `after`, oldest first. Without any it sleeps on the mailbox's partition until something is committed, and looks again;
 * a waiter costs its memory and one timer, and nothing else until then.
 */
export function eventReader(store: Store): Mailboxes['events'] {
  return async (mailboxId, { after, limit, waitMs }, signal) => {
    const first = Math.min(after, Number.MAX_SAFE_INTEGER - 1) + 1
    const deadline = new AbortController()
    const end = (): void => deadline.abort()
    const timer = setTimeout(end, waitMs)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
    try {
      for (;;) {
        const { events, version } = await store.read(mailboxPartition(mailboxId), async (view, version) => {
          if (!(await view.get(mailboxKey))) throw notFound('mailbox')
          const pairs = await view.range({ gte: eventKey(first), lt: eventsRange.lt, limit: limit + 1 })
          return { events: pairs.map(([, value]) => decode<Event>(value)), version }
        })
        if (events.length > 0 || waitMs <= 0 || deadline.signal.aborted) {
          const data = events.slice(0, limit)
          return { data, has_more: events.length > limit, next_after: data.at(-1)?.seq ?? after }
        }
        await store.wait(mailboxPartition(mailboxId), version, deadline.signal)
      }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    }
  }
}
