/**
 * The record of a thread: list fields and counts derived from its messages. Only this file knows a thread's lists, so counts, labels and lists stay consistent.
 *
 * A thread has two sides: normal mail and spam, each summarized separately, so that spam in a conversation changes neither its preview nor its place. A thread
 * of spam alone is only in the spam list.
 */
import { HOUR, timestamp } from '../../lib/clock.js'
import { isSpam, SENT_LABEL, SPAM_LABEL } from '../labels.js'
import { ALL_LIST, labelList, UNREAD_LIST, type Listing } from '../lists.js'
import {
  distinct,
  isImported,
  type MessageContent,
  type MessageState,
  shownAddress,
  type ShownContent,
} from '../message.js'
import type { Address } from '../../mime/types.js'
import type { Thread } from '../objects/objects.js'

/** Further messages start a new thread. So one commit can change every message of a thread. */
export const MAX_THREAD_MESSAGES = 500
const MAX_PARTICIPANTS = 50

/** Loop guard: further outbound messages in a thread within an hour are held. */
export const MAX_SENDS_PER_HOUR = 20

/** Summary of some messages of a thread. Times are milliseconds since the epoch. */
export interface ThreadSide {
  preview: string
  /** Without the mailbox itself. */
  participants: Address[]
  /** Number of messages with each label. */
  labels: [label: string, messages: number][]
  unreadCount: number
  messageCount: number
  hasAttachments: boolean
  lastMessageId: string
  lastDirection: 'inbound' | 'outbound'
  lastAt: number
  /** Its place in lists: that of its last message. */
  lastSeq: number
}

/** The side of normal mail, and fields of the whole thread. */
export interface ThreadRecord extends ThreadSide {
  id: string
  subject: string
  /** Places of all its messages, ascending. */
  places: number[]
  /** Places of trashed messages, which nothing else here counts. */
  trash: number[]
  /** Missing if there is no spam. */
  spam?: ThreadSide
  createdAt: number
  /** Times of outbound messages in the last hour, as many as the loop guard needs. */
  recentSends: number[]
}

const noMessages = (now: number): ThreadSide => ({
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
})

export function newThread(id: string, subject: string, now: number): ThreadRecord {
  return { ...noMessages(now), id, subject, places: [], trash: [], createdAt: now, recentSends: [] }
}

export type SideName = 'mail' | 'spam'

export const sideOfMessage = (state: Pick<MessageState, 'labels'>): SideName => (isSpam(state) ? 'spam' : 'mail')

export function sideOf(thread: ThreadRecord, name: SideName): ThreadSide {
  return name === 'mail' ? thread : (thread.spam ?? noMessages(thread.createdAt))
}

export function withSide(thread: ThreadRecord, name: SideName, side: ThreadSide): ThreadRecord {
  if (name === 'mail') return { ...thread, ...side }
  const { spam: _before, ...rest } = thread
  return side.messageCount === 0 ? rest : { ...rest, spam: side }
}

export function withMessage(
  thread: ThreadRecord,
  state: MessageState,
  content: ShownContent,
  others: Address[],
): ThreadRecord {
  const at = state.createdAt
  const recent = thread.recentSends.filter((sent) => sent > at - HOUR)
  const name = sideOfMessage(state)
  // A thread started by spam takes the subject of its first normal message.
  const isFirst = name === 'mail' && thread.messageCount === 0 && thread.spam !== undefined
  const side = { ...withCounted(sideOf(thread, name), state, content, others), ...lastOf(state, content) }
  return {
    ...withSide(thread, name, side),
    places: [...thread.places, state.seq],
    ...(isFirst ? { subject: content.subject } : {}),
    // Unreleased mail counts when released.
    recentSends:
      state.labels.includes(SENT_LABEL) && !isImported(state) ? [...recent, at].slice(-MAX_SENDS_PER_HOUR) : recent,
  }
}

/** Records the release of a scheduled message. */
export function withSend(thread: ThreadRecord, now: number): ThreadRecord {
  const recent = thread.recentSends.filter((sent) => sent > now - HOUR)
  return { ...thread, recentSends: [...recent, now].slice(-MAX_SENDS_PER_HOUR) }
}

/** Returns a message to a side at its old place, from the trash or the other side. */
export function withReturned(
  thread: ThreadRecord,
  state: MessageState,
  content: ShownContent,
  others: Address[],
): ThreadRecord {
  const name = sideOfMessage(state)
  const before = sideOf(thread, name)
  const counted = withCounted(before, state, content, others)
  return withSide(thread, name, state.seq > before.lastSeq ? { ...counted, ...lastOf(state, content) } : counted)
}

function withCounted(side: ThreadSide, state: MessageState, content: ShownContent, others: Address[]): ThreadSide {
  return {
    ...tallied(side, undefined, state),
    participants: distinct([...side.participants, ...others]).slice(0, MAX_PARTICIPANTS),
    messageCount: side.messageCount + 1,
    hasAttachments: side.hasAttachments || content.attachments.length > 0,
  }
}

export function lastOf(
  state: MessageState,
  content: Pick<MessageContent, 'preview'>,
): Pick<ThreadSide, 'preview' | 'lastMessageId' | 'lastDirection' | 'lastAt' | 'lastSeq'> {
  return {
    preview: content.preview,
    lastMessageId: state.id,
    lastDirection: state.direction,
    lastAt: state.createdAt,
    lastSeq: state.seq,
  }
}

/** True if it can take one more message. Trashed ones count, since they may be restored. */
export function takesMore(thread: ThreadRecord): boolean {
  return thread.places.length + thread.trash.length < MAX_THREAD_MESSAGES
}

/** True if one more message exceeds the hourly limit. */
export function sendsTooOften(thread: ThreadRecord, now: number): boolean {
  return thread.recentSends.filter((sent) => sent > now - HOUR).length >= MAX_SENDS_PER_HOUR
}

/**
 * Counts of labels and unread messages after a message changed from `before` (undefined: new on its side) to `after` (undefined: gone from it). Both are on one
 * side.
 */
export function retally(
  thread: ThreadRecord,
  before: MessageState | undefined,
  after: MessageState | undefined,
): ThreadRecord {
  const state = before ?? after
  if (!state) return thread
  const name = sideOfMessage(state)
  return withSide(thread, name, tallied(sideOf(thread, name), before, after))
}

function tallied<S extends ThreadSide>(side: S, before: MessageState | undefined, after: MessageState | undefined): S {
  const counts = new Map(side.labels)
  for (const label of before?.labels ?? []) counts.set(label, (counts.get(label) ?? 0) - 1)
  for (const label of after?.labels ?? []) counts.set(label, (counts.get(label) ?? 0) + 1)
  return {
    ...side,
    labels: [...counts].filter(([, messages]) => messages > 0),
    unreadCount: side.unreadCount + Number(after?.unread ?? false) - Number(before?.unread ?? false),
  }
}

export const SPAM_LIST = labelList(SPAM_LABEL)

/** Place and lists of a side; undefined if empty. Spam is only in the list of the label `spam`. */
export function listingOf(thread: ThreadRecord, name: SideName): Listing | undefined {
  const { messageCount, unreadCount, labels, lastSeq: seq } = sideOf(thread, name)
  if (messageCount === 0) return undefined
  if (name === 'spam') return { seq, names: [SPAM_LIST] }
  return {
    seq,
    names: [ALL_LIST, ...(unreadCount > 0 ? [UNREAD_LIST] : []), ...labels.map(([label]) => labelList(label))],
  }
}

export type ShownSide = SideName | 'all'

/** The thread as shown in the API; the other side if the requested one is empty. */
export function toThread(mailboxId: string, thread: ThreadRecord, asked: ShownSide = 'mail'): Thread {
  const side = shownSide(thread, asked)
  return {
    id: thread.id,
    object: 'thread',
    mailbox_id: mailboxId,
    subject: thread.subject,
    preview: side.preview,
    participants: side.participants.map(shownAddress),
    labels: side.labels.map(([label]) => label),
    unread_count: side.unreadCount,
    message_count: side.messageCount,
    has_attachments: side.hasAttachments,
    last_message_id: side.lastMessageId,
    last_direction: side.lastDirection,
    last_message_at: timestamp(side.lastAt),
    created_at: timestamp(thread.createdAt),
  }
}

function shownSide(thread: ThreadRecord, asked: ShownSide): ThreadSide {
  const { spam } = thread
  if (!spam) return thread
  if (thread.messageCount === 0 || asked === 'spam') return spam
  return asked === 'mail' ? thread : bothSides(thread, spam)
}

function bothSides(mail: ThreadSide, spam: ThreadSide): ThreadSide {
  const counts = new Map(mail.labels)
  for (const [label, messages] of spam.labels) counts.set(label, (counts.get(label) ?? 0) + messages)
  return {
    ...(spam.lastSeq > mail.lastSeq ? spam : mail),
    participants: distinct([...mail.participants, ...spam.participants]).slice(0, MAX_PARTICIPANTS),
    labels: [...counts],
    unreadCount: mail.unreadCount + spam.unreadCount,
    messageCount: mail.messageCount + spam.messageCount,
    hasAttachments: mail.hasAttachments || spam.hasAttachments,
  }
}
