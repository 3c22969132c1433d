/** How the parts of which several rows consist are packed (store/packed.ts): each an array whose fields have fixed places. */
import { timestamp } from '../lib/clock.js'
import type { Address } from '../mime/types.js'
import type { Check, MessageStatus, Recipient, RecipientStatus } from './objects.js'

/** Their numbers are stored: a new one is put at the end. */
const MESSAGE_STATUSES: readonly MessageStatus[] = [
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
]

/** The same. */
const RECIPIENT_STATUSES: readonly RecipientStatus[] = [
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
]

export function packStatus(status: MessageStatus): number {
  return MESSAGE_STATUSES.indexOf(status)
}

/** @throws Error for a number that no status has: the row is garbled */
export function unpackStatus(number: number): MessageStatus {
  return mustBe(MESSAGE_STATUSES[number], 'status')
}

export type PackedAddress = [address: string, name: string]

export const packAddress = ({ address, name }: Address): PackedAddress => [address, name]
export const unpackAddress = ([address, name]: PackedAddress): Address => ({ address, name })

export type PackedRecipient = [
  address: string,
  status: number,
  smtpCode: number | null,
  detail: string | null,
  attempts: number,
  nextAttemptAt: number | null,
  at: number,
]

export function packRecipient(recipient: Recipient): PackedRecipient {
  const { address, status, smtp_code, detail, attempts, next_attempt_at, at } = recipient
  return [
    address,
    RECIPIENT_STATUSES.indexOf(status),
    smtp_code,
    detail,
    attempts,
    packTime(next_attempt_at),
    Date.parse(at),
  ]
}

export function unpackRecipient(packed: PackedRecipient): Recipient {
  const [address, status, smtp_code, detail, attempts, next, at] = packed
  return {
    address,
    status: mustBe(RECIPIENT_STATUSES[status], 'status of a recipient'),
    smtp_code,
    detail,
    attempts,
    next_attempt_at: unpackTime(next),
    at: timestamp(at),
  }
}

export type PackedCheck = [
  category: Check['category'],
  scores: Record<string, number>,
  decision: Check['decision'],
  reasons: [code: string, detail: string][],
  reviewedBy: string | null,
  reviewedAt: number | null,
]

export function packCheck(check: Check | null): PackedCheck | null {
  if (check === null) return null
  const { category, scores, decision, reasons, reviewed_by, reviewed_at } = check
  const packed = reasons.map(({ code, detail }): [string, string] => [code, detail])
  return [category, scores, decision, packed, reviewed_by, packTime(reviewed_at)]
}

export function unpackCheck(packed: PackedCheck | null): Check | null {
  if (packed === null) return null
  const [category, scores, decision, reasons, reviewed_by, reviewedAt] = packed
  return {
    category,
    scores,
    decision,
    reasons: reasons.map(([code, detail]) => ({ code, detail })),
    reviewed_by,
    reviewed_at: unpackTime(reviewedAt),
  }
}

/** Milliseconds since the epoch of a time as it is shown. */
export const packTime = (time: string | null): number | null => (time === null ? null : Date.parse(time))
export const unpackTime = (at: number | null): string | null => (at === null ? null : timestamp(at))

export function mustBe<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new SyntaxError(`A row of the store can not be read: there is no such ${what}`)
  return value
}
