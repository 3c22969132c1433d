/** Changes of labels and the unread flag: of one message, a thread, or many, in one commit each. */
import { setImmediate as tick } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.js'
import type { Store, Transaction } from '../../store/types.js'
import { receivedEvent } from '../delivery/deliver.js'
import { appendEvent } from '../events.js'
import { changed, checkChange, isSpam, type MessageChange } from '../labels.js'
import { type MessageState, type StoredMessage, inTrash, othersIn, toMessage } from '../message.js'
import { mustReadUntrashed, readContentOf, readState, readStates, saveMessage } from '../message-rows.js'
import type { Message, Thread } from '../objects/objects.js'
import { changeMailbox } from '../record.js'
import { type ThreadRecord, MAX_THREAD_MESSAGES, retally, toThread, withReturned } from '../threads/thread.js'
import { mustReadThread, readThread, saveThread } from '../threads/thread-rows.js'
import { withoutThem } from '../threads/thread-leaving.js'
import type { MailboxRecord } from '../mailbox-record.js'

/** Result of a bulk change: missing and trashed ids are listed, all others were changed. */
export interface BatchChange<T> {
  updated: T[]
  not_found: string[]
}

export type ChangedMessage = Pick<Message, 'id' | 'object' | 'thread_id' | 'labels' | 'unread'>

/** Max messages per commit of a bulk change of threads; one thread can have as many. */
const MAX_CHANGED = MAX_THREAD_MESSAGES
/** Yields after this many contents, which may be large. */
const READ_STEP = 10

export function createLabelChanges({ store, clock }: { store: Store; clock: Clock }) {
  /** Changes the threads that fit into one commit, in order; at least the first. */
  function changeSome(
    mailboxId: string,
    threadIds: string[],
    change: MessageChange,
  ): Promise<BatchChange<Thread> & { taken: number }> {
    return changeMailbox(store, mailboxId, async (tx, mailbox) => {
      const now = clock.now()
      const done: BatchChange<Thread> = { updated: [], not_found: [] }
      let messages = 0
      let taken = 0
      for (const threadId of threadIds) {
        const thread = await readThread(tx, threadId)
        messages += thread?.places.length ?? 0
        if (taken > 0 && messages > MAX_CHANGED) break
        taken++
        if (thread && thread.places.length > 0) {
          const states = await readStates(tx, thread.places)
          done.updated.push(toThread(mailboxId, (await changeLabels(tx, mailbox, thread, states, change, now)).thread))
        } else done.not_found.push(threadId)
      }
      return { ...done, taken }
    })
  }

  return {
    async updateMessage(mailboxId: string, messageId: string, change: MessageChange): Promise<Message> {
      checkChange(change)
      return changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const stored = await mustReadUntrashed(tx, messageId)
        const thread = await mustReadThread(tx, stored.state.threadId, 'message')
        const { states } = await changeLabels(tx, mailbox, thread, [stored.state], change, clock.now())
        return toMessage(mailboxId, states[0] ?? stored.state, stored.content)
      })
    },

    /** Applies the change to each message, in one commit. */
    async updateMessages(mailboxId: string, messageIds: string[], change: MessageChange) {
      checkChange(change)
      return changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const now = clock.now()
        const done: BatchChange<ChangedMessage> = { updated: [], not_found: [] }
        for (const messageId of new Set(messageIds)) {
          const state = await readState(tx, messageId)
          if (!state || state.trashed) {
            done.not_found.push(messageId)
            continue
          }
          // The transaction sees its own writes: several messages of one thread add up.
          const { states } = await changeLabels(
            tx,
            mailbox,
            await mustReadThread(tx, state.threadId, 'message'),
            [state],
            change,
            now,
          )
          const { labels, unread } = states[0] ?? state
          done.updated.push({ id: state.id, object: 'message', thread_id: state.threadId, labels, unread })
        }
        return done
      })
    },

    /** Applies the change to every message of the thread, in one commit. */
    async updateThread(mailboxId: string, threadId: string, change: MessageChange): Promise<Thread> {
      checkChange(change)
      return changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const thread = await mustReadThread(tx, threadId, 'thread')
        if (thread.places.length === 0) throw inTrash('thread', threadId)
        const states = await readStates(tx, thread.places)
        return toThread(mailboxId, (await changeLabels(tx, mailbox, thread, states, change, clock.now())).thread)
      })
    },

    /** Applies the change to every message of some threads; each thread is changed atomically. */
    async updateThreads(mailboxId: string, threadIds: string[], change: MessageChange) {
      checkChange(change)
      const all: BatchChange<Thread> = { updated: [], not_found: [] }
      for (let left = [...new Set(threadIds)]; left.length > 0;) {
        const { updated, not_found, taken } = await changeSome(mailboxId, left, change)
        all.updated.push(...updated)
        all.not_found.push(...not_found)
        left = left.slice(taken)
      }
      return all
    },
  }
}

/**
 * Changes messages of one thread, with an event for each that changes, within a commit of the mailbox.
 *
 * @returns their states, and the thread, as saved
 */
export async function changeLabels(
  tx: Transaction,
  mailbox: MailboxRecord,
  thread: ThreadRecord,
  before: MessageState[],
  change: MessageChange,
  now: number,
): Promise<{ states: MessageState[]; thread: ThreadRecord }> {
  const states: MessageState[] = []
  const moved: Moved[] = []
  let after = thread
  for (const from of before) {
    const next = changed(from, change, now)
    const changesSide = isSpam(from) !== isSpam(next)
    const state = changesSide ? { ...next, movedSeq: mailbox.seq + 1 } : next
    states.push(state)
    if (state === from) continue
    // A conversation does not count what is in the trash.
    const content = changesSide && !from.trashed ? await readContentOf(tx, from) : undefined
    if (!changesSide && !from.trashed) after = retally(after, from, state)
    else if (content) moved.push({ state: from, to: state, content })
    if (moved.length % READ_STEP === READ_STEP - 1) await tick()
    await saveMessage(tx, from, state)
    appendEvent(mailbox, now, 'message.updated', {
      message_id: state.id,
      thread_id: state.threadId,
      direction: state.direction,
      labels: state.labels,
      unread: state.unread,
      ...(changesSide && { was_spam: isSpam(from) }),
      ...(changesSide && content && isNewlyVisible(from) && { ...receivedEvent(state, content), newly_visible: true }),
    })
  }
  if (moved.length > 0) after = await changedSides(tx, after, moved, mailbox)
  if (after !== thread) await saveThread(tx, thread, after)
  return { states, thread: after }
}

/** True if unmarked spam is new to clients that exclude spam: it arrived as spam and was never moved. */
function isNewlyVisible({ direction, movedSeq, ...state }: MessageState): boolean {
  return direction === 'inbound' && movedSeq === undefined && isSpam(state)
}

/** A message with its state after it was marked or unmarked as spam. */
type Moved = StoredMessage & { to: MessageState }

async function changedSides(
  tx: Transaction,
  thread: ThreadRecord,
  messages: Moved[],
  mailbox: MailboxRecord,
): Promise<ThreadRecord> {
  let after = await withoutThem(tx, thread, messages, mailbox)
  for (const { to, content } of messages) after = withReturned(after, to, content, othersIn(content, mailbox))
  return after
}
