/** Tools of row checks: reads that tolerate garbled rows elsewhere, and reports of findings. */
import { asBuffer, decode } from '../../../store/keys.js'
import type { WorkQueue } from '../../../queue/types.js'
import type { Store } from '../../../store/types.js'
import type { LostTask, Report } from './types.js'

export interface Row {
  partition: string
  /** Part of the partition's name after the kind: an id, an address, a hash; '' for the only partition of a kind. */
  of: string
  key: Uint8Array
  /** Parts of the key, the family first. */
  parts: (string | bigint | Buffer)[]
  value: Uint8Array
}

export interface RowToolsDeps {
  store: Store
  queue: Pick<WorkQueue, 'get'>
  now: number
  report: Report
}

export type RowTools = ReturnType<typeof createRowTools>

export function createRowTools({ store, queue, now, report }: RowToolsDeps) {
  const counts = new Map<string, number>()
  const get = (partition: string, row: Uint8Array): Promise<Uint8Array | undefined> =>
    store.read(partition, (view) => view.get(row))

  const expect = async (
    partition: string,
    row: Uint8Array,
    wanted: Uint8Array,
    what: string,
    isRight: (value: Uint8Array) => boolean,
  ): Promise<void> => {
    const value = await get(partition, row)
    if (value && isRight(value)) return
    const rowRepair = { partition, key: hex(row), value: hex(wanted) }
    report(value ? 'row-wrong' : 'row-missing', partition, what, { rowRepair })
  }

  return {
    store,
    queue,
    now,
    report,
    get,
    /** The record under a key; undefined if missing. @throws SyntaxError if garbled, which its own check reports */
    async json<T>(partition: string, row: Uint8Array): Promise<T | undefined> {
      const bytes = await get(partition, row)
      return bytes && decode<T>(bytes)
    },
    /** Requires a row, with any value. */
    present: (partition: string, row: Uint8Array, wanted: Uint8Array, what: string): Promise<void> =>
      expect(partition, row, wanted, what, () => true),
    /** Requires a row with exactly this value. */
    same: (partition: string, row: Uint8Array, wanted: Uint8Array, what: string): Promise<void> =>
      expect(partition, row, wanted, what, (value) => Buffer.compare(value, wanted) === 0),
    stray: ({ partition, key }: Row, what: string): void =>
      report('row-stray', partition, what, { rowRepair: { partition, key: hex(key), value: null } }),
    /** Requires a task in the queue. */
    async task(partition: string, task: LostTask, what: string): Promise<void> {
      if (!(await queue.get(task.kind, task.id))) report('task-lost', partition, what, { task })
    },
    /** Counts rows of the current partition, for `counted`. */
    count: (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1),
    /** @returns the count, and resets it */
    counted(name: string): number {
      const n = counts.get(name) ?? 0
      counts.delete(name)
      return n
    },
    names: (): string[] => [...counts.keys()],
  }
}

export function hex(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('hex')
}
