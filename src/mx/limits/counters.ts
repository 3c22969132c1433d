/** How often something came from somebody within a stretch of time, in memory that strangers can't grow. */
import type { Clock } from '../../lib/clock.js'

export interface Counters {
  /** Counts, and tells how many that makes in the window that is open. */
  add(key: string, count?: number): number
  /** So many fewer, for what turned out well. */
  takeBack(key: string): void
  count(key: string): number
  /** Keys that are held. */
  readonly size: number
}

interface Window {
  startedAt: number
  count: number
}

/**
 * A window opens with a key's first count and ends `windowMs` later. Keys live in two generations: what was not counted during the last one
 * goes with it as a whole. So a count costs a look-up or two, with no timer and no search for what has ended.
 *
 * @param maxKeys past it those go that have not been counted for longest
 */
export function createCounters({
  windowMs,
  maxKeys,
  clock,
}: {
  windowMs: number
  maxKeys: number
  clock: Clock
}): Counters {
  const maxGeneration = Math.max(1, Math.floor(maxKeys / 2))
  let young = new Map<string, Window>()
  let old = new Map<string, Window>()
  let bornAt = clock.now()

  function find(key: string, now: number): Window | undefined {
    const window = young.get(key) ?? old.get(key)
    return window && now - window.startedAt < windowMs ? window : undefined
  }

  /** A generation lasts as long as a window at least, unless it is full: so what goes with it has ended. */
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
    add(key, count = 1) {
      const now = clock.now()
      const window = find(key, now) ?? { startedAt: now, count: 0 }
      window.count += count
      keep(key, window, now)
      return window.count
    },
    takeBack(key) {
      const window = find(key, clock.now())
      if (window && window.count > 0) window.count--
    },
    count: (key) => find(key, clock.now())?.count ?? 0,
    get size() {
      return young.size + old.size
    },
  }
}
