/**
 * The trash: deleted messages leave thread, lists, counts and searches for 7 days, and count against the quota until purged (purge.ts). Each move is one
 * commit.
 */
import { setImmediate as tick } from 'node:timers/promises'
import { z } from 'zod'
import type { Clock } from '../../lib/clock.js'
import { decodeCursor, encodeCursor, place } from '../../lib/cursor.js'
import { ServiceError } from '../../lib/errors.js'
import { keyParts } from '../../store/keys.js'
import { packNumber, unpackNumber } from '../../store/packed.js'
import type { Store, Transaction, View } from '../../store/types.js'
import { appendEvent } from '../events.js'
import { mailboxPartition, trashKey, trashRange } from '../keys.js'
import {
  type MessageState,
  othersIn,
  shownAddress,
  type ShownContent,
  type StoredMessage,
  toMessage,
  type Trashed,
  trashTimes,
} from '../message.js'
import { mustReadStored, readShownOf, readStateAt, readStoredAt, saveMessage } from '../message-rows.js'
import type { List, Message, Page, Thread, TrashedMessage } from '../objects/objects.js'
import { changeMailbox, requireMailbox } from '../record.js'
import { type ThreadRecord, toThread, withReturned } from '../threads/thread.js'
import { mustReadThread, saveThread } from '../threads/thread-rows.js'
import { withoutThem } from '../threads/thread-leaving.js'
import type { MailboxRecord } from '../mailbox-record.js'

export interface DeletedMessage {
  id: string
  object: 'message'
  deleted: true
  thread_id: string
  deleted_at: string
  purge_at: string
}

/** Yields after this many contents, which may be large. */
const READ_STEP = 10
const MAX_LISTED_TO = 10

export function createTrash({ store, clock }: { store: Store; clock: Clock }) {
  return {
    /** Moves a message to the trash. Idempotent. @throws ServiceError `message_on_its_way` */
    deleteMessage: (mailboxId: string, messageId: string): Promise<DeletedMessage> =>
      changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const stored = await mustReadStored(tx, messageId)
        const { state } = stored
        const thread = await mustReadThread(tx, state.threadId, 'message')
        const trashed = state.trashed ?? (await moveToTrash(tx, mailbox, thread, [stored], clock.now()))
        return { id: state.id, object: 'message', deleted: true, thread_id: state.threadId, ...trashTimes(trashed) }
      }),

    /** Restores a message to its thread, labels, place and unread flag. Idempotent. */
    restoreMessage: (mailboxId: string, messageId: string): Promise<Message> =>
      changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const { state, content } = await mustReadStored(tx, messageId)
        if (!state.trashed) return toMessage(mailboxId, state, content)
        const thread = await mustReadThread(tx, state.threadId, 'message')
        const [restored = state] = (await restore(tx, mailbox, thread, [{ state, content }], clock.now())).states
        return toMessage(mailboxId, restored, content)
      }),

    /** Moves every message of a thread to the trash, in one commit. `message_count`: how many were moved. @throws ServiceError `message_on_its_way` */
    deleteThread: (mailboxId: string, threadId: string) =>
      changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const thread = await mustReadThread(tx, threadId, 'thread')
        const messages = await storedIn(tx, thread.places)
        if (messages.length > 0) await moveToTrash(tx, mailbox, thread, messages, clock.now())
        return { id: threadId, object: 'thread' as const, deleted: true as const, message_count: messages.length }
      }),

    /** Restores every trashed message of the thread. */
    restoreThread: (mailboxId: string, threadId: string): Promise<Thread> =>
      changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const thread = await mustReadThread(tx, threadId, 'thread')
        const messages = await storedIn(tx, thread.trash)
        if (messages.length === 0) return toThread(mailboxId, thread)
        return toThread(mailboxId, (await restore(tx, mailbox, thread, messages, clock.now())).thread)
      }),

    /** Last deleted first. */
    async list(mailboxId: string, { limit, cursor }: Page): Promise<List<TrashedMessage>> {
      const from = decodeCursor(cursor, z.object({ trash: place }))
      return store.read(mailboxPartition(mailboxId), async (view) => {
        await requireMailbox(view)
        const lt = from ? trashKey(from.trash) : trashRange.lt
        const rows = await view.range({ gte: trashRange.gte, lt, limit: limit + 1, reverse: true })
        const last = rows.length > limit ? rows[limit - 1] : undefined
        const seqs = rows.slice(0, limit).map(([, row]) => unpackNumber(row))
        return {
          data: await shownIn(view, seqs),
          has_more: last !== undefined,
          next_cursor: last ? encodeCursor({ trash: Number(keyParts(last[0])[1]) }) : null,
        }
      })
    },
  }
}

/** Within a commit. @returns trash place of the last one @throws ServiceError `message_on_its_way`; then none is moved */
export async function moveToTrash(
  tx: Transaction,
  mailbox: MailboxRecord,
  thread: ThreadRecord,
  messages: StoredMessage[],
  now: number,
): Promise<Trashed> {
  const onItsWay = messages.find(({ state }) => isOnItsWay(state))
  if (onItsWay) throw isStillNeeded(onItsWay.state)
  const gone = new Set(messages.map(({ state }) => state.seq))
  const after: ThreadRecord = {
    ...thread,
    places: thread.places.filter((seq) => !gone.has(seq)),
    trash: [...thread.trash, ...gone].sort((a, b) => a - b),
  }
  let trashed: Trashed = { at: now, seq: mailbox.seq }
  for (const { state } of messages) {
    trashed = { at: now, seq: mailbox.seq + 1 }
    await saveMessage(tx, state, { ...withoutMarks(state), trashed, updatedAt: now })
    tx.put(trashKey(trashed.seq), packNumber(state.seq))
    appendEvent(mailbox, now, 'message.deleted', {
      message_id: state.id,
      thread_id: state.threadId,
      message_seq: state.seq,
      direction: state.direction,
      labels: state.labels,
      permanent: false,
      purge_at: trashTimes(trashed).purge_at,
    })
  }
  await saveThread(tx, thread, await withoutThem(tx, after, messages, mailbox))
  return trashed
}

/** True while relay, guard or reviewer still need it. */
export function isOnItsWay({ status }: MessageState): boolean {
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

/** Marks of deletion are for the folder that it was in. */
const withoutMarks = ({ deletedIn: _marks, ...state }: MessageState): MessageState => state

/** Back to their thread, labels and places, within a commit. @returns their states */
export async function restore(
  tx: Transaction,
  mailbox: MailboxRecord,
  thread: ThreadRecord,
  messages: StoredMessage[],
  now: number,
): Promise<{ states: MessageState[]; thread: ThreadRecord }> {
  const back = new Set(messages.map(({ state }) => state.seq))
  let after: ThreadRecord = {
    ...thread,
    places: [...thread.places, ...back].sort((a, b) => a - b),
    trash: thread.trash.filter((seq) => !back.has(seq)),
  }
  const states: MessageState[] = []
  for (const { state: before, content } of messages) {
    const { trashed, ...rest } = withoutMarks(before)
    const state: MessageState = { ...rest, updatedAt: now }
    await saveMessage(tx, before, state)
    if (trashed) tx.delete(trashKey(trashed.seq))
    after = withReturned(after, state, content, othersIn(content, mailbox))
    appendEvent(mailbox, now, 'message.updated', {
      message_id: state.id,
      thread_id: state.threadId,
      direction: state.direction,
      labels: state.labels,
      unread: state.unread,
      restored: true,
    })
    states.push(state)
  }
  await saveThread(tx, thread, after)
  return { states, thread: after }
}

async function storedIn(view: View, seqs: readonly number[]): Promise<StoredMessage[]> {
  const found: StoredMessage[] = []
  for (const [i, seq] of seqs.entries()) {
    if (i % READ_STEP === READ_STEP - 1) await tick()
    const stored = await readStoredAt(view, seq)
    if (stored) found.push(stored)
  }
  return found
}

async function shownIn(view: View, seqs: readonly number[]): Promise<TrashedMessage[]> {
  const shown: TrashedMessage[] = []
  for (const seq of seqs) {
    const state = await readStateAt(view, seq)
    const content = state && (await readShownOf(view, state))
    if (state?.trashed && content) shown.push(toTrashed(state, content, state.trashed))
  }
  return shown
}

function toTrashed(state: MessageState, content: ShownContent, trashed: Trashed): TrashedMessage {
  return {
    id: state.id,
    object: 'trashed_message',
    thread_id: state.threadId,
    direction: state.direction,
    from: content.from && shownAddress(content.from),
    to: content.to.slice(0, MAX_LISTED_TO).map(shownAddress),
    subject: content.subject,
    preview: content.preview,
    labels: state.labels,
    has_attachments: content.attachments.length > 0,
    size_bytes: state.rawBytes,
    ...trashTimes(trashed),
  }
}
