/** Background jobs: tasks of accepted mail and of claims, the search index, and the retention sweeps. */
import { schedule, type ScheduledTask as ScheduledRun } from 'node-cron'
import type { Claims, ClaimTask } from '../lifecycle/claims/types.js'
import type { Clock } from '../lib/clock.js'
import type { Indexer } from '../mailbox/search/indexer.js'
import { SCHEDULED_KIND, type CheckTask } from '../mailbox/tasks.js'
import type { OutboundMail } from '../mailbox/composition/mailboxes.js'
import type { Log } from '../observe/log.js'
import type { Task, TaskOutcome, WorkQueue } from '../queue/types.js'
import type { Store } from '../store/types.js'
import { startIndexing } from './indexing.js'
import { noteDue, startMissed } from './missed-runs.js'
import { noteSweep, type Sweep } from './retention.js'

type JobsLog = Pick<Log, 'info' | 'warn' | 'error'>

export interface JobsDeps {
  store: Store
  queue: WorkQueue
  clock: Clock
  mailboxes: { outbound: Pick<OutboundMail, 'runCheck' | 'runScheduled'> }
  claims: Pick<Claims, 'expire'>
  indexer: Indexer
  sweeps: readonly Sweep[]
  log: JobsLog
  /** Delay in ms from the start to the runs that were missed before it; missed-runs.ts has the default. */
  missedAfterMs?: number | undefined
}

export function startJobs(deps: JobsDeps) {
  const { store, queue, log } = deps
  const options = {
    onError: (err: unknown, { id, attempts }: Task<unknown>) =>
      log.error({ err, task_id: id, attempts }, 'task failed; it is tried again'),
    onQueueError: (err: unknown) => log.error({ err }, 'the work queue failed; it is tried again'),
  }
  const workers = [
    queue.run<CheckTask>('check', (task) => check(deps, task), { ...options, concurrency: 16 }),
    queue.run<CheckTask>(SCHEDULED_KIND, (task) => scheduled(deps, task), { ...options, concurrency: 8 }),
    queue.run<ClaimTask>('claim', (task) => deps.claims.expire(task.payload.claim_id), { ...options, concurrency: 4 }),
  ]

  const indexing = startIndexing({
    store,
    indexer: deps.indexer,
    concurrency: 2,
    onError: (err, mailboxId) => log.error({ err, mailbox_id: mailboxId }, 'indexing failed; it is tried again'),
  })
  // Commits whose notification was lost.
  const checkAll: Sweep = { name: 'index', schedule: '37 * * * *', run: async () => (await indexing.checkAll(), {}) }

  const stopped = new AbortController()
  const sweeping = new Map<string, Promise<void>>()
  /** Each sweep runs at most once at a time. Never rejects. */
  const runSweep = (sweep: Sweep): Promise<void> => {
    const running =
      sweeping.get(sweep.name) ?? swept(deps, sweep, nextRun, stopped.signal).finally(() => sweeping.delete(sweep.name))
    sweeping.set(sweep.name, running)
    return running
  }
  const sweeps = [...deps.sweeps, checkAll]
  const timetable = new Map<string, ScheduledRun>()
  const nextRun = (name: string): number | undefined => timetable.get(name)?.getNextRun()?.getTime()
  for (const sweep of sweeps) {
    const entry = schedule(sweep.schedule, () => runSweep(sweep), {
      name: sweep.name,
      timezone: 'UTC',
      unref: true,
      logger: cronLog(log),
    })
    timetable.set(sweep.name, entry)
  }
  const { clock, missedAfterMs: afterMs } = deps
  const stopMissed = startMissed({ store, clock, sweeps, nextRun, run: runSweep, log, afterMs })
  void runSweep(checkAll)

  return {
    /** Runs every sweep now, one after the other, as the schedule would. */
    async sweep(): Promise<void> {
      for (const sweep of sweeps) await runSweep(sweep)
    },
    /** Starts nothing new; resolves when running work has ended. */
    async stop(): Promise<void> {
      stopped.abort()
      await Promise.all([...timetable.values()].map((entry) => entry.destroy()))
      await Promise.all(workers.map((worker) => worker.stop()))
      await indexing.stop()
      await stopMissed()
      await Promise.all(sweeping.values())
    },
  }
}

async function check({ mailboxes }: JobsDeps, { payload }: Task<CheckTask>): Promise<TaskOutcome<CheckTask>> {
  await mailboxes.outbound.runCheck(payload.mailbox_id, payload.message_id)
  return { done: true }
}

async function scheduled({ mailboxes }: JobsDeps, { payload }: Task<CheckTask>): Promise<TaskOutcome<CheckTask>> {
  const outcome = await mailboxes.outbound.runScheduled(payload.mailbox_id, payload.message_id)
  return outcome === 'done' ? { done: true } : { done: false, ...outcome }
}

async function swept(
  { store, clock, log }: JobsDeps,
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
function cronLog(log: JobsLog) {
  return {
    info: (message: string) => log.info({}, message),
    warn: (message: string) => log.warn({}, message),
    error: (message: string | Error, err?: Error) =>
      log.error({ err: message instanceof Error ? message : err }, String(message)),
    debug: () => undefined,
  }
}
