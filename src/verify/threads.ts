/** What a conversation has to be, from its messages alone: for finding what is wrong, and for making it anew. */
import { contentKey, messageKey, threadMessagesRange, threadTrashRange } from '../mailbox/keys.js'
import type { MessageContent, MessageState } from '../mailbox/message.js'
import { othersIn } from '../mailbox/message.js'
import { MAX_THREAD_MESSAGES, newThread, sideOf, sideOfMessage, withMessage } from '../mailbox/thread.js'
import type { SideName, ThreadRecord, ThreadSide } from '../mailbox/thread.js'
import type { MailboxRecord } from '../mailbox/types.js'
import { decode, keyParts } from '../store/keys.js'
import type { View } from '../store/types.js'

export interface ThreadRow {
  seq: number
  messageId: string
  /** Undefined when there is no such message. */
  state: MessageState | undefined
}

/** The messages that a conversation lists, in its order; those in the trash apart. */
export async function readRows(view: View, threadId: string): Promise<{ messages: ThreadRow[]; trash: ThreadRow[] }> {
  const read = async (range: { gte: Uint8Array; lt: Uint8Array }): Promise<ThreadRow[]> => {
    const rows = await view.range({ ...range, limit: MAX_THREAD_MESSAGES * 2 })
    const places = rows.map(([row]) => {
      const [, , seq, messageId] = keyParts(row)
      return { seq: Number(seq), messageId: String(messageId) }
    })
    const states = await view.getMany(places.map(({ messageId }) => messageKey(messageId)))
    return places.map((place, i) => {
      const bytes = states[i]
      return { ...place, state: bytes && decode<MessageState>(bytes) }
    })
  }
  return { messages: await read(threadMessagesRange(threadId)), trash: await read(threadTrashRange(threadId)) }
}

/** In which a record may differ from its messages only if something went wrong. */
export function summaryOf(states: readonly MessageState[], trashed: number) {
  const side = (name: SideName) => sideSummary(states.filter((state) => sideOfMessage(state) === name))
  return { mail: side('mail'), spam: side('spam'), trashedCount: trashed }
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

/** Of a record, the same; a side without messages keeps whatever was its last. */
export function summaryIn(thread: ThreadRecord): ReturnType<typeof summaryOf> {
  const side = (name: SideName) => sideSummaryIn(sideOf(thread, name))
  return { mail: side('mail'), spam: side('spam'), trashedCount: thread.trashedCount ?? 0 }
}

function sideSummaryIn(side: ThreadSide): ReturnType<typeof sideSummary> {
  return {
    messageCount: side.messageCount,
    unreadCount: side.unreadCount,
    labels: [...side.labels].sort(([a], [b]) => (a < b ? -1 : 1)),
    ...(side.messageCount > 0 && { lastMessageId: side.lastMessageId, lastSeq: side.lastSeq }),
  }
}

/** The record made anew. @param before what there is of it; its subject and beginning stay */
export async function remakeThread(
  view: View,
  mailbox: MailboxRecord,
  threadId: string,
  states: readonly MessageState[],
  trashed: readonly MessageState[],
  before: ThreadRecord | undefined,
): Promise<ThreadRecord | undefined> {
  const all = [...states].sort((a, b) => a.seq - b.seq)
  let thread: ThreadRecord | undefined
  for (const state of all) {
    const bytes = await view.get(contentKey(state.id))
    if (!bytes) continue
    const content = decode<MessageContent>(bytes)
    thread ??= newThread(threadId, before?.subject ?? content.subject, before?.createdAt ?? state.createdAt)
    thread = withMessage(thread, state, content, othersIn(content, mailbox))
  }
  if (!thread) {
    const [first] = trashed
    if (!before && !first) return undefined
    const begun = before ?? newThread(threadId, '', first?.createdAt ?? mailbox.createdAt)
    const { spam: _spam, ...whole } = begun
    thread = { ...whole, labels: [], unreadCount: 0, messageCount: 0 }
  }
  const { trashedCount: _trashed, ...rest } = thread
  return trashed.length > 0 || before?.trashedCount !== undefined ? { ...rest, trashedCount: trashed.length } : rest
}
