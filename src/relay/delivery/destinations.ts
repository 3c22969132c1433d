/**
 * State of destinations: failing, recovering, proven. A failing one is paused for a time that grows with each failure; then one delivery probes it, and on
 * success two may run, then four, up to the limit. Pauses come from the retry table and are always shorter than a message's wait after as many attempts, so
 * a single message is never delayed by its own failure. Memory is bounded: forgotten destinations start again.
 */
import { type Clock, HOUR, MINUTE } from '../../lib/clock.js'
import { RETRY_WAITS_MS } from '../schedule.js'

/** Effect of an attempt on its destination, whatever happened to the message. */
export type DestinationState = 'fine' | 'busy' | 'unreachable'

export type Admission =
  /** `atOnce`: allowed concurrent deliveries. `probeOf`: the pause that just ended, if this is the probe. */
  { open: true; atOnce: number; probeOf?: number } | { open: false; until: number; pauseMs: number; answer: string }

export type Destinations = ReturnType<typeof createDestinations>

export interface DestinationOptions {
  clock: Clock
  /** In [-1, 1). */
  jitter: () => number
  perDestination: number
  longestPauseMs?: (name: string) => number
}

interface Failing {
  failures: number
  pauseMs: number
  pausedUntil: number
  epoch: number
  answer: string
  /** Concurrent deliveries while recovering. */
  ramp: number
}

const MAX_REMEMBERED = 10_000
/** For a destination that has not accepted mail yet. */
const FIRST_AT_ONCE = 2
/** Share of the wait after as many attempts. With both jitters the pause still ends first. */
const SHARE_OF_WAIT = 0.75
export const LONGEST_PAUSE_MS = 45 * MINUTE
/** Without mail for this long after a pause, the state is forgotten. */
const FORGET_AFTER_MS = 6 * HOUR

export function createDestinations(options: DestinationOptions) {
  const { clock, jitter, perDestination, longestPauseMs = () => LONGEST_PAUSE_MS } = options
  const failing = new Map<string, Failing>()
  const proven = new Set<string>()
  let epoch = 0

  const stateOf = (name: string): Failing | undefined => {
    const state = failing.get(name)
    if (!state || clock.now() < state.pausedUntil + FORGET_AFTER_MS) return state
    failing.delete(name)
    return undefined
  }

  const failed = (name: string, state: Failing | undefined, answer: string): void => {
    const failures = (state?.failures ?? 0) + 1
    const wait = RETRY_WAITS_MS[Math.min(failures, RETRY_WAITS_MS.length) - 1] ?? MINUTE
    const pauseMs = Math.round(Math.min(SHARE_OF_WAIT * wait, longestPauseMs(name)) * (1 + 0.1 * jitter()))
    proven.delete(name)
    // The oldest failure is forgotten first.
    failing.delete(name)
    failing.set(name, { failures, pauseMs, pausedUntil: clock.now() + pauseMs, epoch: ++epoch, answer, ramp: 0 })
    if (failing.size > MAX_REMEMBERED) forgetOldest(failing)
  }

  const worked = (name: string, state: Failing | undefined): void => {
    proven.delete(name)
    proven.add(name)
    if (proven.size > MAX_REMEMBERED) forgetOldest(proven)
    if (!state) return
    const ramp = Math.max(2, 2 * state.ramp)
    if (ramp >= perDestination) failing.delete(name)
    else failing.set(name, { ...state, failures: 0, ramp })
  }

  return {
    admission(name: string): Admission {
      const state = stateOf(name)
      if (!state)
        return { open: true, atOnce: proven.has(name) ? perDestination : Math.min(FIRST_AT_ONCE, perDestination) }
      const { pausedUntil: until, pauseMs, answer, failures, ramp } = state
      if (clock.now() < until) return { open: false, until, pauseMs, answer }
      return failures > 0 ? { open: true, atOnce: 1, probeOf: pauseMs } : { open: true, atOnce: ramp }
    },
    /** True if it accepted mail recently. */
    isProven: (name: string): boolean => proven.has(name),
    /** Read at the start of a delivery, for `report`. */
    get epoch(): number {
      return epoch
    },
    /**
     * @param begun epoch of the delivery's start: attempts begun before the last failure say nothing new
     * @param answer one line, shown for waiting mail
     */
    report(name: string, begun: number, how: DestinationState, answer: string): void {
      const state = stateOf(name)
      if (state && begun < state.epoch) return
      if (how === 'fine') worked(name, state)
      else failed(name, state, answer)
    },
    forget(isMeant: (name: string) => boolean): void {
      for (const name of failing.keys()) if (isMeant(name)) failing.delete(name)
    },
    /** Paused destinations, longest pause first. */
    pausedOnes(limit: number): { name: string; until: number; answer: string }[] {
      const now = clock.now()
      return [...failing]
        .filter(([, { pausedUntil }]) => now < pausedUntil)
        .sort(([, a], [, b]) => b.pausedUntil - a.pausedUntil)
        .slice(0, limit)
        .map(([name, { pausedUntil: until, answer }]) => ({ name, until, answer }))
    },
    paused(): number {
      const now = clock.now()
      let count = 0
      for (const { pausedUntil } of failing.values()) if (now < pausedUntil) count++
      return count
    },
  }
}

/** Maps and sets keep insertion order. */
export function forgetOldest(memory: { keys(): IterableIterator<string>; delete(name: string): boolean }): void {
  for (const oldest of memory.keys()) {
    memory.delete(oldest)
    return
  }
}
