/**
 * Version 4: finishes what took several commits and may have been cut off. Intended review decisions are finished or dropped; mail held before the review list
 * existed is entered; cancelled mail on hold continues or is removed.
 */
import { accountPartition } from '../../accounts/record.js'
import { systemClock } from '../../lib/clock.js'
import { mailboxPartition } from '../../mailbox/keys.js'
import { oldestListed, statusList } from '../../mailbox/lists.js'
import { readState, readStateAt, saveMessage } from '../../mailbox/message-rows.js'
import type { MessageState } from '../../mailbox/message.js'
import { chargeFresh, giveBackFresh } from '../../mailbox/decisions/new-recipients.js'
import { changeWithAccount, readMailbox } from '../../mailbox/record.js'
import { enterReview, logDecision, REVIEW_PARTITION, type ReviewRow } from '../../mailbox/review/rows.js'
import { hasEnded } from '../../mailbox/status.js'
import { DEFAULT_TASK_PRIORITY, relayTasks, SCHEDULED_KIND, type CheckTask } from '../../mailbox/tasks.js'
import { createWorkQueue } from '../../queue/queue.js'
import { decode, key, prefixRange } from '../../store/keys.js'
import type { Store } from '../../store/types.js'
import { withReservation } from './migrate-accounts.js'
import { mailboxAfter } from './old-rows.js'

const INTENTS = prefixRange('intent')
const ADOPTED = key('adopted')
/** Intents per step; there are as many as reviewers at work when a process died. */
const STEP = 20
const HELD_PAGE = 1000

/** @param cursor '' for decisions, `mailbox ` and the last entered id, finally `cancelled` */
export async function finishHalfDone(store: Store, cursor: string): Promise<string | undefined> {
  if (cursor === '') return (await finishDecisions(store)) ? '' : 'mailbox '
  if (cursor !== 'cancelled') return enterHeld(store, cursor.slice('mailbox '.length))
  await endCancelling(store)
  return undefined
}

/** @returns true if there may be more */
async function finishDecisions(store: Store): Promise<boolean> {
  const rows = await store.read(REVIEW_PARTITION, (view) => view.range({ ...INTENTS, limit: STEP }))
  for (const [intent, value] of rows) {
    const row = decode<ReviewRow>(value)
    const mailbox = await readMailbox(store, row.mailboxId)
    const state = mailbox && (await store.read(mailboxPartition(mailbox.id), (view) => readState(view, row.messageId)))
    // Its mailbox was not updated: no decision was made.
    const isMade = state?.reviewId === row.id
    if (isMade && row.decision === 'approve' && state.status === 'queued') await relay(store, row.mailboxId, state)
    const account = mailbox?.accountId ? accountPartition(mailbox.accountId) : undefined
    const others = account === undefined ? [] : [mailboxPartition(row.mailboxId), account]
    await store.write([REVIEW_PARTITION, ...others], async (tx) => {
      tx.delete(intent)
      if (!isMade) return
      await logDecision(tx, row)
      if (account === undefined || row.decision !== 'approve') return
      const change = state.status === 'cancelled' ? giveBackFresh : chargeFresh
      const after = await change(tx.in(account), await withReservation(tx.in(account), state), systemClock)
      await saveMessage(tx.in(mailboxPartition(row.mailboxId)), state, after)
    })
  }
  return rows.length === STEP
}

/** Its tasks were queued before the decision; dropped ones are queued again. */
async function relay(store: Store, mailboxId: string, { id, recipients }: MessageState): Promise<void> {
  const queue = createWorkQueue({ store, clock: systemClock })
  const pending = recipients.filter(({ status }) => !hasEnded(status)).map(({ address }) => address)
  for (const { kind, ...task } of relayTasks(mailboxId, id, pending, DEFAULT_TASK_PRIORITY))
    await queue.enqueue(kind, { ...task, due: systemClock.now(), lane: mailboxId })
}

async function enterHeld(store: Store, last: string): Promise<string> {
  if (await store.read(REVIEW_PARTITION, (view) => view.get(ADOPTED))) {
    await store.write(REVIEW_PARTITION, (tx) => tx.delete(ADOPTED))
    return 'cancelled'
  }
  const mailboxId = await mailboxAfter(store, last)
  if (mailboxId === undefined) return 'cancelled'
  for (let from = 0; ;) {
    const page = await store.read(mailboxPartition(mailboxId), (view) =>
      oldestListed(view, statusList('held'), 'message', from, HELD_PAGE),
    )
    for (const seq of page) {
      await store.write([REVIEW_PARTITION, mailboxPartition(mailboxId)], async (tx) => {
        const state = await readStateAt(tx.in(mailboxPartition(mailboxId)), seq)
        if (state?.status === 'held' && state.reviewId === undefined)
          await enterReview(tx, { messageId: state.id, mailboxId, list: 'held', at: state.updatedAt })
      })
    }
    const end = page.at(-1)
    if (end === undefined || page.length < HELD_PAGE) return `mailbox ${mailboxId}`
    from = end + 1
  }
}

/** Ends held tasks of an unfinished cancellation. */
async function endCancelling(store: Store): Promise<void> {
  const queue = createWorkQueue({ store, clock: systemClock })
  for await (const { id, payload } of queue.all<CheckTask & { cancel?: true }>(SCHEDULED_KIND)) {
    if (!payload.cancel) continue
    const { mailbox_id: mailboxId, message_id: messageId } = payload
    const mailbox = await readMailbox(store, mailboxId)
    const state = mailbox && (await store.read(mailboxPartition(mailboxId), (view) => readState(view, messageId)))
    const addresses = state?.recipients.map(({ address }) => address) ?? []
    for (const task of relayTasks(mailboxId, messageId, addresses, DEFAULT_TASK_PRIORITY)) {
      if (state?.status === 'cancelled') await queue.remove(task.kind, task.id)
      else await queue.reschedule(task.kind, task.id, systemClock.now())
    }
    if (state?.status === 'cancelled')
      await changeWithAccount(store, mailboxId, async (tx, { accountId }) => {
        const current = await readState(tx, messageId)
        if (accountId === null || !current) return
        const account = tx.in(accountPartition(accountId))
        const after = await giveBackFresh(account, await withReservation(account, current), systemClock)
        await saveMessage(tx, current, after)
      })
    await queue.remove(SCHEDULED_KIND, id)
  }
}
