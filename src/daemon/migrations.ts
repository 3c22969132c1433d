/** How stored records got their form: each entry brings a folder to the next version of it (store/schema-version.ts). None is ever taken away. */
import type { Store } from '../store/types.js'
import { countInPlace } from './migrate-accounts.js'
import { settleClaims } from './migrate-claims.js'
import { tasksInOneRow } from './migrate-queue.js'
import { receiptsInOneRow } from './migrate-receipts.js'
import { finishHalfDone } from './migrate-reviews.js'
import { spamOutOfInbox } from './migrate-spam.js'

export interface Migration {
  /** The version that a folder has after it. */
  to: number
  /** For the log. */
  about: string
  /**
   * One step of bounded work. A crash may have it done again, so it has to come to the same then.
   *
   * @param cursor '' at the beginning, then what the last step returned
   * @returns where the next step goes on; undefined when there is none
   */
  step(store: Store, cursor: string): Promise<string | undefined>
}

export const MIGRATIONS: readonly Migration[] = [
  {
    to: 1,
    about: 'folders of 0.1.0 had no version; their records stay as they are',
    step: async () => undefined,
  },
  {
    to: 2,
    about: 'spam leaves the inbox: its label, and what its conversation counts and shows',
    step: spamOutOfInbox,
  },
  {
    to: 3,
    about: 'a task of the queue is one row',
    step: tasksInOneRow,
  },
  {
    to: 4,
    about:
      'reviews and cancellings that were cut off come to their end, and all that is held is in the list for review',
    step: finishHalfDone,
  },
  {
    to: 5,
    about: 'claims, mailboxes and addresses that a crash left half-made are finished or taken back',
    step: settleClaims,
  },
  {
    to: 6,
    about: 'what an account counts of its mail is counted with that mail, and stored once',
    step: countInPlace,
  },
  {
    to: 8,
    about: 'a receipt is one row, and so is an entry of the audit log',
    step: receiptsInOneRow,
  },
]
