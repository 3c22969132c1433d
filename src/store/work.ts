/**
 * The work queue: tasks that survive a crash, and the workers that take them. What is on disk is in `rows.ts`, its
 * changes in `tasks.ts`, whose turn it is in `turns.ts`, and the taking in `worker.ts`.
 */
import type { Clock } from '../lib/clock.js'
import { shardOf } from './rows.js'
import { createTasks } from './tasks.js'
import type { Store, WorkQueue } from './types.js'
import { startWorker } from './worker.js'

export interface WorkQueueDeps {
  store: Store
  clock: Clock
}

/** One queue a process and store: what is at work in the process is known to the queue that runs it. */
export function createWorkQueue({ store, clock }: WorkQueueDeps): WorkQueue {
  const tasks = createTasks(store)
  const running = new Map<string, Set<string>>()
  const workers = new Map<string, Set<ReturnType<typeof startWorker>>>()

  const runningOf = (kind: string): Set<string> => {
    const ids = running.get(checkKind(kind)) ?? new Set()
    running.set(kind, ids)
    return ids
  }

  return {
    async enqueue(kind, task) {
      await tasks.add(checkKind(kind), task, clock.now())
    },
    async reschedule<P>(kind: string, id: string, due: number, change?: (payload: P) => P) {
      // What was queued under this kind is what the caller says it is, as for `run`.
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
      return tasks.remove(kind, id, clock.now(), runningOf(kind))
    },
    async get(kind, id) {
      return tasks.get(checkKind(kind), id, clock.now())
    },
    run(kind, handler, options) {
      const worker = startWorker({ store, tasks, clock, running: runningOf(kind) }, kind, handler, options)
      const ofKind = workers.get(kind) ?? new Set()
      workers.set(kind, ofKind.add(worker))
      return {
        async stop() {
          ofKind.delete(worker)
          await worker.stop()
        },
      }
    },
    hasten(kind, { id, lane }) {
      for (const worker of workers.get(kind) ?? []) worker.hasten(shardOf(lane ?? id), id)
    },
    async counts(kind) {
      return tasks.counts(checkKind(kind))
    },
    async list(kind, limit) {
      return tasks.list(checkKind(kind), limit, clock.now())
    },
    all(kind) {
      return tasks.all(checkKind(kind), () => clock.now())
    },
    poke() {
      for (const ofKind of workers.values()) for (const worker of ofKind) worker.look()
    },
  }
}

/** Kinds are parts of partition names, and few. */
function checkKind(kind: string): string {
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(kind)) throw new RangeError(`Not a kind of task: ${JSON.stringify(kind)}`)
  return kind
}
