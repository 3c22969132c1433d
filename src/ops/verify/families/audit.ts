/** Rows of the audit log (audit/keys.ts). */
import type { PartitionKind } from './family.js'

const entries: PartitionKind = {
  name: 'audit log of a day',
  match: /^audit\/(.+)$/,
  families: { day: { value: 'json', is: 'passing' }, entry: { value: 'json', is: 'truth' } },
}

export const auditKinds: readonly PartitionKind[] = [entries]
