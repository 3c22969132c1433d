/** Circuit breaker for a service that does not respond. After a pause one request is let through as a probe; others fail at once until it has ended. */
import type { Clock } from '../lib/clock.js'

/** `away`: no connection, so the next request would fail too. `silent`: connected but no response, which may be this one request's fault. */
export type Failure = 'away' | 'silent'

interface BreakerOptions {
  pauseMs: number
  /** Silent failures in a row after which it counts as away. */
  maxSilent: number
  clock: Clock
  onChange: (state: { up: true } | { up: false; reason: string }) => void
}

/** Permission for one request; one of the three methods must be called at the end. */
interface Permit {
  succeeded(): void
  failed(failure: Failure, reason: string): void
  /** The request was not made after all. */
  unused(): void
}

export function createBreaker({ pauseMs, maxSilent, clock, onChange }: BreakerOptions) {
  let silent = 0
  let down: { reason: string; until: number } | undefined
  let isProbed = false

  return {
    /** A permit, or the reason for a refusal. */
    admit(): Permit | string {
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
    get up(): boolean {
      return down === undefined
    },
  }
}
