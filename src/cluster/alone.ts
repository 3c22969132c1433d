/** The shards of a daemon that has its store for itself. */
import type { Shards } from './types.js'

/** @param count of shards for each duty */
export function ownAll(count = 1): Shards {
  return {
    count,
    owns: () => true,
    follow(_duty, { gain }) {
      for (let shard = 0; shard < count; shard++) gain(shard)
      return () => undefined
    },
  }
}
