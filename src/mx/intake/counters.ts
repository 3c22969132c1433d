/** Counters per key within a time window, in memory that strangers can't grow. */
import type { Clock } from '../../lib/clock.js'
import type { SharedCounts } from '../../store/nodes/shared-counts.js'

export type Counters = ReturnType<typeof createCounters>

interface Window {
  startedAt: number
  count: number
}

/**
 * A window opens with a key's first count and lasts `windowMs`. Keys live in two generations, and the older one is dropped as a whole, so a count costs one or
 * two look-ups, without timers or searches.
 *
 * @param maxKeys beyond it the least recently counted keys are dropped
 */
export function createCounters(options: { windowMs: number; maxKeys: number; clock: Clock }) {
  const { windowMs, maxKeys, clock } = options
  const maxGeneration = Math.max(1, Math.floor(maxKeys / 2))
  let young = new Map<string, Window>()
  let old = new Map<string, Window>()
  let bornAt = clock.now()

  function find(key: string, now: number): Window | undefined {
    const window = young.get(key) ?? old.get(key)
    return window && now - window.startedAt < windowMs ? window : undefined
  }

  /** A generation lasts at least a window unless full, so dropped windows have ended. */
  function keep(key: string, window: Window, now: number): void {
    if (young.has(key)) {
      young.set(key, window)
      return
    }
    if (young.size >= maxGeneration || now - bornAt >= windowMs) {
      old = young
      young = new Map()
      bornAt = now
    }
    old.delete(key)
    young.set(key, window)
  }

  return {
    /** @returns the count in the open window */
    add(key: string, count = 1): number {
      const now = clock.now()
      const window = find(key, now) ?? { startedAt: now, count: 0 }
      window.count += count
      keep(key, window, now)
      return window.count
    },
    /** Subtracts, for a good outcome. */
    takeBack(key: string, count = 1): void {
      const window = find(key, clock.now())
      if (window) window.count = Math.max(0, window.count - count)
    },
    count: (key: string): number => find(key, clock.now())?.count ?? 0,
    get size(): number {
      return young.size + old.size
    },
  }
}

/** Counters that also have what the other daemons count. @param name the same on each of them */
export function sharedCounters(counters: Counters, shared: SharedCounts, name: string): Counters {
  const tell = shared.join(name, (key, count) => {
    if (count > 0) counters.add(key, count)
    else counters.takeBack(key, -count)
  })
  return {
    add(key, count = 1) {
      tell(key, count)
      return counters.add(key, count)
    },
    takeBack(key, count = 1) {
      tell(key, -count)
      counters.takeBack(key, count)
    },
    count: counters.count,
    get size() {
      return counters.size
    },
  }
}
