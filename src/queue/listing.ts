/** Reading the work queue: how many tasks there are, the first of them, and all of them in pages. */
import { keyAfter, prefixRange } from '../store/keys.js'
import { countsOf, FAMILIES, partitionOf, queued, rowOf, SHARDS, sum } from './rows.js'
import type { QueuedTask, TaskCounts } from './types.js'
import type { Store } from '../store/types.js'

/** Where others are to have their turn between pages. */
const SMALL_PAGE = 100

const SHARD_NUMBERS = Array.from({ length: SHARDS }, (_, shard) => shard)

export function createListing(store: Store) {
  return {
    async counts(kind: string): Promise<TaskCounts> {
      const all = SHARD_NUMBERS.map((shard) => store.read(partitionOf(kind, shard), countsOf))
      return (await Promise.all(all)).reduce(sum)
    },

    /** Earliest first; of what is ready in more than one lane, the first rows only. */
    async list<P>(kind: string, limit: number, now: number): Promise<QueuedTask<P>[]> {
      const shards = SHARD_NUMBERS.map((shard) =>
        store.read(partitionOf(kind, shard), async (view) => {
          const rows: [Uint8Array, Uint8Array][] = []
          for (const family of FAMILIES) rows.push(...(await view.range({ ...prefixRange(family), limit })))
          return rows
        }),
      )
      return (await Promise.all(shards))
        .flat()
        .map((row) => queued(rowOf<P>(...row), now))
        .sort((a, b) => a.due - b.due)
        .slice(0, limit)
    },

    async *all<P>(kind: string, now: () => number): AsyncGenerator<QueuedTask<P>> {
      for (const shard of SHARD_NUMBERS) {
        for (const family of FAMILIES) {
          const { gte, lt } = prefixRange(family)
          for (let from = gte; ;) {
            const rows = await store.read(partitionOf(kind, shard), (view) =>
              view.range({ gte: from, lt, limit: SMALL_PAGE }),
            )
            for (const row of rows) yield queued(rowOf<P>(...row), now())
            const last = rows.at(-1)
            if (!last || rows.length < SMALL_PAGE) break
            from = keyAfter(last[0])
          }
        }
      }
    },
  }
}
