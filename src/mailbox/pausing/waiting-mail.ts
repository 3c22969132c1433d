/**
 * Mail that waits while its mailbox is paused. The relay parks a task when its turn comes: the task is held in the queue, and a row here finds it again when the
 * mailbox is resumed. What the human sends meanwhile does not wait.
 */
import type { Pause } from '../../accounts/types.js'
import { type Clock, timestamp } from '../../lib/clock.js'
import { domainOf } from '../../mime/address.js'
import { decode, encode, keyParts } from '../../store/keys.js'
import type { Store } from '../../store/types.js'
import { readValue } from '../../store/values.js'
import { heldDetail, isHeld } from '../held-detail.js'
import { mailboxPartition, pausedTaskKey, pausedTasksRange } from '../keys.js'
import { readState } from '../message-rows.js'
import { changeWithin, mailboxOf } from '../record.js'
import { hasEnded, saveStatus } from '../status.js'
import type { RelayTask } from '../tasks.js'

/** @param message by the number of its first event */
export function waitsFor(paused: Pause | undefined, { seq }: { seq: number }): boolean {
  return paused !== undefined && seq <= paused.seq
}

interface ParkedRow {
  /** Since when it waits, in milliseconds since the epoch. */
  at: number
  /** The pause: its `seq`. */
  pause: number
}

export interface ParkedTask extends ParkedRow {
  id: string
}

export function createWaitingMail({ store, clock }: { store: Store; clock: Clock }) {
  return {
    /**
     * Parks a relay task if its mailbox is paused, and shows that to the sender.
     *
     * @returns false if it need not wait: the mailbox was resumed meanwhile, or the message is gone
     */
    park({ mailbox_id: mailboxId, message_id: messageId, domain }: RelayTask, taskId: string): Promise<boolean> {
      return store.write(mailboxPartition(mailboxId), (own) =>
        changeWithin(
          own,
          async (tx, mailbox) => {
            const { paused } = mailbox
            const state = await readState(tx, messageId)
            if (!paused || !state || !waitsFor(paused, state)) return false
            const now = clock.now()
            tx.put(pausedTaskKey(taskId), encode({ at: now, pause: paused.seq } satisfies ParkedRow))
            const recipients = state.recipients.map((recipient) => {
              const isMeant = domainOf(recipient.address) === domain && !hasEnded(recipient.status)
              if (!isMeant || (isHeld(recipient, 'pause') && recipient.next_attempt_at === null)) return recipient
              const detail = heldDetail(recipient, 'pause')
              return { ...recipient, detail, next_attempt_at: null, at: timestamp(now) }
            })
            if (recipients.some((recipient, i) => recipient !== state.recipients[i]))
              await saveStatus(tx, mailbox, state, { ...state, recipients }, now)
            return true
          },
          () => false,
        ),
      )
    },

    /** Parked tasks that may go on, at most `limit`; none while the mailbox is paused. */
    parked: (mailboxId: string, limit: number): Promise<ParkedTask[]> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const mailbox = await mailboxOf(view)
        if (!mailbox || mailbox.paused) return []
        const rows = await view.range({ ...pausedTasksRange, limit })
        return rows.map(([row, value]) => ({ id: String(keyParts(row)[1]), ...decode<ParkedRow>(value) }))
      }),

    /** Forgets tasks that go on, except those that were parked again by a later pause. */
    unpark: (mailboxId: string, tasks: readonly ParkedTask[]): Promise<void> =>
      store.write(mailboxPartition(mailboxId), async (tx) => {
        for (const { id, pause } of tasks) {
          const row = await readValue<ParkedRow>(tx, pausedTaskKey(id))
          if (row?.pause === pause) tx.delete(pausedTaskKey(id))
        }
      }),
  }
}
