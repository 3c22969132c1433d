/** Events about the deletion of the account: scheduled and cancelled, once each. */
import { timestamp } from '../../lib/clock.js'
import { encode } from '../../store/keys.js'
import type { Store } from '../../store/types.js'
import { readValue } from '../../store/values.js'
import { appendEvent } from '../events.js'
import { deletionToldKey } from '../keys.js'
import { changeIfThere } from '../record.js'

/** A deletion of an account, identified by its start. */
export interface DeletionStart {
  accountId: string
  startedAt: number
}

export async function appendDeletionScheduled(
  store: Store,
  mailboxId: string,
  { accountId, startedAt, endsAt }: DeletionStart & { endsAt: number },
  now: number,
): Promise<void> {
  await changeIfThere(store, mailboxId, async (tx, mailbox) => {
    if ((await readValue<number>(tx, deletionToldKey)) === startedAt) return
    tx.put(deletionToldKey, encode(startedAt))
    appendEvent(mailbox, now, 'account.deletion_scheduled', { account_id: accountId, ends_at: timestamp(endsAt) })
  })
}

/** Does nothing if the mailbox is gone or has no event of the deletion. */
export async function appendDeletionCancelled(
  store: Store,
  mailboxId: string,
  { accountId, startedAt }: DeletionStart,
  now: number,
): Promise<void> {
  await changeIfThere(store, mailboxId, async (tx, mailbox) => {
    if ((await readValue<number>(tx, deletionToldKey)) !== startedAt) return
    tx.delete(deletionToldKey)
    appendEvent(mailbox, now, 'account.deletion_cancelled', { account_id: accountId })
  })
}
