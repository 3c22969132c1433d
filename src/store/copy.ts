/** Copies a store into another engine: of one moment where the engine of the source has such, whatever is committed meanwhile. */
import type { Engine, Op, Reader } from './engine.js'
import { keyAfter } from './keys.js'
import { isOfLease } from './lease.js'

/** Rows read at once, and bytes committed at once. */
const PAGE = 500
const COMMIT_BYTES = 1024 * 1024
/** Past every key. */
const END = Buffer.of(0xff)

export interface Copied {
  partitions: number
  rows: number
  bytes: number
}

/** All rows but those of the lease, by partition and key. */
export async function* rowsOf(
  reader: Reader,
): AsyncGenerator<{ partition: string; key: Uint8Array; value: Uint8Array }> {
  for (let after = ''; ;) {
    const names = await reader.partitions(after, PAGE)
    for (const partition of names) {
      if (isOfLease(partition)) continue
      for (let gte: Uint8Array = Buffer.alloc(0); ;) {
        const rows = await reader.range(partition, { gte, lt: END, limit: PAGE })
        for (const [key, value] of rows) yield { partition, key, value }
        const last = rows.at(-1)
        if (!last || rows.length < PAGE) break
        gte = keyAfter(last[0])
      }
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
    for await (const { partition, key, value } of rowsOf(reader)) {
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
