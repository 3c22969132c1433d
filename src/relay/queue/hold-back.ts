/** Checks before each attempt whether the operator holds the task; its sender is informed once. */
import type { RelayTask } from '../../mailbox/tasks.js'
import type { OutboundMail } from '../../mailbox/composition/mailboxes.js'
import type { Task } from '../../queue/types.js'
import type { Holds } from './holds.js'

/** True if the task is held, and that is recorded. */
export type HoldBack = (task: Pick<Task<RelayTask>, 'id' | 'payload'>) => Promise<boolean>

export function createHoldBack({
  holds,
  mailboxes,
}: {
  holds: Pick<Holds, 'matches'>
  mailboxes: { outbound: Pick<OutboundMail, 'recordHold'> }
}): HoldBack {
  return async ({ id, payload }) => {
    const { mailbox_id: mailboxId, message_id: messageId, domain } = payload
    const task = { id, messageId, mailboxId, domain }
    if (!holds.matches(task)) return false
    await mailboxes.outbound.recordHold(mailboxId, messageId, domain)
    // It may have been released meanwhile.
    return holds.matches(task) !== undefined
  }
}
