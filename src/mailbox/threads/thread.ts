/**
 * The record of a thread: what a list shows, and the counts that follow from its messages. It is the only place that knows in which lists
 * a thread stands, so counts, labels and lists can't drift apart.
 *
 * A thread has two sides: its messages, and those of them that are spam. Each is summed up for itself, so that a stranger's spam in a conversation
 * changes neither its preview nor its place in the lists. A thread of spam alone is in the list of spam and in no other.
 */
import { HOUR, timestamp } from '../../lib/clock.js'
import { isSpam, SENT_LABEL, SPAM_LABEL } from '../objects/label-names.js'
import { ALL_LIST, labelList, UNREAD_LIST, type Standing } from '../lists.js'
import { type MessageContent, type MessageState, type ShownContent, distinct } from '../message.js'
import type { Address } from '../../mime/types.js'
import type { Thread } from '../objects/objects.js'
import { shownAddress } from '../objects/shown-names.js'

/** A thread takes no more than this; a further message begins a new one. So one commit can change every message of a thread. */
export const MAX_THREAD_MESSAGES = 500
const MAX_PARTICIPANTS = 50

/** Loop guard: more outbound messages than this in one thread within an hour are held. */
export const MAX_SENDS_PER_HOUR = 20

/** What some messages of a thread come to. Times are milliseconds since the epoch. */
export interface ThreadSide {
  preview: string
  /** Everybody but the mailbox itself. */
  participants: Address[]
  /** How many of the messages have a label. */
  labels: [label: string, messages: number][]
  unreadCount: number
  messageCount: number
  hasAttachments: boolean
  lastMessageId: string
  lastDirection: 'inbound' | 'outbound'
  lastAt: number
  /** Its place in the lists: the number of the event that told of its last message. */
  lastSeq: number
}

/** The side of all that is no spam, and what belongs to the thread as a whole. */
export interface ThreadRecord extends ThreadSide {
  id: string
  subject: string
  /** Places of its messages, of both sides, ascending. */
  places: number[]
  /** Places of those that are in the trash; nothing else here counts them. */
  trash: number[]
  /** The side of what is spam; missing while nothing is. */
  spam?: ThreadSide
  createdAt: number
  /** Times of the outbound messages of the last hour, as many as the loop guard needs. */
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

/** The thread that a first message begins, before that message is added. */
export function newThread(id: string, subject: string, now: number): ThreadRecord {
  return { ...noMessages(now), id, subject, places: [], trash: [], createdAt: now, recentSends: [] }
}

/** Which side of a thread. */
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

/** The thread with one message more, its newest. */
export function withMessage(
  thread: ThreadRecord,
  state: MessageState,
  content: ShownContent,
  others: Address[],
): ThreadRecord {
  const at = state.createdAt
  const recent = thread.recentSends.filter((sent) => sent > at - HOUR)
  const name = sideOfMessage(state)
  // What spam began has the subject of its first message that is none.
  const isFirst = name === 'mail' && thread.messageCount === 0 && thread.spam !== undefined
  const side = { ...withCounted(sideOf(thread, name), state, content, others), ...lastOf(state, content) }
  return {
    ...withSide(thread, name, side),
    places: [...thread.places, state.seq],
    ...(isFirst ? { subject: content.subject } : {}),
    // What waits to be let go counts when it goes.
    recentSends: state.labels.includes(SENT_LABEL) ? [...recent, at].slice(-MAX_SENDS_PER_HOUR) : recent,
  }
}

/** The thread of which a scheduled message goes now. */
export function withSend(thread: ThreadRecord, now: number): ThreadRecord {
  const recent = thread.recentSends.filter((sent) => sent > now - HOUR)
  return { ...thread, recentSends: [...recent, now].slice(-MAX_SENDS_PER_HOUR) }
}

/** The thread with a message that comes back to a side of it, from the trash or from the other side, to the place where it was. */
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

/** What a thread shows of its last message. */
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

/** Whether it takes one message more. What is in the trash may come back, so it counts. */
export function takesMore(thread: ThreadRecord): boolean {
  return thread.places.length + thread.trash.length < MAX_THREAD_MESSAGES
}

/** Whether one more message now would be one too many within the hour. */
export function sendsTooOften(thread: ThreadRecord, now: number): boolean {
  return thread.recentSends.filter((sent) => sent > now - HOUR).length >= MAX_SENDS_PER_HOUR
}

/**
 * The thread's counts of labels and unread messages after one of its messages changed from `before` (undefined: it is new on its side) to `after`
 * (undefined: it is gone from there). Both are of one side.
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

/** Where a side of a thread stands in lists; undefined when it has no message. What is spam is in the list of the label `spam` alone. */
export function standingOf(thread: ThreadRecord, name: SideName): Standing | undefined {
  const { messageCount, unreadCount, labels, lastSeq: seq } = sideOf(thread, name)
  if (messageCount === 0) return undefined
  if (name === 'spam') return { seq, names: [SPAM_LIST] }
  return {
    seq,
    names: [ALL_LIST, ...(unreadCount > 0 ? [UNREAD_LIST] : []), ...labels.map(([label]) => labelList(label))],
  }
}

/** What is shown of a thread: one side, or all of it. */
export type ShownSide = SideName | 'all'

/** The thread as it leaves the service; the other side where there is nothing on the one that is asked for. */
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
