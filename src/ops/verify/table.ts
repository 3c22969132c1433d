/**
 * Every family of rows of every kind of partition, with its checks. `restante verify` checks all rows by this table, and reports unknown rows; a test compares
 * it with the keys in the code, so that no family is forgotten.
 */
import { decodeTask } from '../../queue/rows.js'
import { accountKinds } from './families/accounts.js'
import { claimKinds } from './families/claims.js'
import { counterKinds } from './families/counters.js'
import { passing, truth, type PartitionKind } from './families/family.js'
import { mailboxKinds } from './families/mailboxes.js'
import { clusterKinds } from './families/cluster.js'
import { metaKinds } from './families/meta.js'
import { reportKinds } from './families/reports.js'
import { reviewKinds } from './families/review.js'

/** Audit log (audit/keys.ts). */
const audit: PartitionKind = {
  name: 'audit log of a day',
  match: /^audit\/(.+)$/,
  families: { day: passing('json'), entry: truth('json') },
}

/** Mail to the operator (jobs/operator-mail.ts). */
const operatorMail: PartitionKind = {
  name: 'operator mail',
  match: /^(operator-mail)$/,
  families: { notice: passing('json'), 'digest-state': passing('json') },
}

/** Work queue. references.ts checks that messages being sent have their tasks. */
const queue: PartitionKind = {
  name: 'work queue',
  match: /^queue\/(.+\/\d+)$/,
  families: {
    task: truth('json', (row, tools) => {
      const { due, queuedAt, attempts, failures } = decodeTask(row.value)
      if (![due, queuedAt, attempts, failures].every((number) => Number.isSafeInteger(number) && number >= 0))
        tools.stray(row, `the task ${String(row.parts[1])} has no time, or no count of its attempts`)
    }),
    // Of other nodes for the owner of the shard (queue/notes.ts).
    note: passing('json'),
  },
}

/** Rows that an upgrade could not read (store/quarantine.ts). */
const aside: PartitionKind = {
  name: 'rows that an upgrade kept aside',
  match: /^(aside)$/,
  families: {
    row: truth('octets', ({ parts }, { report }) =>
      report('row-aside', String(parts[1]), `the row ${String(parts[2])}`),
    ),
  },
}

export const PARTITIONS: readonly PartitionKind[] = [
  ...mailboxKinds,
  ...accountKinds,
  ...claimKinds,
  ...metaKinds,
  ...clusterKinds,
  audit,
  operatorMail,
  ...reportKinds,
  ...reviewKinds,
  queue,
  ...counterKinds,
  aside,
]
