/** Rows of what the operator is written to of (jobs/operator-mail.ts). */
import type { PartitionKind } from './family.js'

const operatorMail: PartitionKind = {
  name: 'operator mail',
  match: /^(operator-mail)$/,
  families: { notice: { value: 'json', is: 'passing' }, 'digest-state': { value: 'json', is: 'passing' } },
}

export const operatorMailKinds: readonly PartitionKind[] = [operatorMail]
