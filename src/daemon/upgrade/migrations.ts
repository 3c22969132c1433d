/** All migrations: each entry brings a folder to the next version (store/schema-version.ts). Entries are never removed. */
import type { Migration } from './migration.js'
import { countInPlace } from './migrate-accounts.js'
import { settleClaims } from './migrate-claims.js'
import { commonListsInOneRow } from './migrate-lists.js'
import { countOldTasks, tasksInOneRow } from './migrate-queue.js'
import { countOldReceipts, receiptsInOneRow } from './migrate-receipts.js'
import { finishHalfDone } from './migrate-reviews.js'
import { compactRows, countOldMessages } from './migrate-rows.js'

export const MIGRATIONS: readonly Migration[] = [
  {
    to: 1,
    about: 'folders of 0.1.0 had no version; their records stay as they are',
    step: async () => undefined,
  },
  {
    to: 2,
    about: 'spam leaves the inbox: version 7 sees to it, which comes before all others',
    step: async () => undefined,
  },
  {
    to: 3,
    about: 'a task of the queue is one row',
    moves: { unit: 'tasks', count: countOldTasks, perSecond: 9_000, bytesEach: 600 },
    step: tasksInOneRow,
  },
  {
    to: 4,
    about: 'interrupted reviews and cancellations are finished, and all held mail is in the review list',
    step: finishHalfDone,
  },
  {
    to: 5,
    about: 'claims, mailboxes and addresses that a crash left half-made are finished or taken back',
    step: settleClaims,
  },
  {
    to: 6,
    about: 'the counters of an account change in the commits of its mail, and are stored once',
    step: countInPlace,
  },
  {
    to: 7,
    about: 'the rows of a mailbox are compact: messages, conversations, lists, events, the index',
    isFirst: true,
    moves: { unit: 'messages', count: countOldMessages, perSecond: 1_500, bytesEach: 1_000 },
    step: compactRows,
  },
  {
    to: 8,
    about: 'a receipt is one row, and so is an entry of the audit log',
    moves: { unit: 'receipts', count: countOldReceipts, perSecond: 15_000, bytesEach: 600 },
    step: receiptsInOneRow,
  },
  {
    to: 9,
    about: 'the lists in which most messages stand share their rows',
    isFirst: true,
    step: commonListsInOneRow,
  },
  {
    to: 10,
    about:
      'sends may wait for approval and mailboxes may be paused, which programs from before neither obey nor can read events of',
    // Nothing is moved. Both can be asked for once no node is left that knows only the form before.
    isRolling: true,
    step: async () => undefined,
  },
]
