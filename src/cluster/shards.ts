/** The shards that this node owns, stored as rows of `cluster/shards`. Before it gives one away, its work on that shard ends. */
import type { Store } from '../store/types.js'
import { planFor } from './plan.js'
import { SHARD_COUNT } from './shard-of.js'
import { encodeRow, nameOfShard, ownersIn, shardKey, SHARD_RANGE, SHARDS, type Member } from './rows.js'
import { DUTIES, type Duty, type Follower, type Shards } from './types.js'

export function createShards(store: Store, me: string, onError: (error: unknown) => void) {
  const owned = new Set<string>()
  /** Shards being given away. */
  const giving = new Map<string, Promise<void>>()
  const followers: Record<Duty, Set<Follower>> = { relay: new Set(), jobs: new Set() }

  const shards: Shards = {
    count: SHARD_COUNT,
    owns: (duty, shard) => owned.has(nameOfShard(duty, shard)),
    follow(duty, follower) {
      followers[duty].add(follower)
      for (let shard = 0; shard < SHARD_COUNT; shard++) if (shards.owns(duty, shard)) follower.gain(shard)
      return () => void followers[duty].delete(follower)
    },
  }

  async function give(duty: Duty, shard: number): Promise<void> {
    await Promise.all([...followers[duty]].map((follower) => follower.lose(shard)))
    await store.write(SHARDS, (tx) => tx.delete(shardKey(duty, shard)))
  }

  /** Takes and gives away the shards that `planFor` says. @param members all nodes @returns names of the shards that no node may own */
  async function settle(members: readonly Member[]): Promise<string[]> {
    const { taken, given, free } = await store.write(SHARDS, async (tx) => {
      const owners = ownersIn(await tx.range({ ...SHARD_RANGE }))
      const taken: [Duty, number][] = []
      const given: [Duty, number][] = []
      const free: string[] = []
      for (const duty of DUTIES) {
        const nodes = members.filter(({ roles }) => roles.includes(duty)).map(({ id }) => id)
        const each = Array.from({ length: SHARD_COUNT }, (_, shard) => owners.get(nameOfShard(duty, shard)))
        const plan = planFor(me, nodes, each)
        for (const shard of plan.take) {
          tx.put(shardKey(duty, shard), encodeRow(me))
          taken.push([duty, shard])
        }
        for (const shard of plan.give) given.push([duty, shard])
        if (nodes.length === 0) free.push(...each.map((_, shard) => nameOfShard(duty, shard)))
      }
      return { taken, given, free }
    })
    for (const [duty, shard] of taken) {
      owned.add(nameOfShard(duty, shard))
      for (const follower of followers[duty]) follower.gain(shard)
    }
    for (const [duty, shard] of given) {
      const name = nameOfShard(duty, shard)
      if (giving.has(name)) continue
      owned.delete(name)
      // After an error the next look tries again.
      const work = give(duty, shard)
        .catch(onError)
        .finally(() => giving.delete(name))
      giving.set(name, work)
    }
    return free
  }

  return {
    shards,
    settle,
    /** Resolves when nothing is being given away. */
    async settled(): Promise<void> {
      await Promise.all(giving.values())
    },
  }
}
