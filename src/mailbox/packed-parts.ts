/** Packed forms shared by several rows (store/packed.ts). */
import { idBytes, idOf, isId } from '../lib/ids.js'
import type { Address } from '../mime/types.js'
import { listOf, maybe, nullOr, oneOf, plain, record, timeForm, type Form } from '../store/packed.js'
import type { Check, MessageStatus, Recipient, RecipientStatus, RequestedBy } from './objects/objects.js'

export const textForm = plain<string>()
export const countForm = plain<number>()
export const flagForm = plain<boolean>()

export const statusForm = oneOf<MessageStatus>([
  'received',
  'checking',
  'scheduled',
  'cancelled',
  'held',
  'blocked',
  'queued',
  'sending',
  'sent',
  'delivered',
  'partially_delivered',
  'bounced',
])

export const recipientStatusForm = oneOf<RecipientStatus>([
  'queued',
  'deferred',
  'delivered',
  'bounced',
  'complained',
  'checking',
  'scheduled',
  'held',
  'blocked',
  'cancelled',
])

export const directionForm = oneOf<'inbound' | 'outbound'>(['inbound', 'outbound'])

export const addressForm = record<Address>({ address: textForm, name: textForm })

export const recipientForm = record<Recipient>({
  address: textForm,
  status: recipientStatusForm,
  smtp_code: plain<number | null>(),
  detail: plain<string | null>(),
  attempts: countForm,
  next_attempt_at: nullOr(timeForm),
  at: timeForm,
})

export const checkForm = record<Check>({
  category: plain<Check['category']>(),
  scores: plain<Check['scores']>(),
  decision: plain<Check['decision']>(),
  reasons: listOf(record<Check['reasons'][number]>({ code: textForm, detail: textForm, class: maybe(textForm) })),
  reviewed_by: plain<string | null>(),
  reviewed_at: nullOr(timeForm),
})

const requesterTypeForm = oneOf<RequestedBy['type']>(['key', 'connection', 'session'])
const REQUESTER_PREFIX = { key: 'key', connection: 'con', session: 'ses' } as const

/** 19 bytes with an id of ours; any other stays as text. */
export const requestedByForm: Form<RequestedBy> = {
  pack: ({ type, key_id: id }) => [
    requesterTypeForm.pack(type),
    id !== null && isId(REQUESTER_PREFIX[type], id) ? idBytes(id) : id,
  ],
  read([packedType, id]: [never, Uint8Array | string | null]) {
    const type = requesterTypeForm.read(packedType)
    return { type, key_id: id === null || typeof id === 'string' ? id : idOf(REQUESTER_PREFIX[type], id) }
  },
}
