/** Retry schedule of the outbound queue: the single source of waits, final failure, delay notice, their texts and `next_attempt_at`. */
import { HOUR, MINUTE } from '../lib/clock.js'

const minutes = (...waits: number[]): readonly number[] => waits.map((wait) => wait * MINUTE)
const sum = (waits: readonly number[]): number => waits.reduce((all, wait) => all + wait, 0)

/** RFC 5321 §4.5.4.1 asks for four to five days, from a time when hosts were down for that long. */
export const RETRY_WAITS_MS = minutes(1, 2, 5, 10, 20, 40, 60, 120, 240, 480, 480, 480, 480)

/** From the first attempt to the last. */
export const RETRY_SPAN_MS = sum(RETRY_WAITS_MS)

/** Delay before the sender is informed (RFC 5321 §4.5.4.1 leaves it open). */
const LONG_DELAY_MS = 4 * HOUR

/** In [-1, 1): spreads retries so that a restart doesn't fire them all at once. */
export const randomJitter = (): number => Math.random() * 2 - 1

/** @returns milliseconds to wait after so many failed attempts; undefined when the message has failed for good */
export function nextWait(attempt: number, jitter: number): number | undefined {
  const wait = RETRY_WAITS_MS[attempt - 1]
  return wait === undefined ? undefined : Math.round(wait * (1 + 0.1 * jitter))
}

/** True from the first record after four hours on, be it an attempt or not. @param since time of the first attempt */
export function isLongDelay(since: number, now: number): boolean {
  return now >= since + LONG_DELAY_MS
}

export function triedUntil(since: number): number {
  return since + RETRY_SPAN_MS
}

export function gaveUpAfter(attempts: number, waitedMs: number): string {
  return `given up after ${inAttempts(attempts)} in about ${inHours(waitedMs)}`
}

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

/** Text for a message that was never tried because its destination failed. */
export function gaveUpWaiting(domain: string): string {
  return `given up after about ${inHours(RETRY_SPAN_MS)} in which ${domain} could not be reached`
}
