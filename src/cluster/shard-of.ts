import { createHash } from 'node:crypto'

/** Number of shards of each duty, and so the max number of nodes that can share a duty. Stored tasks are placed by it, so it never changes. */
export const SHARD_COUNT = 16

/** The shard of a task or a mailbox, by its id. */
export function shardOf(id: string, count: number): number {
  return count === 1 ? 0 : createHash('sha256').update(id).digest().readUInt16BE() % count
}
