/**
 * Retry schedule of the outbound queue. The one table from which waits, the final failure, the notice of delay, their words and `next_attempt_at`
 * are made.
 */
import { HOUR, MINUTE } from '../lib/clock.js'

const minutes = (...waits: number[]): readonly number[] => waits.map((wait) => wait * MINUTE)
const sum = (waits: readonly number[]): number => waits.reduce((all, wait) => all + wait, 0)

/** RFC 5321 §4.5.4.1 asks for four to five days, in a time when hosts were down for that long. */
export const RETRY_WAITS_MS = minutes(1, 2, 5, 10, 20, 40, 60, 120, 240, 480, 480, 480, 480)

/** From the first attempt to the last. */
export const RETRY_SPAN_MS = sum(RETRY_WAITS_MS)

/** The sender is told that a message waits at the first attempt so long after the first that fails (RFC 5321 §4.5.4.1 leaves it open). */
const TELL_OF_DELAY_MS = 4 * HOUR

/**
 * When to try again after `attempt` failed attempts.
 *
 * @param attempt attempts made so far, from 1
 * @param jitter a number in [-1, 1); spreads retries so that a restart doesn't fire them all at once
 * @returns milliseconds to wait, or `undefined` when the message has failed for good
 */
export function nextWait(attempt: number, jitter: number): number | undefined {
  const wait = RETRY_WAITS_MS[attempt - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 + 0.1 * jitter))
}

/** From the first attempt to this one, without jitter. */
export function sinceFirst(attempt: number): number {
  return sum(RETRY_WAITS_MS.slice(0, attempt - 1))
}

/** Whether this is the attempt after which the sender is told that the message waits: once. */
export function tellsOfDelay(attempt: number): boolean {
  return attempt > 1 && sinceFirst(attempt) >= TELL_OF_DELAY_MS && sinceFirst(attempt - 1) < TELL_OF_DELAY_MS
}

/** When the last attempt is made, if none before it succeeds. */
export function lastAttemptAt(attempt: number, nextAttemptAt: number): number {
  return nextAttemptAt + RETRY_SPAN_MS - sinceFirst(attempt + 1)
}

/** What is said to the sender beside the last answer when there is no next attempt. */
export function gaveUpAfter(attempts: number): string {
  return `given up after ${attempts} attempts in about ${inHours(sinceFirst(attempts))}`
}

/** What is said while there is a next attempt. */
export function notYetAfter(attempts: number): string {
  return `${attempts} attempts in about ${inHours(sinceFirst(attempts))} have failed`
}

function inHours(ms: number): string {
  return `${Math.round(ms / HOUR)} hours`
}
