import type { EventType } from '../objects/objects.js'
import type { SealedSecret } from './secrets.js'

/** `asked`: with a key; `failing` (no success for days) and `gone` (status 410): by the service. */
export const DISABLED_REASONS = ['asked', 'failing', 'gone', 'operator'] as const
export type DisabledReason = (typeof DISABLED_REASONS)[number]

export interface WebhookRecord {
  id: string
  url: string
  /** Event types; null for all. */
  events: EventType[] | null
  /** Includes events about spam. */
  includeSpam?: true
  description: string
  /** Id of the key that created it. */
  createdBy: string
  createdAt: number
  updatedAt: number
  disabled: Disabled | null
  /** Newest first; ended ones are removed when one is added. */
  secrets: SealedSecret[]
}

export interface Disabled {
  at: number
  reason: DisabledReason
  /** Event and letter about disabling are still to be sent. */
  untold?: true
}

export interface DeliveryState {
  /** Events up to this one were delivered, are waiting as deliveries, or are of other types. */
  cursor: number
  /** Incremented when the cursor is set back or types change; older work then moves the cursor no more. */
  epoch: number
  /** Newest event with a delivery. */
  reached: number
  /** Kept deliveries, and how many of them wait. */
  kept: number
  waiting: number
  failures: number
  /** Time of the first of them. */
  failingSince: number | null
  lastSuccessAt: number | null
  lastFailureAt: number | null
  /** No attempt before this time, as the receiver asked. */
  pausedUntil: number
  /** When waiting deliveries were made due because the receiver was back. */
  hastenedAt: number
  /** The last range of events dropped before delivery. */
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
  /** Scheduled attempts made. */
  made: number
  /** Time of the next attempt; null if none. */
  dueAt: number | null
  /** Original due time, had the receiver not come back: a failure of that attempt is not counted. */
  hastenedFrom?: number
  createdAt: number
  request: SentRequest | null
  /** Newest last; only some are kept. */
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
  /** Null without a response. */
  status: number | null
  problem: string | null
  /** Start of the response body. */
  answer: string
  /** Manual, not scheduled. */
  byHand?: true
}

export interface AttemptResult {
  event: DeliveryRecord['event']
  request: SentRequest | null
  attempt: Attempt
  /** No further attempt makes sense, through no fault of the receiver. */
  isLast?: true
  /** From Retry-After of a 429 or 503. */
  retryAfterMs?: number | undefined
}

export function isTaken({ problem }: Pick<Attempt, 'problem'>): boolean {
  return problem === null
}
