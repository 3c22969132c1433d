/**
 * The trash of a mailbox: what is deleted leaves its thread, and with that all lists, counts and searches, and is kept for 7 days as it was, so that it can
 * be restored. Until it is gone for good (purging.ts) it counts against the quota.
 *
 * Each move is one commit: the message's state, its row from `thread-message` to `thread-trash`, the thread and its lists, the row of the trash,
 * the event. So a crash leaves a message in the one place or in the other, and a call that is repeated finds what it wanted done.
 */
import { setImmediate as tick } from 'node:timers/promises'
import { z } from 'zod'
import type { Clock } from '../lib/clock.js'
import { decodeCursor, encodeCursor, place } from '../lib/cursor.js'
import { notFound, ServiceError } from '../lib/errors.js'
import type { Address } from '../mime/types.js'
import { decode, encode, keyParts } from '../store/keys.js'
import type { Store, Transaction, View } from '../store/types.js'
import { appendEvent } from './events.js'
import {
  EMPTY_VALUE,
  mailboxPartition,
  messageKey,
  threadMessageKey,
  threadMessagesRange,
  threadTrashKey,
  threadTrashRange,
  trashKey,
  trashRange,
} from './keys.js'
import type { MessageContent, MessageState, StoredMessage } from './message.js'
import { mustReadStored, othersIn, readStored, toMessage } from './message.js'
import type { TrashedMessage } from './objects.js'
import { changeMailbox, mustExist } from './record.js'
import type { ThreadRecord } from './thread.js'
import { MAX_THREAD_MESSAGES, readThread, saveThread, toThread, withReturned } from './thread.js'
import { withoutThem } from './thread-leaving.js'
import { shownAddress } from './shown-names.js'
import { trashTimes } from './trash-time.js'
import type { Trashed } from './trash-time.js'
import type { MailboxRecord, Mailboxes } from './types.js'

/** Contents are large: after so many others have their turn. */
const READ_STEP = 10
/** Of the addresses that a message went to, so many are listed with it in the trash. */
const MAX_LISTED_TO = 10

/** What the list of the trash shows of a message, so that its content need not be read. */
type TrashRow = Omit<TrashedMessage, 'object' | 'labels' | 'from' | 'to'> & {
  from: Address | null
  to: Address[]
  /** Missing in older rows. */
  labels?: string[]
}

type Trash = Pick<Mailboxes, 'deleteMessage' | 'restoreMessage' | 'deleteThread' | 'restoreThread' | 'listTrash'>

export function createTrash({ store, clock }: { store: Store; clock: Clock }): Trash {
  return {
    deleteMessage: (mailboxId, messageId) =>
      changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const stored = await mustReadStored(tx, messageId)
        const { state } = stored
        const thread = await mustReadThread(tx, state.threadId, 'message')
        const trashed = state.trashed ?? (await moveToTrash(tx, mailbox, thread, [stored], clock.now()))
        return { id: state.id, object: 'message', deleted: true, thread_id: state.threadId, ...trashTimes(trashed) }
      }),

    restoreMessage: (mailboxId, messageId) =>
      changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const { state, content } = await mustReadStored(tx, messageId)
        if (!state.trashed) return toMessage(mailboxId, state, content)
        const thread = await mustReadThread(tx, state.threadId, 'message')
        const [restored = state] = (await restore(tx, mailbox, thread, [{ state, content }], clock.now())).states
        return toMessage(mailboxId, restored, content)
      }),

    deleteThread: (mailboxId, threadId) =>
      changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const thread = await mustReadThread(tx, threadId, 'thread')
        const messages = await storedIn(tx, threadMessagesRange(threadId))
        if (messages.length > 0) await moveToTrash(tx, mailbox, thread, messages, clock.now())
        return { id: threadId, object: 'thread', deleted: true, message_count: messages.length }
      }),

    restoreThread: (mailboxId, threadId) =>
      changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const thread = await mustReadThread(tx, threadId, 'thread')
        const messages = await storedIn(tx, threadTrashRange(threadId))
        if (messages.length === 0) return toThread(mailboxId, thread)
        return toThread(mailboxId, (await restore(tx, mailbox, thread, messages, clock.now())).thread)
      }),

    async listTrash(mailboxId, { limit, cursor }) {
      const from = decodeCursor(cursor, z.object({ trash: place }))
      return store.read(mailboxPartition(mailboxId), async (view) => {
        await mustExist(view)
        const lt = from ? trashKey(from.trash, '') : trashRange.lt
        const rows = await view.range({ gte: trashRange.gte, lt, limit: limit + 1, reverse: true })
        const last = rows.length > limit ? rows[limit - 1] : undefined
        return {
          data: await shownRows(
            view,
            rows.slice(0, limit).map(([, row]) => decode<TrashRow>(row)),
          ),
          has_more: last !== undefined,
          next_cursor: last ? encodeCursor({ trash: Number(keyParts(last[0])[1]) }) : null,
        }
      })
    },
  }
}

/** @returns where the last of them stands in the trash @throws ServiceError `message_on_its_way`, and then none is moved */
async function moveToTrash(
  tx: Transaction,
  mailbox: MailboxRecord,
  thread: ThreadRecord,
  messages: StoredMessage[],
  now: number,
): Promise<Trashed> {
  const onItsWay = messages.find(({ state }) => isOnItsWay(state))
  if (onItsWay) throw isStillNeeded(onItsWay.state)
  const after: ThreadRecord = { ...thread, trashedCount: (thread.trashedCount ?? 0) + messages.length }
  let trashed: Trashed = { at: now, seq: mailbox.seq }
  for (const { state, content } of messages) {
    trashed = { at: now, seq: mailbox.seq + 1 }
    tx.put(messageKey(state.id), encode({ ...state, trashed, updatedAt: now } satisfies MessageState))
    tx.delete(threadMessageKey(thread.id, state.seq, state.id))
    tx.put(threadTrashKey(thread.id, state.seq, state.id), encode(trashed))
    tx.put(trashKey(trashed.seq, state.id), encode(trashRowOf(state, content, trashed)))
    appendEvent(tx, mailbox, now, 'message.deleted', {
      message_id: state.id,
      thread_id: state.threadId,
      message_seq: state.seq,
      direction: state.direction,
      labels: state.labels,
      permanent: false,
      purge_at: trashTimes(trashed).purge_at,
    })
  }
  saveThread(tx, thread, await withoutThem(tx, after, messages, mailbox))
  return trashed
}

/** Its row in the list of the trash. */
export function trashRowOf(state: MessageState, content: MessageContent, trashed: Trashed): TrashRow {
  return {
    id: state.id,
    thread_id: state.threadId,
    direction: state.direction,
    from: content.from,
    to: content.to.slice(0, MAX_LISTED_TO),
    subject: content.subject,
    preview: content.preview,
    labels: state.labels,
    has_attachments: content.attachments.length > 0,
    size_bytes: state.rawBytes,
    ...trashTimes(trashed),
  }
}

/** Whether the relay, the guard or a person still has to do with it: what they need may not go away under their hands. */
function isOnItsWay({ status }: MessageState): boolean {
  switch (status) {
    case 'scheduled':
    case 'checking':
    case 'held':
    case 'queued':
    case 'sending':
    case 'sent':
      return true
    case 'received':
    case 'blocked':
    case 'cancelled':
    case 'delivered':
    case 'partially_delivered':
    case 'bounced':
      return false
  }
}

function isStillNeeded({ id, status }: MessageState): ServiceError {
  return new ServiceError(
    'message_on_its_way',
    `Message ${id} is ${status}: it can be deleted once it has been delivered, or has failed, for all its recipients.`,
    status === 'sending' || status === 'sent'
      ? `Wait for the message.status event that ends it, or see GET /v1/messages/${id}; then delete it.`
      : `Take it back with POST /v1/messages/${id}/cancel, or wait for the message.status event that ends it; then delete it.`,
  )
}

async function restore(
  tx: Transaction,
  mailbox: MailboxRecord,
  thread: ThreadRecord,
  messages: StoredMessage[],
  now: number,
): Promise<{ states: MessageState[]; thread: ThreadRecord }> {
  let after: ThreadRecord = { ...thread, trashedCount: (thread.trashedCount ?? 0) - messages.length }
  const states = messages.map(({ state: { trashed, ...rest }, content }) => {
    const state: MessageState = { ...rest, updatedAt: now }
    tx.put(messageKey(state.id), encode(state))
    tx.put(threadMessageKey(thread.id, state.seq, state.id), EMPTY_VALUE)
    tx.delete(threadTrashKey(thread.id, state.seq, state.id))
    if (trashed) tx.delete(trashKey(trashed.seq, state.id))
    after = withReturned(after, state, content, othersIn(content, mailbox))
    appendEvent(tx, mailbox, now, 'message.updated', {
      message_id: state.id,
      thread_id: state.threadId,
      direction: state.direction,
      labels: state.labels,
      unread: state.unread,
      restored: true,
    })
    return state
  })
  saveThread(tx, thread, after)
  return { states, thread: after }
}

/** The messages of a thread that stand in a range, oldest first. */
async function storedIn(view: View, range: { gte: Uint8Array; lt: Uint8Array }): Promise<StoredMessage[]> {
  const found: StoredMessage[] = []
  for (const [i, [row]] of (await view.range({ ...range, limit: MAX_THREAD_MESSAGES })).entries()) {
    if (i % READ_STEP === READ_STEP - 1) await tick()
    const stored = await readStored(view, String(keyParts(row)[3]))
    if (stored) found.push(stored)
  }
  return found
}

async function mustReadThread(view: View, threadId: string, what: 'message' | 'thread'): Promise<ThreadRecord> {
  const thread = await readThread(view, threadId)
  if (!thread) throw notFound(what)
  return thread
}

/** Labels don't change in the trash, so those that an older row lacks are those of its message. */
async function shownRows(view: View, rows: TrashRow[]): Promise<TrashedMessage[]> {
  const older = rows.filter(({ labels }) => labels === undefined)
  const states = await view.getMany(older.map(({ id }) => messageKey(id)))
  const known = new Map(older.map(({ id }, i) => [id, states[i] ? decode<MessageState>(states[i]).labels : []]))
  return rows.map(({ id, ...row }) => ({
    id,
    object: 'trashed_message',
    ...row,
    from: row.from && shownAddress(row.from),
    to: row.to.map(shownAddress),
    labels: row.labels ?? known.get(id) ?? [],
  }))
}
