/** Retry schedule of the outbound queue. The one table from which waits, the final failure, its words and `next_attempt_at` are made. */
import { MINUTE } from '../lib/clock.js'

const minutes = (...waits: number[]): readonly number[] => waits.map((wait) => wait * MINUTE)

/** About two days in all (RFC 5321 §4.5.4.1 asks for four to five, in a time when hosts were down for that long). */
export const RETRY_WAITS_MS = minutes(1, 2, 5, 10, 20, 40, 60, 120, 240, 480, 480, 480, 480)

/** What has been in the queue for so long is given up, also when it was not tried as often as the table says (RFC 5321 §4.5.4.1). */
export const GIVE_UP_MS = RETRY_WAITS_MS.reduce((sum, wait) => sum + wait, 0)

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

/** What is said to the sender beside the last answer when there is no next attempt. */
export function gaveUpAfter(attempts: number): string {
  return `given up after ${attempts} attempts in about ${HOURS} hours`
}

/** The same of a message that could not be tried, because the destination failed with all others. */
export function gaveUpWaiting(domain: string): string {
  return `given up after about ${HOURS} hours in which ${domain} could not be reached`
}

const HOURS = Math.round(GIVE_UP_MS / (60 * MINUTE))
