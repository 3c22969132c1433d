/** Runs the sweeps by their timetable, and those that were missed. */
import { schedule, type ScheduledTask as ScheduledRun } from 'node-cron'
import { noteDue, startMissed } from './missed-runs.js'
import type { Clock } from '../lib/clock.js'
import type { Log } from '../observe/log.js'
import type { Store } from '../store/types.js'
import { noteSweep, type Sweep } from './retention.js'

export interface SweepingDeps {
  store: Store
  clock: Clock
  sweeps: readonly Sweep[]
  log: Pick<Log, 'info' | 'warn' | 'error'>
  /** Delay in ms from the start to the runs that were missed before it; missed-runs.ts has the default. */
  missedAfterMs?: number | undefined
}

export type Sweeping = ReturnType<typeof startSweeping>

export function startSweeping(deps: SweepingDeps) {
  const { store, clock, sweeps, log, missedAfterMs: afterMs } = deps
  const stopped = new AbortController()
  const sweeping = new Map<string, Promise<void>>()
  const timetable = new Map<string, ScheduledRun>()
  const nextRun = (name: string): number | undefined => timetable.get(name)?.getNextRun()?.getTime()
  /** Each sweep runs at most once at a time. Never rejects. */
  const run = (sweep: Sweep): Promise<void> => {
    const running =
      sweeping.get(sweep.name) ?? swept(deps, sweep, nextRun, stopped.signal).finally(() => sweeping.delete(sweep.name))
    sweeping.set(sweep.name, running)
    return running
  }
  for (const sweep of sweeps) {
    const entry = schedule(sweep.schedule, () => run(sweep), {
      name: sweep.name,
      timezone: 'UTC',
      unref: true,
      logger: cronLog(log),
    })
    timetable.set(sweep.name, entry)
  }
  const stopMissed = startMissed({ store, clock, sweeps, nextRun, run, log, afterMs })

  return {
    run,
    /** Starts nothing new; resolves when running ones have ended. */
    async stop(): Promise<void> {
      stopped.abort()
      await Promise.all([...timetable.values()].map((entry) => entry.destroy()))
      await stopMissed()
      await Promise.all(sweeping.values())
    },
  }
}

async function swept(
  { store, clock, log }: SweepingDeps,
  sweep: Sweep,
  nextRun: (name: string) => number | undefined,
  signal: AbortSignal,
): Promise<void> {
  try {
    const done = await sweep.run(signal)
    // An interrupted run does not count: the operator would think that all was swept.
    if (!signal.aborted) {
      await noteSweep(store, sweep.name, { at: clock.now(), done })
      await noteDue(store, sweep.name, nextRun(sweep.name))
    }
    log.info({ sweep: sweep.name, ...done }, 'swept')
  } catch (err) {
    log.error({ err, sweep: sweep.name }, 'a sweep failed; the next run continues')
  }
}

/** Sends the messages of node-cron to our log instead of the console. */
function cronLog(log: SweepingDeps['log']) {
  return {
    info: (message: string) => log.info({}, message),
    warn: (message: string) => log.warn({}, message),
    error: (message: string | Error, err?: Error) =>
      log.error({ err: message instanceof Error ? message : err }, String(message)),
    debug: () => undefined,
  }
}
