/** Events about suspension and reinstatement of the account, once each, in order. */
import { decode, encode, key } from '../../store/keys.js'
import type { Store } from '../../store/types.js'
import { appendEvent } from '../events.js'
import { mailboxPartition } from '../keys.js'
import { changeMailbox, mailboxOf } from '../record.js'

/** Start of the suspension last announced to the mailbox, while it lasts. */
const TOLD = key('suspension-told')

/** Appends the event for the account's current standing, unless announced. Does nothing if the mailbox is gone. */
export async function tellStanding(
  store: Store,
  mailboxId: string,
  suspension: { at: number; reason: string } | null,
  now: number,
): Promise<void> {
  if (!(await store.read(mailboxPartition(mailboxId), mailboxOf))) return
  await changeMailbox(store, mailboxId, async (tx, mailbox) => {
    const bytes = await tx.get(TOLD)
    const told = bytes === undefined ? null : decode<number>(bytes)
    if (told === (suspension?.at ?? null)) return
    if (told !== null) appendEvent(mailbox, now, 'account.reinstated', { account_id: mailbox.accountId })
    if (suspension) {
      tx.put(TOLD, encode(suspension.at))
      const data = { account_id: mailbox.accountId, reason: suspension.reason }
      appendEvent(mailbox, now, 'account.suspended', data)
    } else {
      tx.delete(TOLD)
    }
  })
}
