/**
 * Pausing the agent of a mailbox. A pause is a field of the mailbox's record, which every request, every send and every delivery reads anyway; so it holds from
 * its commit on, in all processes.
 */
import type { Pause } from '../../accounts/types.js'
import type { Note, Subject } from '../../audit/types.js'
import type { Clock } from '../../lib/clock.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Store } from '../../store/types.js'
import { appendEvent } from '../events.js'
import { pausedTasksRange } from '../keys.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { changeMailbox } from '../record.js'

/** The task that sends on what has waited. */
export const RESUME_KIND = 'resume'

export interface ResumeTask {
  mailbox_id: string
}

export interface PausingDeps {
  store: Store
  queue: Pick<WorkQueue, 'add'>
  clock: Clock
  /** @throws ServiceError `unavailable` while programs work on the store that would not obey */
  mayPause: () => Promise<void>
  onPause: ((mailboxId: string) => void) | undefined
}

export function createPausing({ store, queue, clock, mayPause, onPause }: PausingDeps) {
  return {
    /**
     * Stops sending, or all that keys and connections of the mailbox can do, with an event `mailbox.paused`. Mail that was accepted and is not in delivery
     * waits. Only for its human and the operator. Idempotent.
     *
     * @param note writes the entry of the audit log in the same commit
     * @throws ServiceError `not_found`, `unavailable`
     */
    async pause(
      mailboxId: string,
      { what, by }: Pick<Pause, 'what' | 'by'>,
      note?: Pick<Note, 'write'>,
    ): Promise<MailboxRecord> {
      await mayPause()
      return changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const before = mailbox.paused
        const isNothing = before?.what === what
        note?.write(tx, { isNothing, subject: subjectOf(mailbox), reason: STOPPED[what] })
        if (isNothing) return { ...mailbox }
        const now = clock.now()
        mailbox.paused = { what, at: now, by, seq: before?.seq ?? mailbox.seq }
        appendEvent(mailbox, now, 'mailbox.paused', { what, by })
        if (what === 'all') tx.afterCommit(() => onPause?.(mailboxId))
        return { ...mailbox }
      })
    },

    /** Ends the pause, with an event `mailbox.resumed`; what waited goes on. Idempotent. @throws ServiceError `not_found` */
    resume(mailboxId: string, by: Pause['by'], note?: Pick<Note, 'write'>): Promise<MailboxRecord> {
      return changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const { paused } = mailbox
        note?.write(tx, { isNothing: !paused, subject: subjectOf(mailbox) })
        if (!paused) return { ...mailbox }
        const now = clock.now()
        delete mailbox.paused
        appendEvent(mailbox, now, 'mailbox.resumed', { by })
        const [waiting] = await tx.range({ ...pausedTasksRange, limit: 1 })
        if (waiting) {
          const payload: ResumeTask = { mailbox_id: mailboxId }
          queue.add(tx, RESUME_KIND, { id: `${mailboxId}:${paused.seq}`, payload, due: now, lane: mailboxId })
        }
        return { ...mailbox }
      })
    },
  }
}

/** For the audit log. */
const STOPPED = { sending: 'sending', all: 'sending, keys and connections' } as const

function subjectOf({ id, accountId }: MailboxRecord): Subject {
  return { mailbox_id: id, ...(accountId !== null && { account_id: accountId }) }
}
