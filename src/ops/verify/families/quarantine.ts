/** Rows that an upgrade could not read (store/quarantine.ts). */
import type { PartitionKind } from './family.js'

const aside: PartitionKind = {
  name: 'rows that an upgrade kept aside',
  match: /^(aside)$/,
  families: {
    row: {
      value: 'octets',
      is: 'truth',
      check: ({ parts }, { report }) => report('row-aside', String(parts[1]), `the row ${String(parts[2])}`),
    },
  },
}

export const asideKinds: readonly PartitionKind[] = [aside]
