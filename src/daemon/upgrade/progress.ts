/** Reports the progress of a migration to the log and the service manager, every few seconds at most. */
import { type Clock, SECOND } from '../../lib/clock.js'
import type { Log } from '../../observe/log.js'
import { words, type PlannedStep } from './plan.js'

const EVERY_MS = 5 * SECOND

export interface ProgressDeps {
  clock: Clock
  log: Pick<Log, 'info'>
  /** Reports progress to the service manager. */
  alive?: ((status: string) => void) | undefined
}

export interface Progress {
  moved(count: number): void
  /** Called after each step. */
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
      // The observed rate replaces the measured one.
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
