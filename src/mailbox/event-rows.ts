/** Events as they are stored: what is written is what leaves the service, in answers and as the body of a webhook's request. */
import { decode, encode } from '../store/keys.js'
import type { Event } from './objects.js'
import { shownText } from './shown-names.js'

/** An event with its bytes, as they are sent. */
export interface StoredEvent {
  event: Event
  body: Uint8Array
}

/** Rows of earlier versions have no `object`, and "" where somebody has no name. */
type EarlierEvent = Omit<Event, 'object'> & { object?: undefined }
/** What a row decodes to. */
export type EventRow = Event | EarlierEvent

/** The event as it leaves the service. */
export function toEvent(row: EventRow): Event {
  if (row.object !== undefined) return row
  const { seq, id, type, timestamp, mailbox_id, data } = row
  return { seq, id, object: 'event', type, timestamp, mailbox_id, data: withoutEmptyName(data) }
}

export function readEvent(row: Uint8Array): Event {
  return toEvent(decode<EventRow>(row))
}

export function readStoredEvent(row: Uint8Array): StoredEvent {
  const stored = decode<EventRow>(row)
  const event = toEvent(stored)
  return { event, body: event === stored ? row : encode(event) }
}

/** The sender of mail that came in is the only person whom an event names. */
function withoutEmptyName(data: Event['data']): Event['data'] {
  const { from } = data
  if (typeof from !== 'object' || from === null || !('name' in from)) return data
  return { ...data, from: { ...from, name: shownText(String(from.name ?? '')) } }
}
