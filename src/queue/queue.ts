/**
 * The work queue: tasks that survive a crash, and the workers that do them. What is on disk is in rows.ts; the tasks of a kind, on disk and in memory,
 * in kind.ts; which comes next in scheduler.ts; the work in worker.ts.
 */
import type { Clock } from '../lib/clock.js'
import type { Store } from '../store/types.js'
import { Kind } from './kind.js'
import { checkKind, wholeMs } from './rows.js'
import type { QueuedTask, WorkQueue } from './types.js'
import { KindWorker } from './worker.js'

export interface WorkQueueDeps {
  store: Store
  clock: Clock
  /** Partitions over which the rows of a kind are spread. More than one helps engines on which commits to one partition wait for each other. */
  shards?: number
}

/** The only queue on its store that runs or changes tasks; another one, of another process, may look at rows with `get` and `all`. */
export function createWorkQueue({ store, clock, shards = 1 }: WorkQueueDeps): WorkQueue {
  const kinds = new Map<string, Kind>()

  const kindOf = (name: string): Kind => {
    const kind = kinds.get(name) ?? new Kind({ store, kind: checkKind(name), shards, now: () => clock.now() })
    kinds.set(name, kind)
    return kind
  }

  return {
    add: (tx, kind, task) => kindOf(kind).add(tx, task),
    finish: (tx, kind, id) => kindOf(kind).finish(tx, id),
    enqueue: async (kind, task) => kindOf(kind).enqueue(task),
    async reschedule<P>(kind: string, id: string, due: number, change?: (payload: P) => P) {
      // What was queued under this kind is what the caller says it is, as for `run`.
      return kindOf(kind).reschedule(id, wholeMs(due), change as ((payload: unknown) => unknown) | undefined)
    },
    remove: async (kind, id) => kindOf(kind).remove(id),
    async get<P>(kind: string, id: string) {
      return (await kindOf(kind).get(id)) as QueuedTask<P> | undefined
    },
    run(name, handler, options) {
      const kind = kindOf(name)
      const worker = new KindWorker({ kind, clock }, handler, options)
      kind.workers.add(worker)
      return {
        look() {
          kind.scheduler.roomMayHaveCome()
          worker.look()
        },
        async stop() {
          kind.workers.delete(worker)
          await worker.stop()
        },
      }
    },
    counts: async (kind) => kindOf(kind).counts(),
    all<P>(kind: string) {
      return kindOf(kind).all() as AsyncIterable<QueuedTask<P>>
    },
    poke() {
      for (const kind of kinds.values()) {
        kind.scheduler.roomMayHaveCome()
        kind.tell()
      }
    },
  }
}
