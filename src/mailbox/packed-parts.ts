/** Packed forms shared by several rows (store/packed.ts). */
import type { Address } from '../mime/types.js'
import { listOf, nullOr, oneOf, plain, record, timeForm } from '../store/packed.js'
import type { Check, MessageStatus, Recipient, RecipientStatus } from './objects/objects.js'

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
  reasons: listOf(record<Check['reasons'][number]>({ code: textForm, detail: textForm })),
  reviewed_by: plain<string | null>(),
  reviewed_at: nullOr(timeForm),
})
