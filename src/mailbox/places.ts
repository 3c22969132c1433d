/**
 * The messages of a mailbox in the order of their places, as the search index knows them: a row for each, with what lists show and filter by, and
 * rows for what changes and is asked for (unread, a label, a status), so that a list of few among many is read without passing the others. A
 * row follows the message's state; one that is gone, or in the trash, has none.
 */
import { decode, encode } from '../store/keys.js'
import type { Transaction } from '../store/types.js'
import { EMPTY_VALUE, listedKey, placeKey } from './keys.js'
import type { MessageContent, MessageState } from './message.js'
import type { MessageStatus } from './objects.js'

/** What a list shows of a message's content. */
export type ShownContent = Pick<
  MessageContent,
  | 'from'
  | 'to'
  | 'cc'
  | 'bcc'
  | 'reply_to'
  | 'subject'
  | 'preview'
  | 'message_id'
  | 'in_reply_to'
  | 'automation'
  | 'attachments'
>

export interface Place {
  messageId: string
  threadId: string
  /** When it came, or was sent off; milliseconds since the epoch. */
  at: number
  labels: string[]
  unread: boolean
  status: MessageStatus
  /** Null when it is too much for a row: then the content is read. */
  shown: ShownContent | null
}

/** A message to some thousand people, or of as many parts, is shown from its content. */
const MAX_SHOWN_BYTES = 8 * 1024

export function placeOf(state: MessageState, shown: ShownContent | null): Place {
  const { id: messageId, threadId, createdAt: at, labels, unread, status } = state
  return { messageId, threadId, at, labels, unread, status, shown }
}

export function shownOf(content: ShownContent): ShownContent | null {
  const { from, to, cc, bcc, reply_to, subject, preview, message_id, in_reply_to, automation, attachments } = content
  const shown = { from, to, cc, bcc, reply_to, subject, preview, message_id, in_reply_to, automation, attachments }
  return encode(shown).length > MAX_SHOWN_BYTES ? null : shown
}

export const UNREAD = 'unread'
export const labelled = (label: string): string => `label:${label}`
/** Every inbound message is `received`: that is asked for by its direction. */
export const ofStatus = (status: Exclude<MessageStatus, 'received'>): string => `status:${status}`

export function listsOf({ labels, unread, status }: Place): string[] {
  return [...labels.map(labelled), ...(unread ? [UNREAD] : []), ...(status === 'received' ? [] : [ofStatus(status)])]
}

/** Writes what is known of the message at a place now, or takes it away, in all lists. */
export async function savePlace(tx: Transaction, seq: number, after: Place | null): Promise<void> {
  const bytes = await tx.get(placeKey(seq))
  const before = bytes ? listsOf(decode<Place>(bytes)) : []
  const now = new Set(after ? listsOf(after) : [])
  for (const name of before) if (!now.delete(name)) tx.delete(listedKey(name, seq))
  for (const name of now) tx.put(listedKey(name, seq), EMPTY_VALUE)
  if (after) tx.put(placeKey(seq), encode(after))
  else if (bytes) tx.delete(placeKey(seq))
}
