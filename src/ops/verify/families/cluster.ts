/** Rows of the daemons that work on a shared database (cluster/rows.ts), and of what they share. */
import { SEAL_BYTES } from '../../../lib/sealing.js'
import { key } from '../../../store/keys.js'
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

function sealed(value: Uint8Array): void {
  if (value.length < SEAL_BYTES) throw new SyntaxError('too short for a sealed value')
}

/** Whether they can be opened only the daemon knows, which has the key. */
const vault: PartitionKind = {
  name: 'sealed secrets',
  match: /^cluster\/(vault)$/,
  families: {
    seal: truth(sealed),
    secret: truth(sealed, async ({ partition, parts }, tools) => {
      if (!(await tools.get(partition, key('seal'))))
        tools.report('record-missing', partition, `the seal of the secret ${String(parts[1])} is missing`)
    }),
    imported: passing('json'),
  },
}

/** What the daemon that started last had (ops/database/agreed-settings.ts). */
const settings: PartitionKind = {
  name: 'settings of daemons',
  match: /^cluster\/(settings)$/,
  families: { settings: passing('json') },
}

/** What daemons tell each other (store/nodes/shared-counts.ts). */
const rates: PartitionKind = {
  name: 'counts that daemons share',
  match: /^cluster\/rates\/(.+)$/,
  families: { counts: passing('json') },
}

export const clusterKinds: readonly PartitionKind[] = [nodes, node, blobs, vault, settings, rates]
