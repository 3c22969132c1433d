/** What a mailbox's event log says of its account: that it will be deleted, and that this was taken back. Each is told once. */
import { timestamp } from '../../lib/clock.js'
import { decode, encode } from '../../store/keys.js'
import type { Store } from '../../store/types.js'
import { appendEvent } from '../events.js'
import { deletionToldKey, mailboxPartition } from '../keys.js'
import { changeMailbox, mailboxOf } from '../record.js'

/** A deletion of an account; no two of one account start at the same time. */
export interface ToldDeletion {
  accountId: string
  startedAt: number
}

/** Nothing happens when the mailbox is gone. */
export async function tellDeletionScheduled(
  store: Store,
  mailboxId: string,
  { accountId, startedAt, endsAt }: ToldDeletion & { endsAt: number },
  now: number,
): Promise<void> {
  if (!(await store.read(mailboxPartition(mailboxId), mailboxOf))) return
  await changeMailbox(store, mailboxId, async (tx, mailbox) => {
    const told = await tx.get(deletionToldKey)
    if (told && decode<number>(told) === startedAt) return
    tx.put(deletionToldKey, encode(startedAt))
    appendEvent(mailbox, now, 'account.deletion_scheduled', { account_id: accountId, ends_at: timestamp(endsAt) })
  })
}

/** Nothing happens in a mailbox that was never told of the deletion, or is gone. */
export async function tellDeletionCancelled(
  store: Store,
  mailboxId: string,
  { accountId, startedAt }: ToldDeletion,
  now: number,
): Promise<void> {
  if (!(await store.read(mailboxPartition(mailboxId), mailboxOf))) return
  await changeMailbox(store, mailboxId, async (tx, mailbox) => {
    const told = await tx.get(deletionToldKey)
    if (!told || decode<number>(told) !== startedAt) return
    tx.delete(deletionToldKey)
    appendEvent(mailbox, now, 'account.deletion_cancelled', { account_id: accountId })
  })
}
