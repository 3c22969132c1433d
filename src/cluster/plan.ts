/** Which shards a node takes and gives away, so that all nodes with the role have about the same number. */

export interface Plan {
  take: number[]
  give: number[]
}

/**
 * @param owners of the shards, by number; undefined for a free one
 * @param nodes those that may own shards
 */
export function planFor(me: string, nodes: readonly string[], owners: readonly (string | undefined)[]): Plan {
  const own = owners.flatMap((owner, shard) => (owner === me ? [shard] : []))
  if (!nodes.includes(me)) return { take: [], give: own }
  const most = Math.ceil(owners.length / nodes.length)
  const free = owners.flatMap((owner, shard) => (owner === undefined ? [shard] : []))
  // Shard 0 has the jobs that can't be divided: it moves as rarely as possible.
  return { take: free.slice(0, Math.max(0, most - own.length)), give: own.slice(most) }
}
