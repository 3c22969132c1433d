/**
 * Tasks that came, or went, in somebody else's transaction: rows in a partition `queue/<kind>/0` which is only written blindly, from where they are
 * carried over to the shards right after the commit, and at the start of a worker.
 */
import { decode, encode, key, keyParts, prefixRange } from '../store/keys.js'
import type { Store, Transaction } from '../store/types.js'
import type { Tasks } from './tasks.js'
import type { NewTask } from './types.js'

const PAGE = 100

type Arrival = NewTask<unknown> & { queuedAt: number }

export function createArrivals(store: Store, tasks: Tasks, onError: (error: unknown) => void) {
  const partitionOf = (kind: string): string => `queue/${kind}/0`
  const carrying = new Map<string, Promise<void>>()

  const carry = async (kind: string): Promise<void> => {
    const partition = partitionOf(kind)
    for (;;) {
      const rows = await store.read(partition, (view) => view.range({ ...prefixRange('task'), limit: PAGE }))
      for (const [bytes, value] of rows) {
        const [, id] = keyParts(bytes)
        const also = {
          partition,
          async apply(tx: Transaction) {
            const now = await tx.get(bytes)
            // It may have been finished meanwhile.
            if (now && Buffer.compare(now, value) === 0) tx.delete(bytes)
          },
        }
        const arrival = decode<Arrival | 'finished'>(value)
        if (arrival === 'finished') await tasks.drop(kind, String(id), also)
        else await tasks.add(kind, arrival, arrival.queuedAt, also)
      }
      if (rows.length < PAGE) return
    }
  }

  const carrySoon = (kind: string): void => {
    const before = carrying.get(kind) ?? Promise.resolve()
    carrying.set(kind, before.then(() => carry(kind)).catch(onError))
  }

  return {
    add(tx: Transaction, kind: string, task: NewTask<unknown>, now: number): void {
      tasks.check(task)
      const arrival: Arrival = { ...task, queuedAt: now }
      tx.blind(partitionOf(kind)).put(key('task', task.id), encode(arrival))
      tx.afterCommit(() => carrySoon(kind))
    },
    finish(tx: Transaction, kind: string, id: string): void {
      tx.blind(partitionOf(kind)).put(key('task', id), encode('finished'))
      tx.afterCommit(() => carrySoon(kind))
    },
    carrySoon,
    /** Ends when all that has come so far is in its shard. */
    async settled(kind: string): Promise<void> {
      await carrying.get(kind)
    },
  }
}
