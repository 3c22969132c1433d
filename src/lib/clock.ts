/** Time as a parameter, so that tests move a clock and never sleep. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock for tests: it changes only when moved. */
export class ManualClock implements Clock {
  constructor(private ms: number = Date.UTC(2026, 0, 1)) {}

  now(): number {
    return this.ms
  }

  advance(ms: number): void {
    this.ms += ms
  }
}

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** The newest result of `timestamp`: what happens to one message happens at one time. */
let last = { ms: Number.NaN, text: '' }

/** RFC 3339 in UTC with milliseconds, the one format of times in responses. @throws RangeError for what is no time */
export function timestamp(ms: number): string {
  if (ms !== last.ms) last = { ms, text: new Date(ms).toISOString() }
  return last.text
}

/** `YYYY-MM-DD` in UTC. */
export function utcDay(ms: number): string {
  return timestamp(ms).slice(0, 10)
}
