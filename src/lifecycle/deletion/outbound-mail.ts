/**
 * Mail that waits to be sent when the deletion of its account is asked for. It is ended as bounced, and not held: whoever cancels weeks later would
 * send what nobody expects any more, and until then its recipients, and the agent, would not know what became of it.
 */
import { setImmediate as tick } from 'node:timers/promises'
import type { Accounts } from '../../accounts/types.js'
import type { RelayTask } from '../../mailbox/tasks.js'
import type { OutboundMail } from '../../mailbox/sending/outbound-mail.js'
import type { WorkQueue } from '../../queue/types.js'

const WHY = 'not sent, because the deletion of its account was asked for'
/** Tasks gone through before everybody else gets a turn. */
const TURN = 100

export interface OutgoingDeps {
  queue: Pick<WorkQueue, 'all'>
  accounts: Pick<Accounts, 'get'>
  mailboxes: { outbound: Pick<OutboundMail, 'recordDeletion'> }
}

/** What the relay asks before each attempt: true when the task was ended, since its account is about to be deleted. */
export function createEndOfDeleted({
  accounts,
  mailboxes,
}: Pick<OutgoingDeps, 'accounts' | 'mailboxes'>): (task: RelayTask, accountId: string | null) => Promise<boolean> {
  return async ({ mailbox_id: mailboxId, message_id: messageId, domain }, accountId) => {
    const account = accountId === null ? undefined : await accounts.get(accountId)
    if (account?.status !== 'deletion_pending') return false
    await mailboxes.outbound.recordDeletion(mailboxId, messageId, domain, WHY)
    return true
  }
}

/** Ends what waits for an attempt now; what is being attempted ends with it, or before the next one. */
export async function endOutgoing({ queue, mailboxes }: OutgoingDeps, mailboxIds: ReadonlySet<string>): Promise<void> {
  if (mailboxIds.size === 0) return
  let count = 0
  for await (const { payload, leased } of queue.all<RelayTask>('relay')) {
    if (++count % TURN === 0) await tick()
    if (leased || !mailboxIds.has(payload.mailbox_id)) continue
    await mailboxes.outbound.recordDeletion(payload.mailbox_id, payload.message_id, payload.domain, WHY)
  }
}
