/** The rows of the tasks of one kind, in all its shards. */
import { shardOf } from '../cluster/shard-of.js'
import { keyAfter } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { EMPTY_NOTE } from './notes.js'
import { decodeTask, idOf, noteKey, partitionOf, shardIn, taskKey, taskRange, type TaskRecord } from './rows.js'

const NAMES_AT_ONCE = 100

export class StoredTasks {
  constructor(
    private readonly store: Store,
    private readonly kind: string,
  ) {}

  /** Numbers of the shards with rows, also of those that there were when there were more shards. */
  async shards(): Promise<number[]> {
    const shards: number[] = []
    for (let after = partitionOf(this.kind, 0).slice(0, -1); ;) {
      const names = await this.store.partitions(after, NAMES_AT_ONCE)
      for (const name of names) {
        const shard = shardIn(name, this.kind)
        if (shard === undefined) return shards
        shards.push(shard)
        after = name
      }
      if (names.length < NAMES_AT_ONCE) return shards
    }
  }

  /** The rows of a shard by id, in pages of at most `limit`. */
  async *pages(shard: number, limit: number): AsyncGenerator<[id: string, row: Uint8Array][]> {
    const { gte, lt } = taskRange
    for (let from = gte; ;) {
      const rows = await this.store.read(partitionOf(this.kind, shard), (view) => view.range({ gte: from, lt, limit }))
      yield rows.map(([bytes, value]) => [idOf(bytes), value])
      const last = rows.at(-1)
      if (!last || rows.length < limit) return
      from = keyAfter(last[0])
    }
  }

  /** Records of tasks, in their order; undefined for missing ones. */
  async read(which: readonly { id: string; shard: number }[]): Promise<(TaskRecord | undefined)[]> {
    return this.store.read(partitionOf(this.kind, 0), async (view) => {
      const found = new Map<string, Uint8Array | undefined>()
      for (const shard of new Set(which.map((one) => one.shard))) {
        const ids = which.filter((one) => one.shard === shard).map(({ id }) => id)
        const values = await view.in(partitionOf(this.kind, shard)).getMany(ids.map(taskKey))
        ids.forEach((id, i) => found.set(id, values[i]))
      }
      return which.map(({ id }) => {
        const value = found.get(id)
        return value && decodeTask(value)
      })
    })
  }

  /** Looks in all shards: before it is loaded, a task may be where it belonged when there were more or fewer of them. */
  async find(id: string): Promise<TaskRecord | undefined> {
    const partitions = (await this.shards()).map((shard) => partitionOf(this.kind, shard))
    return this.store.read(partitionOf(this.kind, 0), async (view) => {
      const rows = await Promise.all(partitions.map((partition) => view.in(partition).get(taskKey(id))))
      const row = rows.find((each) => each !== undefined)
      return row && decodeTask(row)
    })
  }

  /**
   * Moves tasks of a shard into those where they are looked for, with a note for their owners.
   *
   * @param count of all shards
   * @returns the shards that got some
   */
  async move(from: number, ids: readonly string[], count: number): Promise<Set<number>> {
    const places = new Map(ids.map((id) => [id, shardOf(id, count)]))
    const partitions = [from, ...places.values()].map((shard) => partitionOf(this.kind, shard))
    const moved = await this.store.write(partitions, async (tx) => {
      const rows = await tx.getMany(ids.map(taskKey))
      return ids.flatMap((id, i) => {
        const row = rows[i]
        const to = places.get(id)
        if (!row || to === undefined) return []
        tx.delete(taskKey(id))
        tx.in(partitionOf(this.kind, to)).put(taskKey(id), row)
        tx.in(partitionOf(this.kind, to)).put(noteKey(id), EMPTY_NOTE)
        return [to]
      })
    })
    return new Set(moved)
  }
}
