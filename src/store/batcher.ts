/**
 * Group commit for one busy partition: changes that arrive while a commit is on its way to the disk go into the next one together,
 * so that ten waiting changes cost one sync and not ten.
 */
import type { Store, Transaction } from './types.js'

/** Changes a commit takes at most; keeps the turn in which it is applied short. */
const MAX_CHANGES = 200

interface Change {
  run(tx: Transaction): Promise<void>
  committed(): void
  failed(error: unknown): void
}

export interface Batcher {
  /**
   * Runs `change` in the partition's next commit. It may be run again on a conflict, and must not throw: that would fail the
   * changes it shares the commit with.
   *
   * @returns what `change` returned, after it is durable
   */
  submit<T>(partition: string, change: (tx: Transaction) => Promise<T>): Promise<T>
}

export function createBatcher(store: Store): Batcher {
  /** The batch of each partition that still takes changes in. */
  const open = new Map<string, Change[]>()

  const commit = async (partition: string, batch: Change[]): Promise<void> => {
    const shut = (): void => {
      if (open.get(partition) === batch) open.delete(partition)
    }
    try {
      // The store runs this when the commit before it is durable: until then the batch grows.
      await store.write(partition, async (tx) => {
        shut()
        for (const change of batch) await change.run(tx)
      })
      for (const change of batch) change.committed()
    } catch (error) {
      shut()
      for (const change of batch) change.failed(error)
    }
  }

  return {
    submit(partition, change) {
      return new Promise((resolve, reject) => {
        let settle = (): void => undefined
        const entry: Change = {
          async run(tx) {
            const result = await change(tx)
            settle = () => resolve(result)
          },
          committed: () => settle(),
          failed: reject,
        }
        const batch = open.get(partition)
        if (batch && batch.length < MAX_CHANGES) {
          batch.push(entry)
        } else {
          const fresh = [entry]
          open.set(partition, fresh)
          void commit(partition, fresh)
        }
      })
    },
  }
}
