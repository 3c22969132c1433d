/** Concurrency limit: requests in progress per caller, until the last byte of each response is sent. In memory. */
import { ServiceError } from '../../lib/errors.js'

/** Changes a count by name; zero is not stored. */
export function addTo(counts: Map<string, number>, name: string, change: number): void {
  const count = (counts.get(name) ?? 0) + change
  if (count === 0) counts.delete(name)
  else counts.set(name, count)
}

export type AtWork = ReturnType<typeof createAtWork>

export function createAtWork(max: number) {
  const counts = new Map<string, number>()
  return {
    /**
     * Counts a request until it ends.
     *
     * @param who a key, or a client network
     * @param waiting requests that only wait, which have their own limit
     * @throws ServiceError `rate_limited`
     */
    enter(who: string, request: { onEnd(fn: () => void): void }, waiting: number): void {
      if ((counts.get(who) ?? 0) - waiting >= max) {
        throw new ServiceError(
          'rate_limited',
          `${max} of your requests are already in progress.`,
          'Wait for their responses before sending more.',
          { retryAfterSeconds: 1 },
        )
      }
      addTo(counts, who, 1)
      request.onEnd(() => addTo(counts, who, -1))
    },
  }
}
