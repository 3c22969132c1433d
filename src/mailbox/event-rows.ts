/** Events as they are stored: those of one commit in one row, whose key is the number of the last of them. */
import { timestamp } from '../lib/clock.js'
import { idBytes, idOf, isId, type IdPrefix } from '../lib/ids.js'
import { encode, keyParts } from '../store/keys.js'
import { pack, unpack } from '../store/packed.js'
import type { View } from '../store/types.js'
import { eventKey, eventsRange } from './keys.js'
import type { Check, Event, EventType } from './objects.js'
import { mustBe, packCheck, packTime, unpackCheck, unpackTime, type PackedCheck } from './packed-parts.js'

/** An event with the bytes in which it is sent, the body of a webhook's request. */
export interface StoredEvent {
  event: Event
  body: Uint8Array
}

export const withBody = (event: Event): StoredEvent => ({ event, body: encode(event) })

/** An event that is not numbered yet. */
export type NewEvent = Pick<Event, 'id' | 'type' | 'data'> & { at: number }

/** Their numbers are stored: a new one is put at the end. */
const TYPES: readonly EventType[] = [
  'message.received',
  'message.status',
  'message.updated',
  'message.deleted',
  'mailbox.updated',
  'domain.verified',
  'domain.lost',
  'claim.claimed',
  'claim.declined',
  'account.suspended',
  'account.reinstated',
  'account.deletion_scheduled',
  'account.deletion_cancelled',
  'export.ready',
  'webhook.disabled',
]

/** Names of data, which are stored as numbers: a new one is put at the end. Others are stored as they are. */
const NAMES = [
  'message_id',
  'thread_id',
  'direction',
  'status',
  'from',
  'subject',
  'preview',
  'labels',
  'unread',
  'automation',
  'untrusted',
  'recipients',
  'check',
  'message_seq',
  'permanent',
  'purge_at',
  'restored',
  'was_spam',
  'newly_visible',
  'send_at',
  'cancelled',
  'address',
  'account_id',
]
const NUMBERS = new Map(NAMES.map((name, i) => [name, i]))

type PackedEvent = [
  type: number,
  at: number,
  id: Uint8Array,
  /** Names, or their numbers, and values by turns. */
  data: unknown[],
]

/** The row of the events that one commit tells of, in their order. */
export function packEvents(events: readonly NewEvent[]): Uint8Array {
  return pack(
    events.map(({ type, at, id, data }): PackedEvent => [TYPES.indexOf(type), at, idBytes(id), packData(data)]),
  )
}

/** @param row of the events up to `last` */
export function unpackEvents(row: Uint8Array, last: number, mailboxId: string): Event[] {
  return unpack(row, (packed: PackedEvent[]) =>
    packed.map(([type, at, id, data], i) => ({
      seq: last - packed.length + 1 + i,
      id: idOf('evt', id),
      object: 'event',
      type: mustBe(TYPES[type], 'type of an event'),
      timestamp: timestamp(at),
      mailbox_id: mailboxId,
      data: unpackData(data),
    })),
  )
}

/** Some kinds of values have a smaller form; the name says which. */
interface Form {
  pack: (value: never) => unknown
  unpack: (packed: never) => unknown
}

type Told = Record<'address' | 'status', string> & {
  smtp_code: number | null
  detail: string | null
  next_attempt_at: string | null
}
type PackedTold = [address: string, status: string, code: number | null, detail: string | null, next: number | null]

const idForm = (prefix: IdPrefix): Form => ({
  // What is no id stays as it is.
  pack: (value: string) => (isId(prefix, value) ? idBytes(value) : value),
  unpack: (packed: string | Uint8Array) => (typeof packed === 'string' ? packed : idOf(prefix, packed)),
})

const FORMS: Readonly<Record<string, Form>> = {
  message_id: idForm('msg'),
  thread_id: idForm('thr'),
  check: {
    pack: (check: Check | null) => packCheck(check),
    unpack: (packed: PackedCheck | null) => unpackCheck(packed),
  },
  recipients: {
    pack: (recipients: Told[]) =>
      recipients.map(({ address, status, smtp_code, detail, next_attempt_at }): PackedTold => {
        return [address, status, smtp_code, detail, packTime(next_attempt_at)]
      }),
    unpack: (packed: PackedTold[]) =>
      packed.map(([address, status, smtp_code, detail, next]): Told => {
        return { address, status, smtp_code, detail, next_attempt_at: unpackTime(next) }
      }),
  },
}

const formOf = (name: string): Form | undefined => (Object.hasOwn(FORMS, name) ? FORMS[name] : undefined)

function packData(data: Event['data']): unknown[] {
  return Object.entries(data).flatMap(([name, value]) => {
    if (value === undefined) return []
    const form = formOf(name)
    return [NUMBERS.get(name) ?? name, form ? form.pack(value as never) : value]
  })
}

function unpackData(packed: unknown[]): Event['data'] {
  const data: Event['data'] = {}
  for (let i = 0; i < packed.length; i += 2) {
    const told = packed[i]
    const name = typeof told === 'number' ? mustBe(NAMES[told], 'name in an event') : String(told)
    const form = formOf(name)
    data[name] = form ? form.unpack(packed[i + 1] as never) : packed[i + 1]
  }
  return data
}

/**
 * Events past `after`, oldest first, at most `limit`.
 *
 * @returns `more`: there are events past these
 */
export async function readEventsAfter(
  view: View,
  mailboxId: string,
  after: number,
  limit: number,
): Promise<{ events: Event[]; more: boolean }> {
  const gte = eventKey(Math.min(after, Number.MAX_SAFE_INTEGER - 1) + 1)
  const rows = await view.range({ gte, lt: eventsRange.lt, limit: limit + 1 })
  const events: Event[] = []
  // Each row has an event at least.
  for (const [row, value] of rows) {
    if (events.length > limit) break
    events.push(...unpackEvents(value, lastOfRow(row), mailboxId).filter(({ seq }) => seq > after))
  }
  return { events: events.slice(0, limit), more: events.length > limit }
}

/** Undefined when it is kept no longer, or was never there. */
export async function readEvent(view: View, mailboxId: string, seq: number): Promise<Event | undefined> {
  const { events } = await readEventsAfter(view, mailboxId, seq - 1, 1)
  return events[0]?.seq === seq ? events[0] : undefined
}

/** The number of the last event in a row. */
export const lastOfRow = (row: Uint8Array): number => Number(keyParts(row)[1])

/** When the events of a row were; milliseconds since the epoch. */
export const timeOfEvents = (row: Uint8Array): number =>
  unpack(row, (packed: PackedEvent[]) => mustBe(packed.at(-1), 'event')[1])
