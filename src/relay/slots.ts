/**
 * How many deliveries are made at once, in all and to one destination. A few tasks wait in a short line at their destination, so that a
 * slot which comes free is used at once; further ones are sent back to the queue until the line is expected to have moved, so that a slow
 * destination takes no room from the others.
 */
import type { Clock } from '../lib/clock.js'

export interface Slots {
  /**
   * Waits for a slot.
   *
   * @returns the function that gives it back, or when to come again (milliseconds since the epoch) because the line is full
   * @throws the signal's reason when it is aborted while waiting
   */
  enter(destination: string, signal: AbortSignal): Promise<{ leave: () => void } | { comeAgainAt: number }>
}

interface Line {
  active: number
  waiting: (() => void)[]
  /** Running mean of how long a delivery took. */
  meanMs: number
  /** When all that was sent back is expected to have been worked off. */
  clearAt: number
}

const FIRST_MEAN_MS = 1000
const SHORTEST_RETURN_MS = 500
const LONGEST_RETURN_MS = 60_000

export function createSlots({
  concurrency,
  perDestination,
  clock,
}: {
  concurrency: number
  perDestination: number
  clock: Clock
}): Slots {
  const lines = new Map<string, Line>()
  const maxWaiting = 2 * perDestination
  let active = 0

  const lineOf = (destination: string): Line => {
    const line = lines.get(destination) ?? { active: 0, waiting: [], meanMs: FIRST_MEAN_MS, clearAt: 0 }
    lines.set(destination, line)
    return line
  }

  function start(destination: string, line: Line): () => void {
    const startedAt = clock.now()
    active++
    line.active++
    let left = false
    return () => {
      if (left) return
      left = true
      active--
      line.active--
      line.meanMs += (clock.now() - startedAt - line.meanMs) / 8
      startWaiting()
      if (line.active === 0 && line.waiting.length === 0 && line.clearAt <= clock.now()) lines.delete(destination)
    }
  }

  /** Gives free slots to whoever waits, and puts a served destination behind the others. */
  function startWaiting(): void {
    for (const [destination, line] of [...lines]) {
      while (active < concurrency && line.active < perDestination && line.waiting.length > 0) {
        line.waiting.shift()?.()
        lines.delete(destination)
        lines.set(destination, line)
      }
      if (active >= concurrency) return
    }
  }

  return {
    async enter(destination, signal) {
      const line = lineOf(destination)
      if (active < concurrency && line.active < perDestination) return { leave: start(destination, line) }
      if (line.waiting.length >= maxWaiting) {
        const now = clock.now()
        line.clearAt = Math.max(line.clearAt, now + SHORTEST_RETURN_MS) + line.meanMs / perDestination
        return { comeAgainAt: Math.round(Math.min(line.clearAt, now + LONGEST_RETURN_MS)) }
      }
      const leave = await new Promise<() => void>((resolve, reject) => {
        const begin = (): void => {
          signal.removeEventListener('abort', abort)
          resolve(start(destination, line))
        }
        const abort = (): void => {
          line.waiting.splice(line.waiting.indexOf(begin), 1)
          reject(signal.reason)
        }
        line.waiting.push(begin)
        signal.addEventListener('abort', abort, { once: true })
      })
      return { leave }
    },
  }
}
