/** What a checker of rows works with: reads that no garbled row elsewhere can end, and words for what it finds. */
import { asBuffer, decode } from '../../../store/keys.js'
import type { WorkQueue } from '../../../queue/types.js'
import type { Store } from '../../../store/types.js'
import type { LostTask, Report } from './types.js'

/** One row of the store. */
export interface Row {
  partition: string
  /** What stands behind the kind in the partition's name: an id, an address, a hash; '' where there is one partition of a kind. */
  of: string
  key: Uint8Array
  /** Parts of the key, the family first. */
  parts: (string | bigint | Buffer)[]
  value: Uint8Array
}

export interface LookDeps {
  store: Store
  queue: Pick<WorkQueue, 'get'>
  now: number
  report: Report
}

export type Look = ReturnType<typeof createLook>

export function createLook({ store, queue, now, report }: LookDeps) {
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
    const mend = { partition, key: hex(row), value: hex(wanted) }
    report(value ? 'row-wrong' : 'row-missing', partition, what, { mend })
  }

  return {
    store,
    queue,
    now,
    report,
    get,
    /** The record under a key, undefined when there is none. @throws SyntaxError when it is garbled, which its own checker tells */
    async json<T>(partition: string, row: Uint8Array): Promise<T | undefined> {
      const bytes = await get(partition, row)
      return bytes && decode<T>(bytes)
    },
    /** A row that has to be there, whatever it says. */
    present: (partition: string, row: Uint8Array, wanted: Uint8Array, what: string): Promise<void> =>
      expect(partition, row, wanted, what, () => true),
    /** A row that has to be there and to say just this. */
    same: (partition: string, row: Uint8Array, wanted: Uint8Array, what: string): Promise<void> =>
      expect(partition, row, wanted, what, (value) => Buffer.compare(value, wanted) === 0),
    /** This row goes. */
    stray: ({ partition, key }: Row, what: string): void =>
      report('row-stray', partition, what, { mend: { partition, key: hex(key), value: null } }),
    /** A task that has to be in the queue. */
    async task(partition: string, task: LostTask, what: string): Promise<void> {
      if (!(await queue.get(task.kind, task.id))) report('task-lost', partition, what, { task })
    },
    /** Counts rows of the partition that is gone through, for `counted`. */
    count: (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1),
    /** @returns how many were counted; the number is forgotten */
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
