/** Rows of the work queue. Whether what a task is for is there, and what is on its way has its task, is asked in references.ts. */
import { COUNT_KEY, encodePlace, FAMILIES, placeKey, rowKey, rowOf, stateOf } from '../../queue/rows.js'
import type { Place } from '../../queue/rows.js'
import { decode, encode } from '../../store/keys.js'
import type { TaskCounts } from '../../queue/types.js'
import type { Family, PartitionKind } from '../family.js'

const task: Family = {
  value: 'json',
  is: 'truth',
  async check(row, look) {
    const { id, place } = rowOf(row.key, row.value)
    look.count(stateOf(place))
    await look.same(row.partition, placeKey(id), encodePlace(place), `${id} is not found by its id`)
  },
}

const place: Family = {
  value: 'json',
  is: 'derived',
  async check(row, look) {
    const id = String(row.parts[1])
    const stored = decode<number | Place>(row.value)
    const at: Place = typeof stored === 'number' ? { in: 'task', due: stored } : stored
    if (!(await look.get(row.partition, rowKey(id, at)))) look.stray(row, `the task ${id} is lost`)
  },
}

const work: PartitionKind = {
  name: 'work queue',
  match: /^work\/(.+\/\d+)$/,
  families: {
    ...Object.fromEntries(FAMILIES.map((family) => [family, task])),
    place,
    count: { value: 'json', is: 'derived' },
  },
  async end(partition, _of, look) {
    const is: TaskCounts = {
      waiting: look.counted('waiting'),
      ready: look.counted('ready'),
      leased: look.counted('leased'),
      held: look.counted('held'),
    }
    // A shard from before there was a count has none until it changes.
    const stored = await look.json<TaskCounts>(partition, COUNT_KEY)
    if (stored && JSON.stringify(Object.entries(stored).sort()) !== JSON.stringify(Object.entries(is).sort()))
      await look.same(partition, COUNT_KEY, encode(is), 'its tasks are counted wrongly')
  },
}

const arrivals: PartitionKind = {
  name: 'tasks that come',
  match: /^queue\/(.+\/\d+)$/,
  families: { task: { value: 'json', is: 'truth' } },
}

export const workKinds: readonly PartitionKind[] = [work, arrivals]
