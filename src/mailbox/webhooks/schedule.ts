/** Retry schedule of webhooks: the single source of waits, last attempt, API description and docs. */
import { DAY, HOUR, MINUTE, SECOND } from '../../lib/clock.js'

export const WEBHOOK_WAITS_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

/** A webhook without success for this long is disabled when a delivery is given up. Shorter than the schedule. */
export const DISABLED_AFTER_MS = 3 * DAY

/** Max Retry-After honoured. */
export const MAX_RETRY_AFTER_MS = HOUR

/**
 * When to try again after `attempt` failed attempts.
 *
 * @param attempt attempts made so far, from 1
 * @param jitter a number in [-1, 1); spreads retries so that an outage does not end in a flood
 * @returns milliseconds to wait, or `undefined` when the delivery has failed for good
 */
export function nextWebhookWait(attempt: number, jitter: number): number | undefined {
  const wait = WEBHOOK_WAITS_MS[attempt - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 + 0.1 * jitter))
}

/** The schedule as text: `5 s, 5 min, …`. */
export function webhookScheduleWords(): string {
  const words = (ms: number): string => {
    if (ms < MINUTE) return `${ms / SECOND} s`
    return ms < HOUR ? `${ms / MINUTE} min` : `${ms / HOUR} h`
  }
  return WEBHOOK_WAITS_MS.map(words).join(', ')
}
