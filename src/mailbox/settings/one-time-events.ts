/** Events about things outside the mailbox, such as a finished export, emitted once whatever crashes. */
import { DAY } from '../../lib/clock.js'
import { encode } from '../../store/keys.js'
import type { Store } from '../../store/types.js'
import { appendEvent } from '../events.js'
import { EMPTY_VALUE, expiringKey, expiryKey } from '../keys.js'
import type { EventType } from '../objects/objects.js'
import { changeIfThere } from '../record.js'

/** Longer than a crashed caller takes to retry. */
const REMEMBERED_MS = 30 * DAY

/** Appends the event unless one with the same name exists. Does nothing if the mailbox is gone. */
export async function appendOnce(
  store: Store,
  mailboxId: string,
  name: string,
  event: { type: EventType; data: Record<string, unknown> },
  now: number,
): Promise<void> {
  await changeIfThere(store, mailboxId, async (tx, mailbox) => {
    // Swept like ids of local deliveries.
    const mark = expiringKey('delivery', name)
    if (await tx.get(mark)) return
    const expiresAt = now + REMEMBERED_MS
    tx.put(mark, encode({ expiresAt }))
    tx.put(expiryKey(expiresAt, 'delivery', name), EMPTY_VALUE)
    appendEvent(mailbox, now, event.type, event.data)
  })
}
