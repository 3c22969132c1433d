/** Adds a message to a mailbox within one transaction: message, thread, lists, threading, counters. The caller appends the event next. */
import { newId } from '../../lib/ids.js'
import type { Transaction } from '../../store/types.js'
import { SENT_LABEL } from '../labels.js'
import { isImported, type MessageContent, type MessageState, othersIn } from '../message.js'
import { putMessage, smallShown } from '../message-rows.js'
import { notEnoughRoom, roomLeft, type RoomLimits } from '../quota.js'
import { countToday } from '../record.js'
import { type ThreadRecord, newThread, takesMore, withMessage } from '../threads/thread.js'
import { readThread, saveThread } from '../threads/thread-rows.js'
import { findThread, ownIdKey, rememberForThreading } from '../threads/threading.js'
import type { MailboxRecord } from '../mailbox-record.js'

export interface NewMessage {
  /** Thread and place are determined here. */
  state: Omit<MessageState, 'threadId' | 'seq' | 'shown'>
  content: MessageContent
  /** Undefined if it is in a blob. */
  raw: Buffer | undefined
  /** Known thread, as for a reply. */
  threadId?: string | undefined
}

/**
 * Adds the message. The mailbox's next event must announce it: its number is the message's place.
 *
 * @param finish last changes to the state, with the thread it joins (undefined: a new one)
 * @returns the stored state
 * @throws ServiceError `quota_exceeded`
 */
export async function insertMessage(
  tx: Transaction,
  mailbox: MailboxRecord,
  message: NewMessage,
  limits: RoomLimits,
  finish: (state: MessageState, before: ThreadRecord | undefined) => MessageState = (state) => state,
): Promise<MessageState> {
  const { content, raw } = message
  const { createdAt: now, rawBytes } = message.state
  if (roomLeft(mailbox, limits) < rawBytes) throw notEnoughRoom(mailbox, limits)

  const others = othersIn(content, mailbox)
  const given = await named(tx, message.threadId)
  const found = given ? undefined : await findThread(tx, content, others, now, ownIdKey(content, message.state.id))
  const before = given ?? found?.thread
  const threadId = before?.id ?? newId('thr', now)
  const seq = mailbox.seq + 1
  const state = finish({ ...message.state, threadId, seq, shown: smallShown(content) }, before)
  const thread = withMessage(before ?? newThread(threadId, content.subject, now), state, content, others)

  await putMessage(tx, state, content, raw)
  await saveThread(tx, before, thread)
  await rememberForThreading(tx, state, content, others, now, found)

  mailbox.usedBytes += rawBytes
  mailbox.messageCount++
  if (isImported(state)) return state
  // Counts as sent when released (mailbox/decisions/release.ts).
  if (state.direction === 'outbound' && !state.labels.includes(SENT_LABEL)) return state
  if (state.direction === 'inbound') mailbox.receivedCount++
  else mailbox.sentCount++
  countToday(mailbox, state.direction === 'inbound' ? 'received' : 'sent', now)
  return state
}

async function named(tx: Transaction, threadId: string | undefined): Promise<ThreadRecord | undefined> {
  const thread = threadId === undefined ? undefined : await readThread(tx, threadId)
  return thread && takesMore(thread) ? thread : undefined
}
