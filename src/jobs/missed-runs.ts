/**
 * Runs that were missed because no daemon ran when their time came. When each sweep runs next is on the disk; one whose time has passed at the start, or
 * whose last run was cut off or failed, runs soon after it. A sweep that nothing was written about, of a new folder or a new version, waits for its time.
 */
import { SECOND } from '../lib/clock.js'
import type { Clock } from '../lib/clock.js'
import type { Log } from '../observe/log.js'
import { decode, encode, key } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { SWEEPS_PARTITION } from './retention.js'
import type { Sweep } from './retention.js'

/** The start comes first; and servers that come up together, after a power cut, do not all begin in one moment. */
const EARLIEST_MS = 15 * SECOND
const SPREAD_MS = 30 * SECOND

export interface MissedDeps {
  store: Store
  clock: Clock
  sweeps: readonly Sweep[]
  /** When a sweep runs next by its timetable, in milliseconds since the epoch; undefined of one that never does. */
  nextRun: (name: string) => number | undefined
  /** Runs one now. Never rejects. */
  run: (sweep: Sweep) => Promise<void>
  log: Pick<Log, 'info' | 'error'>
  /** Between the start and the first of them; 15 to 45 seconds when not given. */
  afterMs?: number | undefined
}

const dueKey = (name: string): Uint8Array => key('due', name)

/** Writes down when a sweep runs next; to be called when it has run. */
export async function noteDue(store: Store, name: string, due: number | undefined): Promise<void> {
  await store.write(SWEEPS_PARTITION, (tx) => {
    if (due === undefined) tx.delete(dueKey(name))
    else tx.put(dueKey(name), encode(due))
  })
}

/**
 * Looks for missed runs, and runs them one after the other in a while.
 *
 * @returns ends it; resolves when none of them is at work
 */
export function startMissed(deps: MissedDeps): () => Promise<void> {
  const { sweeps, run, log, afterMs = EARLIEST_MS + Math.random() * SPREAD_MS } = deps
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let wake: (() => void) | undefined
  const work = (async () => {
    const missed = await findMissed(deps)
    if (missed.size === 0 || isStopped) return
    log.info({ missed: [...missed], in_seconds: Math.round(afterMs / SECOND) }, 'runs were missed, and follow soon')
    await new Promise<void>((resolve) => {
      wake = resolve
      timer = setTimeout(resolve, afterMs).unref()
    })
    for (const sweep of sweeps) if (missed.has(sweep.name) && !isStopped) await run(sweep)
  })().catch((err: unknown) => log.error({ err }, 'missed runs could not be looked for; each waits for its next time'))
  return async () => {
    isStopped = true
    clearTimeout(timer)
    wake?.()
    await work
  }
}

/** Names of those whose time has passed. Of the others it is written down when they run next: their timetable may be another than before. */
async function findMissed({ store, clock, sweeps, nextRun }: MissedDeps): Promise<Set<string>> {
  const now = clock.now()
  return store.write(SWEEPS_PARTITION, async (tx) => {
    const rows = await tx.getMany(sweeps.map(({ name }) => dueKey(name)))
    const missed = new Set<string>()
    sweeps.forEach(({ name }, i) => {
      const row = rows[i]
      const planned = row && decode<number>(row)
      // What was missed stays so until it has run.
      if (planned !== undefined && planned <= now) return void missed.add(name)
      const due = nextRun(name)
      if (due === undefined) tx.delete(dueKey(name))
      else if (due !== planned) tx.put(dueKey(name), encode(due))
    })
    return missed
  })
}
