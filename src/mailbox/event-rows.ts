/** Stored events: one row for each commit, keyed by the number of its last event. */
import { timestamp } from '../lib/clock.js'
import { isId, type IdPrefix } from '../lib/ids.js'
import { encode, keyParts } from '../store/keys.js'
import { idForm, listOf, nullOr, oneOf, pack, plain, record, timeForm, unpack, type Form } from '../store/packed.js'
import type { View } from '../store/types.js'
import { eventKey, eventsRange } from './keys.js'
import type { Event, EventType, Recipient } from './objects/objects.js'
import { checkForm, countForm, recipientStatusForm, requestedByForm, textForm } from './packed-parts.js'

/** An event with its serialized JSON, as sent to webhooks. */
export interface StoredEvent {
  event: Event
  body: Uint8Array
}

export const withBody = (event: Event): StoredEvent => ({ event, body: encode(event) })

export type NewEvent = Pick<Event, 'id' | 'type' | 'data'> & { at: number }

/** Stored as indexes: append new ones. */
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
  'draft.waiting',
  'draft.approved',
  'draft.discarded',
  'draft.returned',
  'mailbox.paused',
  'mailbox.resumed',
  'message.imported',
]

/** Names of data fields, stored as indexes: append new ones. Others are stored as text. */
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
  'draft_id',
  'expires_at',
  'reason',
  'note',
  'what',
  'by',
  'requested_by',
]
const NUMBERS = new Map(NAMES.map((name, i) => [name, i]))

/** The row of one commit's events, in order. */
export const packEvents = (events: readonly NewEvent[]): Uint8Array => pack(eventsForm, [...events])

/** @param row events up to number `last` */
export function unpackEvents(row: Uint8Array, last: number, mailboxId: string): Event[] {
  const events = unpack(eventsForm, row)
  return events.map(({ id, type, at, data }, i) => ({
    seq: last - events.length + 1 + i,
    id,
    object: 'event',
    type,
    timestamp: timestamp(at),
    mailbox_id: mailboxId,
    data,
  }))
}

type EventRecipient = Pick<Recipient, 'address' | 'status' | 'smtp_code' | 'detail' | 'next_attempt_at'>

/** Other values stay as they are. */
const idOrText = (prefix: IdPrefix): Form<unknown> => {
  const form = idForm(prefix)
  return {
    pack: (value) => (typeof value === 'string' && isId(prefix, value) ? form.pack(value) : value),
    read: (packed: never) => (typeof packed === 'object' ? form.read(packed) : packed),
  }
}

/** Compact forms by field name. */
const FORMS = new Map<string, { pack(value: never): unknown; read(packed: never): unknown }>([
  ['message_id', idOrText('msg')],
  ['thread_id', idOrText('thr')],
  ['draft_id', idOrText('drf')],
  ['check', nullOr(checkForm)],
  ['requested_by', requestedByForm],
  [
    'recipients',
    listOf(
      record<EventRecipient>({
        address: textForm,
        status: recipientStatusForm,
        smtp_code: plain(),
        detail: plain(),
        next_attempt_at: nullOr(timeForm),
      }),
    ),
  ],
])

/** Names (or their indexes) and values alternate. */
const dataForm: Form<Event['data']> = {
  pack: (data) =>
    Object.entries(data).flatMap(([name, value]) => {
      if (value === undefined) return []
      const form = FORMS.get(name)
      return [NUMBERS.get(name) ?? name, form ? form.pack(value as never) : value]
    }),
  read(packed: unknown[]) {
    const data: Event['data'] = {}
    for (let i = 0; i < packed.length; i += 2) {
      const packedName = packed[i]
      const name = typeof packedName === 'number' ? NAMES[packedName] : String(packedName)
      if (name === undefined) throw new RangeError('there is no such name')
      const form = FORMS.get(name)
      data[name] = form ? form.read(packed[i + 1] as never) : packed[i + 1]
    }
    return data
  },
}

const eventsForm = listOf(record<NewEvent>({ type: oneOf(TYPES), at: countForm, id: idForm('evt'), data: dataForm }))

/**
 * Up to `limit` events after `after`, oldest first.
 *
 * @returns `more`: there are further events
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
  // Each row has at least one event.
  for (const [row, value] of rows) {
    if (events.length > limit) break
    events.push(...unpackEvents(value, lastOfRow(row), mailboxId).filter(({ seq }) => seq > after))
  }
  return { events: events.slice(0, limit), more: events.length > limit }
}

export async function readEvent(view: View, mailboxId: string, seq: number): Promise<Event | undefined> {
  const { events } = await readEventsAfter(view, mailboxId, seq - 1, 1)
  return events[0]?.seq === seq ? events[0] : undefined
}

export const lastOfRow = (row: Uint8Array): number => Number(keyParts(row)[1])

/** Time of a row's events, in milliseconds since the epoch. */
export const timeOfEvents = (row: Uint8Array): number => unpack(eventsForm, row).at(-1)?.at ?? 0
