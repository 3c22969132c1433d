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

/** How long the sender waits without a word (RFC 5321 §4.5.4.1 leaves it open). */
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

/**
 * Whether the sender is to have been told that a recipient waits: by what is written down first after four hours, be it an attempt or not.
 *
 * @param since when it was first tried, or would have been
 */
export function tellsOfDelay(since: number, now: number): boolean {
  return now >= since + TELL_OF_DELAY_MS
}

/** When the last attempt is made, if none before it succeeds. */
export function triedUntil(since: number): number {
  return since + RETRY_SPAN_MS
}

/** What is said to the sender beside the last answer when there is no next attempt. */
export function gaveUpAfter(attempts: number, waitedMs: number): string {
  return `given up after ${inAttempts(attempts)} in about ${inHours(waitedMs)}`
}

/** What is said while there is a next attempt. */
export function notYetAfter(attempts: number, waitedMs: number): string {
  if (attempts === 0) return `In about ${inHours(waitedMs)} no attempt could be made`
  return `${inAttempts(attempts)} in about ${inHours(waitedMs)} ${attempts === 1 ? 'has' : 'have'} failed`
}

function inAttempts(count: number): string {
  return count === 1 ? '1 attempt' : `${count} attempts`
}

function inHours(ms: number): string {
  const hours = Math.round(ms / HOUR)
  return hours === 1 ? '1 hour' : `${hours} hours`
}

/** The same of a message that could not be tried, because the destination failed with all others. */
export function gaveUpWaiting(domain: string): string {
  return `given up after about ${inHours(RETRY_SPAN_MS)} in which ${domain} could not be reached`
}
