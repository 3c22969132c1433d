/** Expected state of a conversation, from its messages alone: for checks and repairs. */
import { type MessageState, othersIn } from '../../mailbox/message.js'
import { readShownOf, readStateAt } from '../../mailbox/message-rows.js'
import {
  newThread,
  sideOf,
  sideOfMessage,
  withMessage,
  type SideName,
  type ThreadRecord,
  type ThreadSide,
} from '../../mailbox/threads/thread.js'
import type { MailboxRecord } from '../../mailbox/mailbox-record.js'
import type { View } from '../../store/types.js'

/** The messages of a conversation, oldest first, and those in the trash. */
export interface ThreadMessages {
  here: MessageState[]
  trash: MessageState[]
  /** Listed places without a message of it, or with one on the other side of the trash. */
  strays: number[]
}

export async function messagesOf(view: View, { id, places, trash }: ThreadRecord): Promise<ThreadMessages> {
  const found: ThreadMessages = { here: [], trash: [], strays: [] }
  for (const seq of [...places, ...trash]) {
    const state = await readStateAt(view, seq)
    if (state?.threadId !== id || (state.trashed !== undefined) !== trash.includes(seq)) found.strays.push(seq)
    else found[state.trashed ? 'trash' : 'here'].push(state)
  }
  return found
}

/** Fields of a record that follow from its messages. */
export function summaryOf(here: readonly MessageState[], trash: readonly MessageState[]) {
  const side = (name: SideName) => sideSummary(here.filter((state) => sideOfMessage(state) === name))
  const places = (states: readonly MessageState[]) => states.map(({ seq }) => seq).sort((a, b) => a - b)
  return { mail: side('mail'), spam: side('spam'), places: places(here), trash: places(trash) }
}

function sideSummary(states: readonly MessageState[]) {
  const labels = new Map<string, number>()
  for (const state of states) for (const label of state.labels) labels.set(label, (labels.get(label) ?? 0) + 1)
  const last = states.reduce<MessageState | undefined>((a, b) => (a && a.seq > b.seq ? a : b), undefined)
  return {
    messageCount: states.length,
    unreadCount: states.filter(({ unread }) => unread).length,
    labels: [...labels].sort(([a], [b]) => (a < b ? -1 : 1)),
    ...(last && { lastMessageId: last.id, lastSeq: last.seq }),
  }
}

/** The same fields of a record; a side without messages keeps its old last message. */
export function summaryIn(thread: ThreadRecord): ReturnType<typeof summaryOf> {
  const side = (name: SideName) => sideSummaryIn(sideOf(thread, name))
  return { mail: side('mail'), spam: side('spam'), places: thread.places, trash: thread.trash }
}

function sideSummaryIn(side: ThreadSide): ReturnType<typeof sideSummary> {
  return {
    messageCount: side.messageCount,
    unreadCount: side.unreadCount,
    labels: [...side.labels].sort(([a], [b]) => (a < b ? -1 : 1)),
    ...(side.messageCount > 0 && { lastMessageId: side.lastMessageId, lastSeq: side.lastSeq }),
  }
}

/** Fields of a record that do not follow from its messages. */
export type Begun = Pick<ThreadRecord, 'subject' | 'createdAt' | 'recentSends'>

/** Rebuilds the record from the messages of a conversation; undefined if there are none. @param states including those in the trash */
export async function remakeThread(
  view: View,
  mailbox: Pick<MailboxRecord, 'address' | 'aliases'>,
  threadId: string,
  states: readonly MessageState[],
  before: Begun | undefined,
): Promise<ThreadRecord | undefined> {
  const all = [...states].sort((a, b) => a.seq - b.seq)
  const [first] = all
  if (!first) return undefined
  const subject = before?.subject ?? (await readShownOf(view, first))?.subject ?? ''
  let thread = newThread(threadId, subject, before?.createdAt ?? first.createdAt)
  for (const state of all) {
    const content = await readShownOf(view, state)
    if (state.trashed) thread = { ...thread, trash: [...thread.trash, state.seq] }
    else if (content) thread = withMessage(thread, state, content, othersIn(content, mailbox))
  }
  return { ...thread, subject, ...(before && { recentSends: before.recentSends }) }
}
