/** The caller of a request as one who waits for work in threads: its account takes its turn, and what the work costs counts against its limits. */
import type { Caller } from '../../accounts/types.js'
import type { Asker } from '../../lib/thread-pool.js'
import type { RateLimits } from './limits.js'
import type { HttpRequest } from '../message.js'

/** Milliseconds of thread time that count as a request. At the default limits a key can use a quarter of a thread. */
export const MS_A_REQUEST = 25

/** @param rates undefined: nothing is counted */
export function askerOf(
  caller: Caller,
  request: Pick<HttpRequest, 'signal'>,
  rates: Pick<RateLimits, 'charge'> | undefined,
): Asker {
  return {
    owner: caller.account?.id ?? caller.mailboxId,
    key: caller.keyId,
    // Taken only for what goes to a thread: a connection that is watched costs more.
    get signal() {
      return request.signal
    },
    charge: (ms) => rates?.charge(caller, Math.floor(ms / MS_A_REQUEST)),
  }
}
