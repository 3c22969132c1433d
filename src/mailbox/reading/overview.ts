/** An owner's overview of a mailbox: messages waiting for review, and the last activity. */
import type { Store, View } from '../../store/types.js'
import { timeOfEvents } from '../event-rows.js'
import { eventsRange, mailboxPartition } from '../keys.js'
import { newestListed, statusList } from '../lists.js'
import { readStoredAt } from '../message-rows.js'
import type { HeldMessage } from './reading.js'

export function createOverview(store: Store) {
  return {
    /** Messages waiting for review, newest first, at most `limit`, with subjects only. */
    held: (mailboxId: string, limit: number): Promise<HeldMessage[]> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const found = await Promise.all((await held(view, limit)).map((seq) => readStoredAt(view, seq)))
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

    /** Counts at most `atMost`. */
    countHeld: (mailboxId: string, atMost: number) =>
      store.read(mailboxPartition(mailboxId), async (view) => (await held(view, atMost)).length),

    /** Time of the last activity; undefined if older than kept events. */
    lastActivity: (mailboxId: string): Promise<number | undefined> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const [last] = await view.range({ ...eventsRange, limit: 1, reverse: true })
        return last && timeOfEvents(last[1])
      }),
  }
}

/** Places of messages that wait for review, newest first. */
const held = (view: View, limit: number): Promise<number[]> =>
  newestListed(view, statusList('held'), 'message', Number.MAX_SAFE_INTEGER - 1, limit)
