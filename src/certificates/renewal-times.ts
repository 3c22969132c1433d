/** When a certificate is asked for: the one place from which orders, waits and what the operator is told come. */
import { DAY, HOUR, MINUTE } from '../lib/clock.js'
import type { OrderState } from './cert-files.js'
import type { HeldCertificate } from './types.js'

/** After so many failures, one after the other. Let's Encrypt takes five failed proofs of a name in an hour; the last wait is repeated. */
const WAITS_MS = [15 * MINUTE, HOUR, 3 * HOUR, 12 * HOUR, DAY]
/** An authority may ask for more patience, but not for any. */
const LONGEST_WAIT_MS = 7 * DAY

/** When it is renewed: with a third of its time left, whether that is 90 days or 6. */
export function renewalAt({ notBefore, notAfter }: Pick<HeldCertificate, 'notBefore' | 'notAfter'>): number {
  return notAfter - (notAfter - notBefore) / 3
}

/**
 * When the next order is due.
 *
 * @param held undefined when there is none
 * @param state of the last order; undefined when there was none
 * @param directory of the authority that is asked now
 */
export function orderAt(
  held: Pick<HeldCertificate, 'notBefore' | 'notAfter'> | undefined,
  state: OrderState | undefined,
  directory: string,
): number {
  // What another authority made out, its staging directory for one, is as good as none; and that it refused says nothing.
  const renewal = held && state?.issued_by === directory ? renewalAt(held) : 0
  const nextTry = state?.directory === directory ? (state.next_try_at ?? 0) : 0
  return Math.max(renewal, nextTry)
}

/** @param failures up to now, from 1 */
export function waitAfter(failures: number, retryAfterMs = 0): number {
  const wait = WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] ?? 0
  return Math.min(Math.max(wait, retryAfterMs), LONGEST_WAIT_MS)
}
