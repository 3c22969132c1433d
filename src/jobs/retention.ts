/** What is kept for a time only, in one table: what goes, when somebody looks, and how. */
import { setImmediate as tick } from 'node:timers/promises'
import { sweepChallenges } from '../claims/challenge.js'
import type { Clock } from '../lib/clock.js'
import { mailboxIds } from '../mailbox/list.js'
import { isRawReferenced } from '../mailbox/raw.js'
import { sweepMailbox, type MailboxRetention } from '../mailbox/sweep.js'
import type { Receipts } from '../receipts/types.js'
import type { Blobs, Store } from '../store/types.js'

export interface RetentionDeps {
  store: Store
  blobs: Blobs
  clock: Clock
  receipts: Pick<Receipts, 'sweep'>
  retention: MailboxRetention
}

export interface Sweep {
  name: string
  /** Minute, hour, day, month, weekday; in UTC. */
  schedule: string
  /** Idempotent, and cut off at any step: the next run goes on. Returns what it did, for the log. */
  run(signal: AbortSignal): Promise<Record<string, number>>
}

export function sweepsOf({ store, blobs, clock, receipts, retention }: RetentionDeps): Sweep[] {
  return [
    {
      // Events after `retention.events_days`, answers for retries and ids of local deliveries when their own time has come.
      name: 'mailboxes',
      schedule: '7 * * * *',
      async run(signal) {
        let removed = 0
        for await (const id of mailboxIds(store, signal)) {
          removed += await sweepMailbox(store, id, clock.now(), retention)
        }
        return { removed }
      },
    },
    {
      // Challenges that were spent, once they would have expired (10 minutes). Each that is spent clears some too.
      name: 'challenges',
      schedule: '47 * * * *',
      async run(signal) {
        let steps = 0
        while (!signal.aborted) {
          steps++
          if (!(await sweepChallenges(store, clock.now()))) break
          await tick()
        }
        return { steps }
      },
    },
    {
      // Receipts of days that ended `retention.receipts_days` ago.
      name: 'receipts',
      schedule: '53 2 * * *',
      run: async (signal) => ({ removed: await receipts.sweep(signal) }),
    },
    {
      // Raw messages that no message names, and what was deleted 7 days ago.
      name: 'blobs',
      schedule: '23 3 * * *',
      run: async () => ({
        ...(await blobs.sweep(clock.now(), (mailboxId, messageId) => isRawReferenced(store, mailboxId, messageId))),
      }),
    },
  ]
}
