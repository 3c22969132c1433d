/**
 * What is known of destinations: which fail and are left alone, which have just come back, and which have taken mail before.
 *
 * One that fails is left alone for a pause that grows with each failure. Then one delivery tries it; when that works two may go at once, then
 * four, up to the limit. Pauses are made from the retry table and always shorter than the wait of a message after as many attempts, so the
 * only message for a destination is never held up by its own failure. How many destinations are remembered is bounded: a destination that is
 * forgotten is tried as if it were new.
 */
import { type Clock, HOUR, MINUTE } from '../../lib/clock.js'
import { RETRY_WAITS_MS } from '../schedule.js'

/** How an attempt went for its destination, whatever became of the message. */
export type DestinationState = 'fine' | 'busy' | 'unreachable'

export type Admission =
  /** So many deliveries at once. `probeOf` is the pause that has ended, when it is not known yet whether it works again. */
  { open: true; atOnce: number; probeOf?: number } | { open: false; until: number; pauseMs: number; answer: string }

export interface Destinations {
  admission(name: string): Admission
  /** It took mail not long ago. */
  isProven(name: string): boolean
  /** To be kept at the start of a delivery and handed to `report`. */
  readonly epoch: number
  /**
   * @param epoch that of the delivery's start: what began before the last failure says nothing new
   * @param answer in one line, for those whose mail waits
   */
  report(name: string, epoch: number, state: DestinationState, answer: string): void
  /** How many are left alone now. */
  paused(): number
  /** Some of them, those first that are left alone for longest. */
  pausedOnes(limit: number): { name: string; until: number; answer: string }[]
  /** What is noted against these destinations is dropped. */
  forget(isMeant: (name: string) => boolean): void
}

export interface DestinationOptions {
  clock: Clock
  /** In [-1, 1). */
  jitter: () => number
  perDestination: number
  /** The longest pause of a destination. */
  longestPauseMs?: (name: string) => number
}

interface Failing {
  failures: number
  pauseMs: number
  pausedUntil: number
  /** Of the last failure. */
  epoch: number
  answer: string
  /** Deliveries at once, since it works again. */
  ramp: number
}

const MAX_REMEMBERED = 10_000
/** To a destination that has not taken mail yet. */
const FIRST_AT_ONCE = 2
/** Of the wait after as many attempts. With both jitters the pause still ends first. */
const SHARE_OF_WAIT = 0.75
export const LONGEST_PAUSE_MS = 45 * MINUTE
/** Nobody had mail for it for so long after its pause: what was known is old. */
const FORGET_AFTER_MS = 6 * HOUR

export function createDestinations(options: DestinationOptions): Destinations {
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
    // The one that failed longest ago is forgotten first.
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
    admission(name) {
      const state = stateOf(name)
      if (!state)
        return { open: true, atOnce: proven.has(name) ? perDestination : Math.min(FIRST_AT_ONCE, perDestination) }
      const { pausedUntil: until, pauseMs, answer, failures, ramp } = state
      if (clock.now() < until) return { open: false, until, pauseMs, answer }
      return failures > 0 ? { open: true, atOnce: 1, probeOf: pauseMs } : { open: true, atOnce: ramp }
    },
    isProven: (name) => proven.has(name),
    get epoch() {
      return epoch
    },
    report(name, begun, how, answer) {
      const state = stateOf(name)
      if (state && begun < state.epoch) return
      if (how === 'fine') worked(name, state)
      else failed(name, state, answer)
    },
    forget(isMeant) {
      for (const name of failing.keys()) if (isMeant(name)) failing.delete(name)
    },
    pausedOnes(limit) {
      const now = clock.now()
      return [...failing]
        .filter(([, { pausedUntil }]) => now < pausedUntil)
        .sort(([, a], [, b]) => b.pausedUntil - a.pausedUntil)
        .slice(0, limit)
        .map(([name, { pausedUntil: until, answer }]) => ({ name, until, answer }))
    },
    paused() {
      const now = clock.now()
      let count = 0
      for (const { pausedUntil } of failing.values()) if (now < pausedUntil) count++
      return count
    },
  }
}

/** Maps and sets keep the order in which they were filled. */
export function forgetOldest(memory: { keys(): IterableIterator<string>; delete(name: string): boolean }): void {
  for (const oldest of memory.keys()) {
    memory.delete(oldest)
    return
  }
}
