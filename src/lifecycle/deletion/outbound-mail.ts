/** Ends queued mail of an account when its deletion is requested. It bounces: cancelling weeks later would send unexpected mail. */
import { setImmediate as tick } from 'node:timers/promises'
import type { RelayTask } from '../../mailbox/tasks.js'
import type { OutboundMail } from '../../mailbox/composition/mailboxes.js'
import type { OutboundMessage } from '../../mailbox/sending/outbound-mail.js'
import type { WorkQueue } from '../../queue/types.js'

const WHY = 'not sent, because the deletion of its account was requested'
/** Tasks handled before other work gets a turn. */
const TURN = 100

export interface OutgoingDeps {
  queue: Pick<WorkQueue, 'all'>
  mailboxes: { outbound: Pick<OutboundMail, 'recordDeletion'> }
}

/** Check of the relay before each attempt: true if the task was ended because its account is being deleted. */
export function createEndOfDeleted({
  mailboxes,
}: Pick<OutgoingDeps, 'mailboxes'>): (
  task: RelayTask,
  accountStatus: OutboundMessage['accountStatus'],
) => Promise<boolean> {
  return async ({ mailbox_id: mailboxId, message_id: messageId, domain }, accountStatus) => {
    if (accountStatus !== 'deletion_pending') return false
    await mailboxes.outbound.recordDeletion(mailboxId, messageId, domain, WHY)
    return true
  }
}

/** Ends waiting mail now; mail in an attempt ends with it, or before the next one. */
export async function endOutgoing({ queue, mailboxes }: OutgoingDeps, mailboxIds: ReadonlySet<string>): Promise<void> {
  if (mailboxIds.size === 0) return
  let count = 0
  for await (const { payload, leased } of queue.all<RelayTask>('relay')) {
    if (++count % TURN === 0) await tick()
    if (leased || !mailboxIds.has(payload.mailbox_id)) continue
    await mailboxes.outbound.recordDeletion(payload.mailbox_id, payload.message_id, payload.domain, WHY)
  }
}
