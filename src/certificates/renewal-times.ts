/** Schedule of orders and renewals. */
import { DAY, HOUR, MINUTE } from '../lib/clock.js'
import type { OrderState } from './cert-files.js'
import type { HeldCertificate } from './types.js'

/** Waits after consecutive failures; the last is repeated. Let's Encrypt allows five failed validations of a name per hour. */
const WAITS_MS = [15 * MINUTE, HOUR, 3 * HOUR, 12 * HOUR, DAY]
/** Max wait that an authority can request. */
const LONGEST_WAIT_MS = 7 * DAY

/** Time of the renewal: with a third of the lifetime left, be it 90 days or 6. */
export function renewalAt({ notBefore, notAfter }: Pick<HeldCertificate, 'notBefore' | 'notAfter'>): number {
  return notAfter - (notAfter - notBefore) / 3
}

/**
 * Time of the next order.
 *
 * @param held undefined if there is none
 * @param state of the last order; undefined if there was none
 * @param directory of the current authority
 */
export function orderAt(
  held: Pick<HeldCertificate, 'notBefore' | 'notAfter'> | undefined,
  state: OrderState | undefined,
  directory: string,
): number {
  // A certificate of another authority, such as its staging directory, does not count, nor does its refusal.
  const renewal = held && state?.issued_by === directory ? renewalAt(held) : 0
  const nextTry = state?.directory === directory ? (state.next_try_at ?? 0) : 0
  return Math.max(renewal, nextTry)
}

/** @param failures so far, from 1 */
export function waitAfter(failures: number, retryAfterMs = 0): number {
  const wait = WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] ?? 0
  return Math.min(Math.max(wait, retryAfterMs), LONGEST_WAIT_MS)
}
