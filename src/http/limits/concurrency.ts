/** Concurrency limit: requests in progress per caller, until the last byte of each response is sent. In memory. */
import { ServiceError } from '../../lib/errors.js'

export interface AtWork {
  /**
   * Counts a request until it ends.
   *
   * @param who a key, or a client network
   * @param waiting requests that only wait, which have their own limit
   * @throws ServiceError `rate_limited`
   */
  enter(who: string, request: { onEnd(fn: () => void): void }, waiting: number): void
}

export function createAtWork(max: number): AtWork {
  const counts = new Map<string, number>()
  return {
    enter(who, request, waiting) {
      const count = counts.get(who) ?? 0
      if (count - waiting >= max) {
        throw new ServiceError(
          'rate_limited',
          `${max} of your requests are already in progress.`,
          'Wait for their responses before sending more.',
          { retryAfterSeconds: 1 },
        )
      }
      counts.set(who, count + 1)
      request.onEnd(() => {
        const left = (counts.get(who) ?? 1) - 1
        if (left === 0) counts.delete(who)
        else counts.set(who, left)
      })
    },
  }
}
