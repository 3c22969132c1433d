/** The work queue: rows in rows.ts, the tasks of a kind in kind.ts, scheduling in scheduler.ts, execution in worker.ts. */
import { ownAll } from '../cluster/alone.js'
import type { Duty, Shards } from '../cluster/types.js'
import type { Clock } from '../lib/clock.js'
import type { Store } from '../store/types.js'
import { Kind } from './kind.js'
import { checkKind, wholeMs } from './rows.js'
import type { QueuedTask, WorkQueue } from './types.js'
import { KindWorker } from './worker.js'

/** Kinds of mail that leaves; the others are jobs. */
const RELAY_KINDS = new Set([
  'relay',
  'resume',
  'notice',
  'letter',
  'forward',
  'simulator',
  'dmarc-report',
  'tls-report',
])

export const dutyOf = (kind: string): Duty => (RELAY_KINDS.has(kind) ? 'relay' : 'jobs')

/** @param deps `shards`: by default this is the only queue that runs or changes tasks of its store */
export function createWorkQueue(deps: { store: Store; clock: Clock; shards?: Shards }): WorkQueue {
  const { store, clock, shards = ownAll() } = deps
  const kinds = new Map<string, Kind>()

  const kindOf = (name: string): Kind => {
    const kind =
      kinds.get(name) ?? new Kind({ store, kind: checkKind(name), shards, duty: dutyOf(name), now: () => clock.now() })
    kinds.set(name, kind)
    return kind
  }

  return {
    add: (tx, kind, task) => kindOf(kind).add(tx, task),
    finish: (tx, kind, id) => kindOf(kind).finish(tx, id),
    enqueue: async (kind, task) => kindOf(kind).enqueue(task),
    async reschedule<P>(kind: string, id: string, due: number, change?: (payload: P) => P) {
      // The payload type of a kind is the caller's, as for `run`.
      return kindOf(kind).reschedule(id, wholeMs(due), change as ((payload: unknown) => unknown) | undefined)
    },
    remove: async (kind, id) => kindOf(kind).remove(id),
    async get<P>(kind: string, id: string) {
      return (await kindOf(kind).get(id)) as QueuedTask<P> | undefined
    },
    runs: (kind) => kindOf(kind).ownsAny(),
    isOwn: (kind, id) => kindOf(kind).isOwn(id),
    run(name, handler, options) {
      const kind = kindOf(name)
      const worker = new KindWorker(kind, clock, handler, options)
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
        kind.wakeWorkers()
      }
    },
  }
}
