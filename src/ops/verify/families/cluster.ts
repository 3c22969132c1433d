/** Rows of the daemons that work on a shared database (cluster/rows.ts), and of what they share. */
import { passing, truth, type PartitionKind } from './family.js'

const nodes: PartitionKind = {
  name: 'nodes',
  match: /^cluster\/(members|shards)$/,
  families: { member: passing('json'), shard: passing('json') },
}

const node: PartitionKind = {
  name: 'node',
  match: /^cluster\/(?:fence|beat)\/(.+)$/,
  families: { fence: passing('json'), beat: passing('json') },
}

/** The mark of the bucket (ops/blobs/shared-mark.ts). */
const blobs: PartitionKind = { name: 'blobs', match: /^(blobs)$/, families: { mark: truth('json') } }

export const clusterKinds: readonly PartitionKind[] = [nodes, node, blobs]
