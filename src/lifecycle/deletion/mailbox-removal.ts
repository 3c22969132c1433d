/**
 * Removes one mailbox of a remaining account. The request is stored in the transaction that checks for another mailbox, so that two cannot remove the last
 * two.
 */
import type { Accounts } from '../../accounts/types.js'
import { HOUR, type Clock } from '../../lib/clock.js'
import { notFound, ServiceError } from '../../lib/errors.js'
import { readMailbox } from '../../mailbox/record.js'
import type { Connections } from '../../oauth/types.js'
import type { Task, TaskOutcome, WorkQueue } from '../../queue/types.js'
import type { Store } from '../../store/types.js'
import type { Erase } from './erase.js'

export interface RemovalTask {
  account_id: string
  mailbox_id: string
  /** Time of the first removal; an hour later it runs again, for data that concurrent work created meanwhile. */
  removed_at?: number
}

export interface RemovalDeps {
  store: Store
  clock: Clock
  queue: Pick<WorkQueue, 'add'>
  accounts: Pick<Accounts, 'mailboxes' | 'keys' | 'revokeKey' | 'forgetMailbox'>
  erase: Pick<Erase, 'takeLeaveOfOne' | 'oneMailbox'>
  connections?: Pick<Connections, 'revokeAll'> | undefined
  /** Mailbox of `postmaster@` of every domain. */
  operatorMailboxId: string
}

export type Removal = ReturnType<typeof createRemoval>

export function createRemoval(deps: RemovalDeps) {
  const { store, clock, queue, accounts, erase, connections, operatorMailboxId } = deps
  return {
    /** Idempotent. @throws ServiceError `not_found` (also for another account's), `last_mailbox`, `invalid_request` for the operator's */
    async request(accountId: string, mailboxId: string): Promise<{ address: string }> {
      const mailbox = (await accounts.mailboxes(accountId)).includes(mailboxId)
        ? await readMailbox(store, mailboxId)
        : undefined
      if (!mailbox || mailbox.accountId !== accountId) throw notFound('mailbox')
      if (mailboxId === operatorMailboxId)
        throw new ServiceError(
          'invalid_request',
          'This mailbox gets the mail for postmaster@ and abuse@ of this server, and cannot be deleted.',
          'Delete another one; GET /v1/mailboxes lists them.',
        )
      const payload: RemovalTask = { account_id: accountId, mailbox_id: mailboxId }
      const isLeaving = await erase.takeLeaveOfOne(accountId, mailboxId, (tx) =>
        queue.add<RemovalTask>(tx, 'mailbox-removal', { id: mailboxId, payload, due: clock.now() }),
      )
      if (!isLeaving)
        throw new ServiceError(
          'last_mailbox',
          'This is the last mailbox of the account.',
          'To delete the account with it call DELETE /v1/account, which can be cancelled for 30 days; or create another mailbox first with POST /v1/mailboxes.',
        )
      for (const { id } of await accounts.keys(mailboxId)) await accounts.revokeKey(mailboxId, id)
      await connections?.revokeAll(accountId, mailboxId)
      return { address: mailbox.address }
    },

    /** The `mailbox-removal` task. */
    async run({ payload }: Task<RemovalTask>): Promise<TaskOutcome<RemovalTask>> {
      const { account_id: accountId, mailbox_id: mailboxId, removed_at: removedAt } = payload
      const now = clock.now()
      // The account itself has gone.
      if (!(await erase.oneMailbox(accountId, mailboxId))) return { done: true }
      if (removedAt === undefined) return { done: false, retryAt: now + HOUR, payload: { ...payload, removed_at: now } }
      await accounts.forgetMailbox(accountId, mailboxId)
      return { done: true }
    },
  }
}
