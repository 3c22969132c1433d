/**
 * Every family of rows of every kind of partition, with its checks. `restante verify` checks all rows by this table, and reports unknown rows; a test compares
 * it with the keys in the code, so that no family is forgotten.
 */
import { asideKinds } from './families/quarantine.js'
import { auditKinds } from './families/audit.js'
import { accountKinds } from './families/accounts.js'
import { claimKinds } from './families/claims.js'
import { counterKinds } from './families/counters.js'
import { mailboxKinds } from './families/mailboxes.js'
import { metaKinds } from './families/meta.js'
import { operatorMailKinds } from './families/operator-mail.js'
import { reportKinds } from './families/reports.js'
import { reviewKinds } from './families/review.js'
import { workKinds } from './families/work.js'
import type { PartitionKind } from './families/family.js'

export const PARTITIONS: readonly PartitionKind[] = [
  ...mailboxKinds,
  ...accountKinds,
  ...claimKinds,
  ...metaKinds,
  ...auditKinds,
  ...operatorMailKinds,
  ...reportKinds,
  ...reviewKinds,
  ...workKinds,
  ...counterKinds,
  ...asideKinds,
]
