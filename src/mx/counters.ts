/** How often something came from somebody within a stretch of time, in memory that strangers can't grow. */
import type { Clock } from '../lib/clock.js'

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
 * A window opens with a key's first count and ends `windowMs` later. Windows stand in the order in which they opened, so what has ended is
 * found at the front: a count costs a Map look-up and no timer.
 *
 * @param maxKeys past it the oldest window is forgotten
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
  const windows = new Map<string, Window>()

  const open = (key: string, now: number): Window | undefined => {
    const window = windows.get(key)
    return window && now - window.startedAt < windowMs ? window : undefined
  }

  /** Two for each that comes: what has ended goes sooner than it gathers. */
  function forget(now: number): void {
    let steps = 2
    for (const [key, window] of windows) {
      if (steps-- === 0 || (windows.size <= maxKeys && now - window.startedAt < windowMs)) return
      windows.delete(key)
    }
  }

  return {
    add(key, count = 1) {
      const now = clock.now()
      const window = open(key, now)
      if (window) return (window.count += count)
      windows.delete(key)
      windows.set(key, { startedAt: now, count })
      forget(now)
      return count
    },
    takeBack(key) {
      const window = open(key, clock.now())
      if (window && window.count > 0) window.count--
    },
    count: (key) => open(key, clock.now())?.count ?? 0,
    get size() {
      return windows.size
    },
  }
}
