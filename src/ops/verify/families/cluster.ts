/** Rows of `cluster/owner` and `cluster/beat`: the daemon that works on a shared database. */
import { passing, type PartitionKind } from './family.js'

const cluster: PartitionKind = {
  name: 'cluster',
  match: /^cluster\/(owner|beat)$/,
  families: { owner: passing('json'), beat: passing('json') },
}

export const clusterKinds: readonly PartitionKind[] = [cluster]
