/** Labels and the unread flag: of one message, of every message of a thread, or of many at once; what belongs together in one commit. */
import { notFound } from '../lib/errors.js'
import type { Clock } from '../lib/clock.js'
import { decode, encode, keyParts } from '../store/keys.js'
import type { Store, Transaction, View } from '../store/types.js'
import { appendEvent } from './events.js'
import { messageKey, threadMessagesRange } from './keys.js'
import { changed, checkChange } from './labels.js'
import type { MessageState } from './message.js'
import { inTrash, mustReadStanding, readState, toMessage } from './message.js'
import type { Thread } from './objects.js'
import { changeMailbox } from './record.js'
import type { ThreadRecord } from './thread.js'
import { MAX_THREAD_MESSAGES, readThread, retally, saveThread, toThread } from './thread.js'
import type { BatchChange, ChangedMessage, MailboxRecord, Mailboxes, MessageChange } from './types.js'

/** Messages that one commit of a change to many threads is about; one thread may have so many by itself. */
const MAX_CHANGED = MAX_THREAD_MESSAGES

type Changing = Pick<Mailboxes, 'updateMessage' | 'updateMessages' | 'updateThread' | 'updateThreads'>

export function createChanging({ store, clock }: { store: Store; clock: Clock }): Changing {
  /** Those of the threads that fit into one commit, in order; at least the first. */
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
        messages += thread?.messageCount ?? 0
        if (taken > 0 && messages > MAX_CHANGED) break
        taken++
        if (thread && thread.messageCount > 0) {
          const states = await statesOf(tx, threadId)
          done.updated.push(toThread(mailboxId, apply(tx, mailbox, thread, states, change, now).thread))
        } else done.not_found.push(threadId)
      }
      return { ...done, taken }
    })
  }

  return {
    async updateMessage(mailboxId, messageId, change) {
      checkChange(change)
      return changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const stored = await mustReadStanding(tx, messageId)
        const thread = await mustReadThread(tx, stored.state)
        const { states } = apply(tx, mailbox, thread, [stored.state], change, clock.now())
        return toMessage(mailboxId, states[0] ?? stored.state, stored.content)
      })
    },

    async updateMessages(mailboxId, messageIds, change) {
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
          // The transaction sees what it has written: several messages of one thread add up.
          const { states } = apply(tx, mailbox, await mustReadThread(tx, state), [state], change, now)
          const { labels, unread } = states[0] ?? state
          done.updated.push({ id: state.id, thread_id: state.threadId, labels, unread })
        }
        return done
      })
    },

    async updateThread(mailboxId, threadId, change) {
      checkChange(change)
      return changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const thread = await readThread(tx, threadId)
        if (!thread) throw notFound('thread')
        if (thread.messageCount === 0) throw inTrash('thread', threadId)
        const states = await statesOf(tx, threadId)
        return toThread(mailboxId, apply(tx, mailbox, thread, states, change, clock.now()).thread)
      })
    },

    async updateThreads(mailboxId, threadIds, change) {
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

async function mustReadThread(view: View, { threadId }: MessageState): Promise<ThreadRecord> {
  const thread = await readThread(view, threadId)
  if (!thread) throw notFound('message')
  return thread
}

async function statesOf(view: View, threadId: string): Promise<MessageState[]> {
  const entries = await view.range({ ...threadMessagesRange(threadId), limit: MAX_THREAD_MESSAGES })
  const values = await view.getMany(entries.map(([entry]) => messageKey(String(keyParts(entry)[3]))))
  return values.flatMap((value) => (value ? [decode<MessageState>(value)] : []))
}

function apply(
  tx: Transaction,
  mailbox: MailboxRecord,
  thread: ThreadRecord,
  before: MessageState[],
  change: MessageChange,
  now: number,
): { states: MessageState[]; thread: ThreadRecord } {
  const states = before.map((state) => changed(state, change, now))
  let after = thread
  for (const [i, state] of states.entries()) {
    if (state === before[i]) continue
    after = retally(after, before[i], state)
    tx.put(messageKey(state.id), encode(state))
    appendEvent(tx, mailbox, now, 'message.updated', {
      message_id: state.id,
      thread_id: state.threadId,
      direction: state.direction,
      labels: state.labels,
      unread: state.unread,
    })
  }
  if (after !== thread) saveThread(tx, thread, after)
  return { states, thread: after }
}
