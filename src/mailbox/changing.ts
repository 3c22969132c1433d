/** Labels and the unread flag: of one message, or of every message of a thread in one commit. */
import { notFound } from '../lib/errors.js'
import type { Clock } from '../lib/clock.js'
import { decode, encode, keyParts } from '../store/keys.js'
import type { Store, Transaction } from '../store/types.js'
import { appendEvent } from './events.js'
import { messageKey, threadMessagesRange } from './keys.js'
import { changed, checkChange } from './labels.js'
import type { MessageState } from './message.js'
import { readStored, toMessage } from './message.js'
import { changeMailbox } from './record.js'
import type { ThreadRecord } from './thread.js'
import { MAX_THREAD_MESSAGES, readThread, retally, saveThread, toThread } from './thread.js'
import type { MailboxRecord, Mailboxes, MessageChange } from './types.js'

export function createChanging(deps: {
  store: Store
  clock: Clock
}): Pick<Mailboxes, 'updateMessage' | 'updateThread'> {
  const { store, clock } = deps
  return {
    async updateMessage(mailboxId, messageId, change) {
      checkChange(change)
      return changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const stored = await readStored(tx, messageId)
        const thread = stored && (await readThread(tx, stored.state.threadId))
        if (!stored || !thread) throw notFound('message')
        const { states } = apply(tx, mailbox, thread, [stored.state], change, clock.now())
        return toMessage(mailboxId, states[0] ?? stored.state, stored.content)
      })
    },

    async updateThread(mailboxId, threadId, change) {
      checkChange(change)
      return changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const thread = await readThread(tx, threadId)
        if (!thread) throw notFound('thread')
        const entries = await tx.range({ ...threadMessagesRange(threadId), limit: MAX_THREAD_MESSAGES })
        const values = await tx.getMany(entries.map(([entry]) => messageKey(String(keyParts(entry)[3]))))
        const states = values.flatMap((value) => (value ? [decode<MessageState>(value)] : []))
        return toThread(mailboxId, apply(tx, mailbox, thread, states, change, clock.now()).thread)
      })
    },
  }
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
