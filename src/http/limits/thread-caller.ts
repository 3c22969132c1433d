/** The caller of a request for work in threads: its account takes turns, and the cost counts against its limits. */
import type { Caller } from '../../accounts/types.js'
import type { Asker } from '../../lib/thread-pool.js'
import type { RateLimits } from './limits.js'
import type { HttpRequest } from '../message.js'

/** Thread time that counts as a request. By default a key can use a quarter of a thread. */
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
    // Only for threads: watching a connection has a cost.
    get signal() {
      return request.signal
    },
    charge: (ms) => rates?.charge(caller, Math.floor(ms / MS_A_REQUEST)),
  }
}
