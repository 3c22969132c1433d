/** An engine over which a cache is tested: it counts, and answers when the test wants it to. */
import type { CommitListener } from '../../../src/store/commit-listeners.js'
import type { Engine, Op, Reader } from '../../../src/store/engine.js'
import { key } from '../../../src/store/keys.js'
import { memoryEngine } from './memory-engine.js'

export const put = (name: string, value: string | Buffer, partition = 'p'): Op => ({
  partition,
  key: key(name),
  value: Buffer.from(value),
})

/** An engine that counts what it is asked for, keeps answers back, and tells what the test says that others committed. */
export function observed({ wholeStore = true } = {}) {
  const engine = memoryEngine({ conflicts: 0, lateness: 0, wholeStore })
  const listeners: CommitListener[] = []
  const counts = { trips: 0, keys: 0, ranges: 0, bytes: 0 }
  let hold: Promise<void> | undefined
  let release: () => void = () => undefined
  const counting = (reader: Reader): Reader => ({
    ...reader,
    async getMany(partition, keys) {
      const values = await reader.getMany(partition, keys)
      counts.keys += keys.length
      for (const value of values) counts.bytes += value?.length ?? 0
      return values
    },
    async range(partition, asked) {
      const rows = await reader.range(partition, asked)
      counts.ranges++
      for (const [, value] of rows) counts.bytes += value.length
      return rows
    },
  })
  const seen: Engine = {
    ...engine,
    async read(fn) {
      counts.trips++
      const waiting = hold
      const answer = await engine.read((reader) => fn(counting(reader)))
      await waiting
      return answer
    },
    versions: (names) => (counts.trips++, engine.versions(names)),
    commit: (...args) => (counts.trips++, engine.commit(...args)),
    onCommit(fn) {
      listeners.push(fn)
      return engine.onCommit(fn)
    },
  }
  return {
    seen,
    other: (...ops: Op[]) => engine.commit([], ops, `other ${Math.random()}`),
    hear: (partition: string, version: bigint) => listeners.forEach((tell) => tell(partition, version, true)),
    keepBack() {
      hold = new Promise((resolve) => (release = resolve))
    },
    letGo() {
      hold = undefined
      release()
    },
    goOn() {
      hold = undefined
    },
    async countsOf(work: () => Promise<unknown>): Promise<typeof counts> {
      const before = { ...counts }
      await work()
      return {
        trips: counts.trips - before.trips,
        keys: counts.keys - before.keys,
        ranges: counts.ranges - before.ranges,
        bytes: counts.bytes - before.bytes,
      }
    },
  }
}
