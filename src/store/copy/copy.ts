/** Copies a store into an empty engine: of one moment where the engine of the source has such, whatever is committed meanwhile. */
import { randomUUID } from 'node:crypto'
import type { Engine, Op, Reader } from '../engine.js'
import { prefixRange } from '../keys.js'
import { viewOf } from '../overlay.js'
import { rowsOf } from '../pages.js'
import type { Store } from '../types.js'

const PAGE = 500
const COMMIT_BYTES = 1024 * 1024
/** What belongs to the daemons at work (cluster/), and to no copy. */
const OF_NODES = /^cluster\/(?:members$|shards$|fence\/|beat\/|rates\/)/

/** True for a partition of the daemons at work. */
export function isOfNodes(partition: string): boolean {
  return OF_NODES.test(partition)
}

/** All rows of a partition, in pages of the reader's snapshot. */
export function rowsAt(reader: Reader, name: string): AsyncGenerator<[Uint8Array, Uint8Array]> {
  const snapshot: Pick<Store, 'read'> = { read: async (partition, fn) => fn(viewOf(reader, partition)) }
  return rowsOf(snapshot, name, prefixRange())
}

/** All rows but those of the daemons at work, by partition and key. */
async function* allRows(reader: Reader): AsyncGenerator<Op & { value: Uint8Array }> {
  for (let after = ''; ;) {
    const names = await reader.partitions(after, PAGE)
    for (const partition of names) {
      if (isOfNodes(partition)) continue
      for await (const [key, value] of rowsAt(reader, partition)) yield { partition, key, value }
    }
    const last = names.at(-1)
    if (last === undefined || names.length < PAGE) return
    after = last
  }
}

/**
 * For a backup. Every partition gets a new version.
 *
 * @param to an empty engine
 * @throws Error if the connection to the source is lost: what was copied is then of no one moment
 */
export async function copyStore(from: Pick<Engine, 'read'>, to: Pick<Engine, 'commit'>): Promise<void> {
  let ops: Op[] = []
  let size = 0
  let isBegun = false

  async function flush(): Promise<void> {
    if (ops.length === 0) return
    if ((await to.commit([], ops, randomUUID())) === 'conflict')
      throw new Error('Another process writes to the database that is copied to')
    ops = []
    size = 0
  }

  await from.read(async (reader) => {
    // An engine repeats a read whose connection was lost.
    if (isBegun) throw new Error('The connection to the database was lost while it was copied')
    isBegun = true
    for await (const op of allRows(reader)) {
      ops.push(op)
      size += op.key.length + op.value.length
      if (size >= COMMIT_BYTES) await flush()
    }
    await flush()
  })
}
