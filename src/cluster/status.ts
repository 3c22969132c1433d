/** Status of the nodes, as the operator sees it. */
import { decode, keyParts } from '../store/keys.js'
import { formOf, SCHEMA_PARTITION, schemaOf, type SchemaRecord } from '../store/schema-version.js'
import type { Store } from '../store/types.js'
import { BEAT, beatOf, MEMBERS, readMembers, SHARD_RANGE, SHARDS, type Beat, type Member } from './rows.js'
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
  /** The form of the store (store/schema-version.ts). */
  form: number
  /** Undefined if no node knows a newer form. */
  upgrade: UpgradeStatus | undefined
}

export interface UpgradeStatus {
  to: number
  isBegun: boolean
  /** Nodes that do not know its form. */
  waitsFor: Member[]
}

export function readStatus(store: Pick<Store, 'read'>): Promise<ClusterStatus> {
  return store.read(MEMBERS, async (view) => {
    const members = await readMembers(view)
    const schema = await schemaOf(view.in(SCHEMA_PARTITION))
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
      form: formOf(schema),
      upgrade: upgradeOf(members, schema),
    }
  })
}

function upgradeOf(members: readonly Member[], schema: SchemaRecord | undefined): UpgradeStatus | undefined {
  const isBegun = schema?.from !== undefined
  const to = isBegun ? schema.version : Math.max(...members.map(({ knows }) => knows))
  if (!schema || to <= formOf(schema)) return undefined
  return { to, isBegun, waitsFor: members.filter(({ knows }) => knows < to) }
}
