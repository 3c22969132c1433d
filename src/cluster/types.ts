/** Roles of nodes, and the shards that a node owns. */

/** Values of `server.roles`. */
export const ROLES = ['mx', 'api', 'relay', 'jobs'] as const
export type Role = (typeof ROLES)[number]

/** Work that is done in one place at a time: mail that leaves, and everything else in the background. */
export const DUTIES = ['relay', 'jobs'] as const satisfies readonly Role[]
export type Duty = (typeof DUTIES)[number]

export interface Follower {
  /** Called for a shard that this node owns from now on. */
  gain(shard: number): void
  /** Ends all work of a shard. Another node gets it when this has resolved. */
  lose(shard: number): Promise<void>
}

/** The shards of each duty, from 0 to `count - 1`. A shard has one owner at a time; jobs that can't be divided belong to shard 0. */
export interface Shards {
  readonly count: number
  owns(duty: Duty, shard: number): boolean
  /** Calls `gain` for the shards that are owned, now and later. Returns a function that removes the follower. */
  follow(duty: Duty, follower: Follower): () => void
}
