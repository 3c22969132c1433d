/** How far a migration has come: told to the log and to whoever waits for the start, at most every few seconds. */
import { type Clock, SECOND } from '../../lib/clock.js'
import type { Log } from '../../observe/log.js'
import { words, type PlannedStep } from './plan.js'

const EVERY_MS = 5 * SECOND

export interface ProgressDeps {
  clock: Clock
  log: Pick<Log, 'info'>
  /** Tells the service manager that the start goes on. */
  alive?: ((status: string) => void) | undefined
}

export interface Progress {
  moved(count: number): void
  /** After each step: tells of it when the last time is long enough ago. */
  stepped(): void
}

export function createProgress({ clock, log, alive }: ProgressDeps, { migration, moves }: PlannedStep): Progress {
  const began = clock.now()
  let told = began
  let done = 0
  let steps = 0
  alive?.(`upgrading what is stored: ${migration.about}`)
  return {
    moved: (count) => void (done += count),
    stepped() {
      steps++
      const now = clock.now()
      if (now - told < EVERY_MS) return
      told = now
      const { to } = migration
      if (!moves || done === 0) {
        log.info({ to, steps }, 'upgrading goes on')
        alive?.(`upgrading what is stored: ${migration.about}`)
        return
      }
      const total = Math.max(moves.count, done)
      // What was seen counts from here on, whatever was measured elsewhere.
      const leftMs = ((now - began) / done) * (total - done)
      const percent = Math.floor((done / total) * 100)
      log.info(
        { to, done, of: total, unit: moves.unit, percent, seconds_left: Math.ceil(leftMs / SECOND) },
        'upgrading goes on',
      )
      alive?.(
        `upgrading what is stored: ${percent} % of ${total.toLocaleString('en-GB')} ${moves.unit}, ${words(leftMs)} left`,
      )
    },
  }
}
