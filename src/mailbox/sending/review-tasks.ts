/** Tasks of drafts that wait for approval: one returns the draft when nobody has decided in time, one tells the human. */
import type { WorkQueue } from '../../queue/types.js'
import type { Transaction } from '../../store/types.js'
import type { DraftRecord } from '../draft.js'

export const APPROVAL_EXPIRY_KIND = 'approval-expiry'
export const APPROVAL_LETTER_KIND = 'approval-letter'

/** Payload of both. */
export interface ApprovalTask {
  account_id: string
  mailbox_id: string
  draft_id: string
}

/** One for each time that approval is asked for. */
const taskId = ({ id, review }: DraftRecord): string => `${id}:${review?.askedAt ?? 0}`

/** Queues the tasks of a draft that begins to wait, in its commit. */
export function beginReview(
  queue: Pick<WorkQueue, 'add'>,
  tx: Transaction,
  draft: DraftRecord,
  of: { accountId: string; mailboxId: string },
  now: number,
): void {
  const payload: ApprovalTask = { account_id: of.accountId, mailbox_id: of.mailboxId, draft_id: draft.id }
  const task = { id: taskId(draft), payload, lane: of.mailboxId }
  queue.add(tx, APPROVAL_EXPIRY_KIND, { ...task, due: draft.review?.expiresAt ?? now })
  queue.add(tx, APPROVAL_LETTER_KIND, { ...task, due: now })
}

/** Ends the waiting of a draft: its tasks have nothing to do any more. Nothing happens for one that does not wait. */
export function endReview(queue: Pick<WorkQueue, 'finish'>, tx: Transaction, draft: DraftRecord): void {
  if (draft.review?.status !== 'waiting') return
  queue.finish(tx, APPROVAL_EXPIRY_KIND, taskId(draft))
  queue.finish(tx, APPROVAL_LETTER_KIND, taskId(draft))
}
