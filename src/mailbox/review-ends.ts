/** What follows a decision once it is committed: its tasks, its row in the log, and telling those who learn from it. Each step may be done twice. */
import type { Accounts } from '../accounts/types.js'
import type { Clock } from '../lib/clock.js'
import type { Log } from '../observe/log.js'
import { encode } from '../store/keys.js'
import type { WorkQueue } from '../queue/types.js'
import type { Store } from '../store/types.js'
import { EMPTY_VALUE } from './keys.js'
import type { Reviewable, ReviewReading } from './review-reading.js'
import { intentKey, logKey, placeKey, readPlace, REVIEW_PARTITION, unlist, untoldKey } from './review-rows.js'
import type { ReviewPlace, ReviewRow } from './review-rows.js'
import { hasEnded } from './status.js'
import { makeDue, priorityOf, relayTasks, sentToday } from './tasks.js'

export interface ReviewEndsDeps<R> {
  store: Store
  queue: WorkQueue
  clock: Clock
  accounts: Pick<Accounts, 'get' | 'chargeRecipients' | 'returnRecipients'>
  reading: Pick<ReviewReading, 'find'>
  reviewedOf: (row: ReviewRow, message: Reviewable, trust: number) => R
  onReviewed?: ((review: R) => Promise<void>) | undefined
  log: Pick<Log, 'error'>
}

export interface ReviewEnds {
  /** Of a decision that is committed. */
  finish(row: ReviewRow): Promise<void>
  /** Never rejects: what could not be told stays marked, and is tried again later. */
  tell(row: ReviewRow): Promise<void>
}

/** A task for each domain that somebody still waits at. */
export function approvalTasks({ mailbox, state, content }: Reviewable, now: number): ReturnType<typeof relayTasks> {
  const pending = state.recipients.filter(({ status }) => !hasEnded(status)).map(({ address }) => address)
  const isReply = content.in_reply_to !== null
  const priority = priorityOf({ recipients: pending.length, isReply, sentToday: sentToday(mailbox, now) })
  return relayTasks(mailbox.id, state.id, pending, priority)
}

export function createReviewEnds<R>(deps: ReviewEndsDeps<R>): ReviewEnds {
  const { store, queue, clock, accounts, reading, log } = deps

  async function tell(row: ReviewRow): Promise<void> {
    try {
      const message = await reading.find(row.mailboxId, row.messageId)
      const account = row.accountId === null ? undefined : await accounts.get(row.accountId)
      if (message) await deps.onReviewed?.(deps.reviewedOf(row, message, account?.trust ?? 0))
      await store.write(REVIEW_PARTITION, async (tx) => {
        tx.delete(untoldKey(row.id))
        // It may have had its time, or gone with its account.
        if (await tx.get(logKey(row.id))) tx.put(logKey(row.id), encode({ ...row, told: true } satisfies ReviewRow))
      })
    } catch (err) {
      log.error(
        { err, review_id: row.id, message_id: row.messageId },
        'a review could not be learned from; it is tried again',
      )
    }
  }

  return {
    tell,
    async finish(row) {
      if (row.decision === 'approve') {
        if (row.accountId !== null) await accounts.chargeRecipients(row.accountId, row.messageId)
        // Only now: what was cancelled before this look costs nothing, and what is cancelled after it is given back by that.
        const message = await reading.find(row.mailboxId, row.messageId)
        if (row.accountId !== null && message?.state.status === 'cancelled')
          await accounts.returnRecipients(row.accountId, row.messageId)
        // 0, since a task may have been dropped while a slow commit was on its way: one that is missing is made.
        if (message?.state.status === 'queued')
          await makeDue(queue, approvalTasks(message, clock.now()), 0, clock.now())
      }
      await store.write(REVIEW_PARTITION, async (tx) => {
        const place = await readPlace(tx, row.messageId)
        await unlist(tx, row.messageId)
        if (place) tx.put(placeKey(row.messageId), encode({ ...place, list: null } satisfies ReviewPlace))
        tx.delete(intentKey(row.id))
        tx.put(logKey(row.id), encode(row))
        tx.put(untoldKey(row.id), EMPTY_VALUE)
      })
      await tell(row)
    },
  }
}
