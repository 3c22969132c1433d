/** Rows of the work queue. Whether what a task is for is there, and what is on its way has its task, is asked in references.ts. */
import { decodeTask } from '../../../queue/rows.js'
import type { Family, PartitionKind } from './family.js'

const task: Family = {
  value: 'json',
  is: 'truth',
  check(row, look) {
    const { due, queuedAt, attempts, failures } = decodeTask(row.value)
    if (![due, queuedAt, attempts, failures].every((number) => Number.isSafeInteger(number) && number >= 0))
      look.stray(row, `the task ${String(row.parts[1])} has no time, or no count of its attempts`)
  },
}

const queue: PartitionKind = { name: 'work queue', match: /^queue\/(.+\/\d+)$/, families: { task } }

export const workKinds: readonly PartitionKind[] = [queue]
