/** Copies a store into another engine: of one moment where the engine of the source has such, whatever is committed meanwhile. */
import type { Engine, Op, Reader } from './engine.js'
import { prefixRange } from './keys.js'
import { viewOf } from './overlay.js'
import { rowsOf } from './pages.js'

const PAGE = 500
const COMMIT_BYTES = 1024 * 1024
/** What belongs to the daemons at work, and to no copy. */
const OF_NODES = /^cluster\/(?:members$|shards$|fence\/|beat\/|rates\/)/

export interface Copied {
  partitions: number
  rows: number
  bytes: number
}

/** All rows but those of the daemons at work (cluster/), by partition and key. */
export async function* allRows(reader: Reader): AsyncGenerator<Op & { value: Uint8Array }> {
  // Each page is of the reader's snapshot.
  const snapshot: Parameters<typeof rowsOf>[0] = { read: async (partition, fn) => fn(viewOf(reader, partition)) }
  for (let after = ''; ;) {
    const names = await reader.partitions(after, PAGE)
    for (const partition of names) {
      if (OF_NODES.test(partition)) continue
      for await (const [key, value] of rowsOf(snapshot, partition, prefixRange())) yield { partition, key, value }
    }
    const last = names.at(-1)
    if (last === undefined || names.length < PAGE) return
    after = last
  }
}

/**
 * Every partition gets a new version.
 *
 * @param to an empty engine
 * @param onProgress called for each commit, with what is copied so far; an error that it throws ends the copy
 */
export async function copyStore(
  from: Pick<Engine, 'read'>,
  to: Pick<Engine, 'commit'>,
  onProgress: (copied: Copied) => void = () => undefined,
): Promise<Copied> {
  const copied: Copied = { partitions: 0, rows: 0, bytes: 0 }
  let ops: Op[] = []
  let size = 0
  let current: string | undefined

  async function flush(): Promise<void> {
    if (ops.length === 0) return
    if ((await to.commit([], ops, `copy ${copied.rows}`)) === 'conflict')
      throw new Error('Another process writes to the database that is copied to')
    ops = []
    size = 0
    onProgress(copied)
  }

  await from.read(async (reader) => {
    for await (const { partition, key, value } of allRows(reader)) {
      if (partition !== current) copied.partitions++
      current = partition
      ops.push({ partition, key, value })
      size += key.length + value.length
      copied.rows++
      copied.bytes += key.length + value.length
      if (size >= COMMIT_BYTES) await flush()
    }
    await flush()
  })
  return copied
}
