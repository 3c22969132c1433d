/** Status of the nodes, as the operator sees it. */
import { decode, keyParts } from '../store/keys.js'
import type { Store } from '../store/types.js'
import { readMembers } from './members.js'
import { BEAT, beatOf, MEMBERS, SHARD_RANGE, SHARDS, type Beat, type Member } from './rows.js'
import { SHARD_COUNT } from './shard-of.js'
import { DUTIES, ROLES, type Duty, type Role } from './types.js'

export interface NodeStatus extends Member {
  /** Its last heartbeat by its own clock, in milliseconds since the epoch; undefined if it has none. */
  beatAt: number | undefined
  /** Numbers of the shards that it owns. */
  shards: Record<Duty, number[]>
}

export interface ClusterStatus {
  nodes: NodeStatus[]
  /** Numbers of the shards that nobody owns. */
  free: Record<Duty, number[]>
  /** Roles that no node has. */
  missing: Role[]
}

export function readStatus(store: Pick<Store, 'read'>): Promise<ClusterStatus> {
  return store.read(MEMBERS, async (view) => {
    const members = await readMembers(view)
    const owned = await view.in(SHARDS).range({ ...SHARD_RANGE })
    const owners = owned.map(([row, value]) => {
      const [, duty, shard] = keyParts(row)
      return { duty: String(duty), shard: Number(shard), id: decode<string>(value) }
    })
    const shardsOf = (duty: Duty, id: string): number[] =>
      owners.flatMap((owner) => (owner.duty === duty && owner.id === id ? [owner.shard] : []))
    const nodes = await Promise.all(
      members.map(async (member) => {
        const beat = await view.in(beatOf(member.id)).get(BEAT)
        const shards = { relay: shardsOf('relay', member.id), jobs: shardsOf('jobs', member.id) }
        return { ...member, beatAt: beat && decode<Beat>(beat).at, shards }
      }),
    )
    const taken = new Set(owners.map(({ duty, shard }) => `${duty} ${shard}`))
    const all = Array.from({ length: SHARD_COUNT }, (_, shard) => shard)
    const [relay, jobs] = DUTIES.map((duty) => all.filter((shard) => !taken.has(`${duty} ${shard}`)))
    return {
      nodes: nodes.sort((a, b) => a.name.localeCompare(b.name)),
      free: { relay: relay ?? [], jobs: jobs ?? [] },
      missing: ROLES.filter((role) => !members.some(({ roles }) => roles.includes(role))),
    }
  })
}
