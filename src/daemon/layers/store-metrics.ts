/** Counts commits, rows and reads of an engine: the cost of an operation, independent of the machine. */
import type { Metrics } from '../../observe/metrics.js'
import type { Engine, Reader } from '../../store/engine.js'

export function metered<E extends Engine>(engine: E, metrics: Pick<Metrics, 'counter'>): E {
  const commits = metrics.counter('store_commits_total', 'Commits of the store.')
  const rows = metrics.counter('store_rows_written_total', 'Rows that commits put or deleted.')
  const bytes = metrics.counter('store_written_bytes_total', 'Bytes of the keys and values in them.')
  const looks = metrics.counter('store_reads_total', 'Reads of the store, by what they look for.', ['kind'])
  const gets = looks.labels('get')
  const ranges = looks.labels('range')
  const counted = (reader: Reader): Reader => ({
    ...reader,
    getMany(partition, keys) {
      gets.inc(keys.length)
      return reader.getMany(partition, keys)
    },
    range(partition, range) {
      ranges.inc()
      return reader.range(partition, range)
    },
  })
  const { attempt } = engine
  return {
    ...engine,
    read: (fn) => engine.read((reader) => fn(counted(reader))),
    ...(attempt && { attempt: (fn) => attempt((reader) => fn(counted(reader))) }),
    async commit(checks, ops, mark) {
      const moved = await engine.commit(checks, ops, mark)
      if (moved !== 'conflict' && ops.length > 0) {
        commits.inc()
        rows.inc(ops.length)
        bytes.inc(ops.reduce((sum, { key, value }) => sum + key.length + (value?.length ?? 0), 0))
      }
      return moved
    },
  }
}
