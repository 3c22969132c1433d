/**
 * The record of a thread: what a list shows, and the counts that follow from its messages. It is the only place that knows in which lists
 * a thread stands, so counts, labels and lists can't drift apart.
 */
import { HOUR, timestamp } from '../lib/clock.js'
import { isId } from '../lib/ids.js'
import { decode, encode } from '../store/keys.js'
import type { Transaction, View } from '../store/types.js'
import { EMPTY_VALUE, listKey, threadKey } from './keys.js'
import type { MessageContent, MessageState } from './message.js'
import { distinct } from './message.js'
import type { Address, Thread } from './objects.js'

/** A thread takes no more than this; a further message begins a new one. So one commit can change every message of a thread. */
export const MAX_THREAD_MESSAGES = 500
const MAX_PARTICIPANTS = 50

/** Loop guard: more outbound messages than this in one thread within an hour are held. */
export const MAX_SENDS_PER_HOUR = 20

/** Times are milliseconds since the epoch. */
export interface ThreadRecord {
  id: string
  subject: string
  preview: string
  /** Everybody but the mailbox itself. */
  participants: Address[]
  /** How many of its messages have a label. */
  labels: [label: string, messages: number][]
  unreadCount: number
  messageCount: number
  /** Of its messages, how many are in the trash; nothing else here counts them. Missing while none was. */
  trashedCount?: number
  hasAttachments: boolean
  lastMessageId: string
  lastDirection: 'inbound' | 'outbound'
  lastAt: number
  /** Its place in the lists: the number of the event that told of its last message. */
  lastSeq: number
  createdAt: number
  /** Times of the outbound messages of the last hour, as many as the loop guard needs. */
  recentSends: number[]
}

/** The thread that a first message begins, before that message is added. */
export function newThread(id: string, subject: string, now: number): ThreadRecord {
  return {
    id,
    subject,
    preview: '',
    participants: [],
    labels: [],
    unreadCount: 0,
    messageCount: 0,
    hasAttachments: false,
    lastMessageId: '',
    lastDirection: 'inbound',
    lastAt: now,
    lastSeq: 0,
    createdAt: now,
    recentSends: [],
  }
}

/** The thread with one message more, its newest. */
export function withMessage(
  thread: ThreadRecord,
  state: MessageState,
  content: MessageContent,
  others: Address[],
): ThreadRecord {
  const at = state.createdAt
  const recent = thread.recentSends.filter((sent) => sent > at - HOUR)
  return {
    ...withCounted(thread, state, content, others),
    ...lastOf(state, content),
    // What is scheduled counts when it goes.
    recentSends:
      state.direction === 'outbound' && state.status !== 'scheduled'
        ? [...recent, at].slice(-MAX_SENDS_PER_HOUR)
        : recent,
  }
}

/** The thread of which a scheduled message goes now. */
export function withSend(thread: ThreadRecord, now: number): ThreadRecord {
  const recent = thread.recentSends.filter((sent) => sent > now - HOUR)
  return { ...thread, recentSends: [...recent, now].slice(-MAX_SENDS_PER_HOUR) }
}

/** The thread with a message that comes back to it from the trash, to the place where it was. */
export function withRestored(
  thread: ThreadRecord,
  state: MessageState,
  content: MessageContent,
  others: Address[],
): ThreadRecord {
  const trashedCount = (thread.trashedCount ?? 0) - 1
  const counted = { ...withCounted(thread, state, content, others), trashedCount }
  return state.seq > thread.lastSeq ? { ...counted, ...lastOf(state, content) } : counted
}

function withCounted(
  thread: ThreadRecord,
  state: MessageState,
  content: MessageContent,
  others: Address[],
): ThreadRecord {
  return {
    ...retally(thread, undefined, state),
    participants: distinct([...thread.participants, ...others]).slice(0, MAX_PARTICIPANTS),
    messageCount: thread.messageCount + 1,
    hasAttachments: thread.hasAttachments || content.attachments.length > 0,
  }
}

/** What a thread shows of its last message. */
export function lastOf(
  state: MessageState,
  content: Pick<MessageContent, 'preview'>,
): Pick<ThreadRecord, 'preview' | 'lastMessageId' | 'lastDirection' | 'lastAt' | 'lastSeq'> {
  return {
    preview: content.preview,
    lastMessageId: state.id,
    lastDirection: state.direction,
    lastAt: state.createdAt,
    lastSeq: state.seq,
  }
}

/** Whether it takes one message more. What is in the trash may come back, so it counts. */
export function takesMore(thread: ThreadRecord): boolean {
  return thread.messageCount + (thread.trashedCount ?? 0) < MAX_THREAD_MESSAGES
}

/** Whether one more message now would be one too many within the hour. */
export function sendsTooOften(thread: ThreadRecord, now: number): boolean {
  return thread.recentSends.filter((sent) => sent > now - HOUR).length >= MAX_SENDS_PER_HOUR
}

/** The thread's counts after one of its messages changed from `before` (undefined: it is new) to `after` (undefined: it is in the trash). */
export function retally(
  thread: ThreadRecord,
  before: MessageState | undefined,
  after: MessageState | undefined,
): ThreadRecord {
  const counts = new Map(thread.labels)
  for (const label of before?.labels ?? []) counts.set(label, (counts.get(label) ?? 0) - 1)
  for (const label of after?.labels ?? []) counts.set(label, (counts.get(label) ?? 0) + 1)
  return {
    ...thread,
    labels: [...counts].filter(([, messages]) => messages > 0),
    unreadCount: thread.unreadCount + Number(after?.unread ?? false) - Number(before?.unread ?? false),
  }
}

/** Writes a thread and moves it in every list it stands in. */
export function saveThread(tx: Transaction, before: ThreadRecord | undefined, after: ThreadRecord): void {
  const now = new Set(listsOf(after))
  for (const name of before ? listsOf(before) : []) {
    if (before && (!now.has(name) || before.lastSeq !== after.lastSeq))
      tx.delete(listKey(name, before.lastSeq, before.id))
    else now.delete(name)
  }
  for (const name of now) tx.put(listKey(name, after.lastSeq, after.id), EMPTY_VALUE)
  tx.put(threadKey(after.id), encode(after))
}

export const ALL_LIST = 'all'
export const UNREAD_LIST = 'unread'
export const labelList = (label: string): string => `label:${label}`

export function listsOf(thread: ThreadRecord): string[] {
  // All of it is in the trash.
  if (thread.messageCount === 0) return []
  const labels = thread.labels.map(([label]) => labelList(label))
  return [ALL_LIST, ...(thread.unreadCount > 0 ? [UNREAD_LIST] : []), ...labels]
}

/** Undefined when there is no such thread, whatever the id looks like. */
export async function readThread(view: View, threadId: string): Promise<ThreadRecord | undefined> {
  if (!isId('thr', threadId)) return undefined
  const bytes = await view.get(threadKey(threadId))
  return bytes && decode<ThreadRecord>(bytes)
}

/** The thread as it leaves the service. */
export function toThread(mailboxId: string, thread: ThreadRecord): Thread {
  return {
    id: thread.id,
    object: 'thread',
    mailbox_id: mailboxId,
    subject: thread.subject,
    preview: thread.preview,
    participants: thread.participants,
    labels: thread.labels.map(([label]) => label),
    unread_count: thread.unreadCount,
    message_count: thread.messageCount,
    has_attachments: thread.hasAttachments,
    last_message_id: thread.lastMessageId,
    last_direction: thread.lastDirection,
    last_message_at: timestamp(thread.lastAt),
    created_at: timestamp(thread.createdAt),
  }
}
