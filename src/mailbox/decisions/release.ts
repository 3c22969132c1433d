/** An outbound message counts as sent when it is released to its recipients. The label `sent` marks what was counted, so repeating this changes nothing. */
import type { Transaction } from '../../store/types.js'
import { SCHEDULED_LABEL, SENT_LABEL } from '../labels.js'
import type { MessageState } from '../message.js'
import type { MessageStatus } from '../objects/objects.js'
import { countToday, uncountSent } from '../record.js'
import { readThread, saveThread } from '../threads/thread-rows.js'
import { retally, withSend } from '../threads/thread.js'
import type { MailboxRecord } from '../mailbox-record.js'

const WAITING_LABELS: ReadonlySet<string> = new Set([SCHEDULED_LABEL, 'held', 'blocked'])

/** Label for a status; none while being checked and after cancellation. */
export function labelsFor(status: MessageStatus): string[] {
  switch (status) {
    case 'scheduled':
    case 'held':
    case 'blocked':
      return [status]
    case 'checking':
    case 'cancelled':
    case 'received':
      return []
    case 'queued':
    case 'sending':
    case 'sent':
    case 'delivered':
    case 'partially_delivered':
    case 'bounced':
      return [SENT_LABEL]
  }
}

/** Updates label, thread and counters within the commit that changes the status. @param state with its new status */
export async function relabelled(
  tx: Transaction,
  mailbox: MailboxRecord,
  state: MessageState,
  now: number,
): Promise<MessageState> {
  const wasSent = state.labels.includes(SENT_LABEL)
  if (wasSent && state.status !== 'cancelled') return state
  const own = labelsFor(state.status)
  const isSent = own.includes(SENT_LABEL)
  const others = state.labels.filter((label) => !WAITING_LABELS.has(label) && label !== SENT_LABEL)
  const after = { ...state, labels: [...own, ...others], ...(isSent && { letGoAt: now }) }
  const thread = await readThread(tx, state.threadId)
  if (thread) {
    const counted = retally(thread, state, after)
    await saveThread(tx, thread, isSent ? withSend(counted, now) : counted)
  }
  if (isSent) {
    mailbox.sentCount++
    countToday(mailbox, 'sent', now)
  }
  if (wasSent) {
    mailbox.sentCount = Math.max(0, mailbox.sentCount - 1)
    uncountSent(mailbox, state.letGoAt ?? state.createdAt)
  }
  return after
}
