/** Events about suspension and reinstatement of the account, once each, in order. */
import { encode, key } from '../../store/keys.js'
import type { Store } from '../../store/types.js'
import { readValue } from '../../store/values.js'
import { appendEvent } from '../events.js'
import { changeIfThere } from '../record.js'

/** Start of the suspension last announced to the mailbox, while it lasts. */
const TOLD = key('suspension-told')

/** Appends the event for the account's suspension or its end, unless announced. Does nothing if the mailbox is gone. */
export async function appendSuspensionEvents(
  store: Store,
  mailboxId: string,
  suspension: { at: number; reason: string } | null,
  now: number,
): Promise<void> {
  await changeIfThere(store, mailboxId, async (tx, mailbox) => {
    const announced = await readValue<number>(tx, TOLD)
    if (announced === suspension?.at) return
    if (announced !== undefined) appendEvent(mailbox, now, 'account.reinstated', { account_id: mailbox.accountId })
    if (suspension) {
      tx.put(TOLD, encode(suspension.at))
      const data = { account_id: mailbox.accountId, reason: suspension.reason }
      appendEvent(mailbox, now, 'account.suspended', data)
    } else tx.delete(TOLD)
  })
}
