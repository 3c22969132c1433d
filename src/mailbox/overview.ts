/** What an owner sees of a mailbox beside its mail: the messages that wait for a human's review, and when something last happened. */
import { decode, keyParts } from '../store/keys.js'
import type { Store } from '../store/types.js'
import type { Event } from './objects.js'
import { eventsRange, heldRange, mailboxPartition } from './keys.js'
import { readStored } from './message.js'
import type { Mailboxes } from './types.js'

export function createOverview(store: Store): Pick<Mailboxes, 'listHeld' | 'countHeld' | 'lastActivity'> {
  return {
    listHeld: (mailboxId, limit) =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const rows = await view.range({ ...heldRange, limit, reverse: true })
        const found = await Promise.all(rows.map(([row]) => readStored(view, String(keyParts(row)[1]))))
        return found
          .filter((message) => message !== undefined)
          .map(({ state, content }) => ({
            id: state.id,
            threadId: state.threadId,
            to: state.recipients.map(({ address }) => address),
            subject: content.subject,
            heldAt: state.updatedAt,
            reasons: state.check?.reasons ?? [],
          }))
      }),

    countHeld: (mailboxId, atMost) =>
      store.read(
        mailboxPartition(mailboxId),
        async (view) => (await view.range({ ...heldRange, limit: atMost })).length,
      ),

    lastActivity: (mailboxId) =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const [last] = await view.range({ ...eventsRange, limit: 1, reverse: true })
        return last && Date.parse(decode<Event>(last[1]).timestamp)
      }),
  }
}
