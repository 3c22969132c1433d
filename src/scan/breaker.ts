/**
 * Leaves a service alone that gives no answer, so that its absence costs a time-out now and then and not one for every request. After a
 * pause one request is let through as a probe; the others are told at once that it is away until that one has had its answer.
 */
import type { Clock } from '../lib/clock.js'

/** Nobody listens: the next one will not be answered either. Or: somebody listens and says nothing, which may be this one request's fault. */
export type Failure = 'away' | 'silent'

export interface BreakerOptions {
  /** For how long it is left alone. */
  pauseMs: number
  /** Silent ones in a row from which it counts as away. */
  maxSilent: number
  clock: Clock
  /** Told once a change. */
  onChange: (state: { up: true } | { up: false; reason: string }) => void
}

/** Leave to ask once; one of the three has to be called at the end. */
export interface Permit {
  succeeded(): void
  failed(failure: Failure, reason: string): void
  /** It was not asked after all. */
  unused(): void
}

export interface Breaker {
  /** A permit, or why it is not to be asked now. */
  admit(): Permit | string
  readonly up: boolean
}

export function createBreaker({ pauseMs, maxSilent, clock, onChange }: BreakerOptions): Breaker {
  let silent = 0
  let down: { reason: string; until: number } | undefined
  let isProbed = false

  return {
    admit() {
      const isProbe = down !== undefined
      if (down !== undefined) {
        if (isProbed || clock.now() < down.until) return down.reason
        isProbed = true
      }
      const end = (): void => {
        if (isProbe) isProbed = false
      }
      return {
        succeeded() {
          end()
          silent = 0
          if (down === undefined) return
          down = undefined
          onChange({ up: true })
        },
        failed(failure, reason) {
          end()
          silent++
          if (failure !== 'away' && silent < maxSilent) return
          const wasUp = down === undefined
          down = { reason, until: clock.now() + pauseMs }
          if (wasUp) onChange({ up: false, reason })
        },
        unused: end,
      }
    },
    get up() {
      return down === undefined
    },
  }
}
