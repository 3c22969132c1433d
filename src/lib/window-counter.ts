/** Counts by name in windows of a fixed length, each of which starts with the first count after the last one ended. In memory. */

interface Window {
  count: number
  endsAt: number
}

export interface Counted {
  /** In this window, with this one. */
  count: number
  /** Until the window ends; more than 0. */
  msLeft: number
}

/** @param now a clock that never goes back, in milliseconds */
export function createWindowCounter(windowMs: number, now: () => number = () => performance.now()) {
  // All windows are equally long, so the one that ends next is first.
  const windows = new Map<string, Window>()

  function dropEnded(at: number): void {
    for (const [name, { endsAt }] of windows) {
      if (endsAt > at) break
      windows.delete(name)
    }
  }

  return {
    add(name: string, change: number): Counted {
      const at = now()
      const known = windows.get(name)
      if (known && known.endsAt > at) {
        known.count += change
        return { count: known.count, msLeft: known.endsAt - at }
      }
      dropEnded(at)
      windows.set(name, { count: change, endsAt: at + windowMs })
      return { count: change, msLeft: windowMs }
    },
    /** Number of names that are kept: those of open windows, and of ended ones until the next window starts. */
    get size() {
      return windows.size
    },
  }
}
