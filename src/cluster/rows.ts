/**
 * Rows of the nodes: who takes part (`cluster/members`), who owns which shard (`cluster/shards`), and for each node the row that its commits check
 * (`cluster/fence/<id>`) and its heartbeat (`cluster/beat/<id>`).
 */
import { decode, encode, key, keyParts, prefixRange } from '../store/keys.js'
import type { View } from '../store/types.js'
import type { Duty, Role } from './types.js'

export interface Member {
  /** Id of the data folder. */
  id: string
  /** Id of the process; new at each start. */
  instance: string
  /** `server.node`. */
  name: string
  host: string
  pid: number
  version: string
  /** Newest form of the store (store/schema-version.ts) that it knows. */
  knows: number
  roles: readonly Role[]
  /** Its `blobs.url`; '' if it stores large messages as files. */
  blobs: string
  /** When it joined, in milliseconds since the epoch. */
  since: number
}

export interface Beat {
  count: number
  /** The version of the members that this node has seen, in decimal. */
  seen: string
  /** By its own clock, in milliseconds since the epoch. */
  at: number
}

export const MEMBERS = 'cluster/members'
export const SHARDS = 'cluster/shards'
export const MEMBER_RANGE = prefixRange('member')
export const SHARD_RANGE = prefixRange('shard')
export const FENCE = key('fence')
export const BEAT = key('beat')

export const fenceOf = (id: string): string => `cluster/fence/${id}`
export const beatOf = (id: string): string => `cluster/beat/${id}`
export const memberKey = (id: string): Uint8Array => key('member', id)
export const shardKey = (duty: Duty, shard: number): Uint8Array => key('shard', duty, shard)

/** @param view of `MEMBERS` */
export async function readMembers(view: View): Promise<Member[]> {
  return (await view.range({ ...MEMBER_RANGE })).map(([, value]) => decode<Member>(value))
}

/** Owners by name of the shard. */
export function ownersIn(rows: readonly [Uint8Array, Uint8Array][]): Map<string, string> {
  return new Map(
    rows.map(([row, value]) => {
      const [, duty, shard] = keyParts(row)
      return [nameOfShard(String(duty), Number(shard)), decode<string>(value)]
    }),
  )
}

/** Such as `relay/3`. */
export const nameOfShard = (duty: string, shard: number): string => `${duty}/${shard}`

export const encodeRow = (value: Member | Beat | string): Uint8Array => encode(value)
