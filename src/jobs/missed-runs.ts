/**
 * Catches up on runs that were missed while no daemon ran. The next run of each sweep is stored; a sweep whose time has passed at the start, or whose last run
 * was interrupted or failed, runs soon after it. A sweep without a stored time, in a new folder or a new version, waits for its time.
 */
import { SECOND, type Clock } from '../lib/clock.js'
import type { Log } from '../observe/log.js'
import { decode, encode, key } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { SWEEPS_PARTITION, type Sweep } from './retention.js'

/** Leaves time for the start; and servers that start together after a power cut do not all begin at once. */
const EARLIEST_MS = 15 * SECOND
const SPREAD_MS = 30 * SECOND

export interface MissedDeps {
  store: Store
  clock: Clock
  sweeps: readonly Sweep[]
  /** Next run of a sweep by its timetable, in milliseconds since the epoch; undefined if never. */
  nextRun: (name: string) => number | undefined
  /** Runs one now. Never rejects. */
  run: (sweep: Sweep) => Promise<void>
  log: Pick<Log, 'info' | 'error'>
  /** Wait between the start and the first of them; by default 15 to 45 seconds. */
  afterMs?: number | undefined
}

const dueKey = (name: string): Uint8Array => key('due', name)

/** Stores the next run of a sweep; to be called when it has run. */
export async function noteDue(store: Store, name: string, due: number | undefined): Promise<void> {
  await store.write(SWEEPS_PARTITION, (tx) => {
    if (due === undefined) tx.delete(dueKey(name))
    else tx.put(dueKey(name), encode(due))
  })
}

/** Finds missed runs, and runs them one after the other after a wait. @returns a function that stops it, and resolves when none of them is running */
export function startMissed(deps: MissedDeps): () => Promise<void> {
  const { sweeps, run, log, afterMs = EARLIEST_MS + Math.random() * SPREAD_MS } = deps
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let wake: (() => void) | undefined
  const work = (async () => {
    const missed = await findMissed(deps)
    if (missed.size === 0 || isStopped) return
    log.info({ missed: [...missed], in_seconds: Math.round(afterMs / SECOND) }, 'sweeps were missed, and run soon')
    await new Promise<void>((resolve) => {
      wake = resolve
      timer = setTimeout(resolve, afterMs).unref()
    })
    for (const sweep of sweeps) if (missed.has(sweep.name) && !isStopped) await run(sweep)
  })().catch((err: unknown) => log.error({ err }, 'could not check for missed sweeps; each waits for its next time'))
  return async () => {
    isStopped = true
    clearTimeout(timer)
    wake?.()
    await work
  }
}

/** Names of the sweeps whose time has passed. For the others it stores their next run, since the timetable may have changed. */
async function findMissed({ store, clock, sweeps, nextRun }: MissedDeps): Promise<Set<string>> {
  const now = clock.now()
  return store.write(SWEEPS_PARTITION, async (tx) => {
    const rows = await tx.getMany(sweeps.map(({ name }) => dueKey(name)))
    const missed = new Set<string>()
    sweeps.forEach(({ name }, i) => {
      const row = rows[i]
      const planned = row && decode<number>(row)
      // A missed run stays missed until it has run.
      if (planned !== undefined && planned <= now) return void missed.add(name)
      const due = nextRun(name)
      if (due === undefined) tx.delete(dueKey(name))
      else if (due !== planned) tx.put(dueKey(name), encode(due))
    })
    return missed
  })
}
