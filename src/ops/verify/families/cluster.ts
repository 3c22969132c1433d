/** Rows of `cluster/owner` and `cluster/beat`: the daemon that works on a shared database. And what daemons tell each other (store/shared-counts.ts). */
import { passing, type PartitionKind } from './family.js'

const cluster: PartitionKind = {
  name: 'cluster',
  match: /^cluster\/(owner|beat)$/,
  families: { owner: passing('json'), beat: passing('json') },
}

const rates: PartitionKind = {
  name: 'counts that daemons share',
  match: /^cluster\/rates\/(.+)$/,
  families: { counts: passing('json') },
}

export const clusterKinds: readonly PartitionKind[] = [cluster, rates]
