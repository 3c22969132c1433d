/**
 * The work queue: tasks that survive a crash, and the workers that take them. What is on disk is in `rows.ts`, its
 * changes in `tasks.ts`, whose turn it is in `turns.ts`, and the taking in `worker.ts`.
 */
import type { Clock } from '../lib/clock.js'
import { createArrivals } from './arrivals.js'
import { shardOf } from './rows.js'
import { createTasks } from './tasks.js'
import type { QueuedTask, WorkQueue } from './types.js'
import type { Store } from '../store/types.js'
import { startWorker } from './worker.js'

export interface WorkQueueDeps {
  store: Store
  clock: Clock
}

/** One queue a process and store: what is at work in the process is known to the queue that runs it. */
export function createWorkQueue({ store, clock }: WorkQueueDeps): WorkQueue {
  const running = new Map<string, Set<string>>()
  const workers = new Map<string, Set<ReturnType<typeof startWorker>>>()
  const tasks = createTasks(store, (kind, shard, due) => {
    for (const worker of workers.get(kind) ?? []) worker.expect(shard, due)
  })

  const arrivals = createArrivals(store, tasks, (error) => process.emitWarning(String(error)))

  const runningOf = (kind: string): Set<string> => {
    const ids = running.get(checkKind(kind)) ?? new Set()
    running.set(kind, ids)
    return ids
  }

  /** A lease may be known in memory only. */
  const shown = <P>(kind: string, task: QueuedTask<P>): QueuedTask<P> =>
    running.get(kind)?.has(task.id) ? { ...task, leased: true } : task

  return {
    add(tx, kind, task) {
      arrivals.add(tx, checkKind(kind), task, clock.now())
    },
    finish(tx, kind, id) {
      arrivals.finish(tx, checkKind(kind), id)
    },
    async enqueue(kind, task) {
      await tasks.add(checkKind(kind), task, clock.now())
    },
    async reschedule<P>(kind: string, id: string, due: number, change?: (payload: P) => P) {
      // What was queued under this kind is what the caller says it is, as for `run`.
      await arrivals.settled(kind)
      return tasks.move(
        kind,
        id,
        due,
        clock.now(),
        runningOf(kind),
        change as ((payload: unknown) => unknown) | undefined,
      )
    },
    async remove(kind, id) {
      await arrivals.settled(kind)
      return tasks.remove(kind, id, clock.now(), runningOf(kind))
    },
    async get<P>(kind: string, id: string) {
      await arrivals.settled(kind)
      const task = await tasks.get<P>(checkKind(kind), id, clock.now())
      return task && shown(kind, task)
    },
    run(kind, handler, options) {
      arrivals.carrySoon(checkKind(kind))
      const worker = startWorker({ tasks, clock, running: runningOf(kind) }, kind, handler, options)
      const ofKind = workers.get(kind) ?? new Set()
      workers.set(kind, ofKind.add(worker))
      return {
        look: () => worker.look(),
        async stop() {
          ofKind.delete(worker)
          await worker.stop()
        },
      }
    },
    hasten(kind, { id, lane }) {
      const hasten = (): void => {
        for (const worker of workers.get(kind) ?? []) worker.hasten(shardOf(lane ?? id), id)
      }
      void arrivals.settled(kind).then(hasten)
    },
    async counts(kind) {
      await arrivals.settled(kind)
      return tasks.counts(checkKind(kind))
    },
    async list<P>(kind: string, limit: number) {
      await arrivals.settled(kind)
      const listed = await tasks.list<P>(checkKind(kind), limit, clock.now())
      return listed.map((task) => shown(kind, task))
    },
    async *all<P>(kind: string) {
      await arrivals.settled(kind)
      for await (const task of tasks.all<P>(checkKind(kind), () => clock.now())) yield shown(kind, task)
    },
    poke() {
      for (const ofKind of workers.values()) for (const worker of ofKind) worker.lookEverywhere()
    },
  }
}

/** Kinds are parts of partition names, and few. */
function checkKind(kind: string): string {
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(kind)) throw new RangeError(`Not a kind of task: ${JSON.stringify(kind)}`)
  return kind
}
