/** Conclusions from DNS records, cached until the first of these records expires. Those that depend on failed look-ups are not cached. */
import type { DNSResolver } from 'mailauth'
import { createCache } from '../dns/cache.js'
import type { Resolver } from '../dns/types.js'
import { DAY, type Clock } from '../lib/clock.js'
import { isAbsence } from './library-resolver.js'

/** @param conclude uses only the resolver it is given; calls `once` when the result depends on more than its key and the DNS */
export type Kept<T> = (key: string, lookUp: DNSResolver, conclude: Conclude<T>) => Promise<T>

type Conclude<T> = (lookUp: DNSResolver, once: () => void) => Promise<T>

export interface KeptOptions {
  resolver: Pick<Resolver, 'keptUntil'>
  clock: Clock
  maxEntries: number
  bytes: number
}

export function createKept<T>({ resolver, clock, maxEntries, bytes }: KeptOptions): Kept<T> {
  const cache = createCache<{ value: T }>({ clock, maxEntries, maxBytes: maxEntries * bytes })
  return async (key, lookUp, conclude) => {
    const known = cache.get(key)
    if (known) return known.value
    let until = clock.now() + DAY
    const answered = (name: string, type: string): void => {
      until = Math.min(until, resolver.keptUntil(name, type) ?? 0)
    }
    const watched: DNSResolver = async (name, type) => {
      try {
        const answer = await lookUp(name, type)
        answered(name, type)
        return answer
      } catch (error) {
        if (isAbsence(error)) answered(name, type)
        else until = 0
        throw error
      }
    }
    const value = await conclude(watched, () => (until = 0))
    cache.set(key, { value }, bytes, until - clock.now())
    return value
  }
}

/** Without a cache, for single queries. */
export function unkept<T>(_key: string, lookUp: DNSResolver, conclude: Conclude<T>): Promise<T> {
  return conclude(lookUp, () => undefined)
}
