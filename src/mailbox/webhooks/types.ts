/** Webhooks and their deliveries, as stored. Times are milliseconds since the epoch. */
import type { EventType } from '../objects/objects.js'
import type { SealedSecret } from './secrets.js'

/** `asked`: with a key; the service did it for `failing` (nothing was taken for days) and `gone` (status 410). */
export const DISABLED_REASONS = ['asked', 'failing', 'gone', 'operator'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

export interface WebhookRecord {
  id: string
  url: string
  /** Types it is for; null for all. */
  events: EventType[] | null
  /** Events about spam too. Missing where they are left out. */
  includeSpam?: true
  description: string
  /** Key with which it was made. */
  createdBy: string
  createdAt: number
  updatedAt: number
  /** Null while it is enabled. */
  disabled: Disabled | null
  /** The newest first; those that have ended are left out when one is added. */
  secrets: SealedSecret[]
}

export interface Disabled {
  at: number
  reason: DisabledReason
  /** The event and the letter about it are yet to come. */
  untold?: true
}

/** How far the deliveries of a webhook are. */
export interface DeliveryState {
  /** Events up to this one were delivered, wait as a delivery for another attempt, or are none of its types. */
  cursor: number
  /** Grows when the cursor is set back or the types change: who began before moves the cursor no more. */
  epoch: number
  /** The newest event of which there is a delivery. */
  reached: number
  /** Deliveries that are kept, and those of them that wait. */
  kept: number
  waiting: number
  /** Attempts in a row that failed. */
  failures: number
  /** The first of these. */
  failingSince: number | null
  lastSuccessAt: number | null
  lastFailureAt: number | null
  /** No attempt is made before, as the receiver asked. */
  pausedUntil: number
  /** When what waited was made due because the receiver was back. */
  hastenedAt: number
  /** Events that were dropped before they could be delivered: the last such gap. */
  missed: { from: number; to: number } | null
}

export const DELIVERY_STATES = ['waiting', 'succeeded', 'failed', 'skipped'] as const
export type DeliveryStatus = (typeof DELIVERY_STATES)[number]

export interface DeliveryRecord {
  /** `dlv_` and the ULID of the event. */
  id: string
  event: { id: string; seq: number; type: EventType }
  status: DeliveryStatus
  epoch: number
  /** Attempts by the schedule. */
  made: number
  /** When the next attempt is due; null when none is. */
  dueAt: number | null
  /** When it would have been due, had the receiver not come back before: a failure of that attempt is not counted. */
  hastenedFrom?: number
  createdAt: number
  /** What was sent last; null when nothing was. */
  request: SentRequest | null
  /** The newest last; old ones are left out past a number. */
  attempts: Attempt[]
}

export interface SentRequest {
  url: string
  /** `webhook-timestamp` and `webhook-signature`. */
  seconds: number
  signature: string
  bytes: number
  sha256: string
}

export interface Attempt {
  at: number
  tookMs: number
  /** Null when there was no answer. */
  status: number | null
  /** Null when it was taken. */
  problem: string | null
  /** The beginning of the answer's body. */
  answer: string
  /** Somebody asked for it; it was not one of the schedule. */
  byHand?: true
}

/** How one attempt went. */
export interface AttemptResult {
  event: DeliveryRecord['event']
  request: SentRequest | null
  attempt: Attempt
  /** There is no use in another one, and the receiver has no part in that. */
  isLast?: true
  /** From Retry-After of a 429 or 503. */
  retryAfterMs?: number | undefined
}

export function isTaken({ problem }: Pick<Attempt, 'problem'>): boolean {
  return problem === null
}
