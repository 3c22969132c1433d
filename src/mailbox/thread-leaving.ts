/** Messages that leave their side of a thread: for the trash, or for the other side. */
import { setImmediate as tick } from 'node:timers/promises'
import { addressKey } from '../mime/address.js'
import { decode, keyParts } from '../store/keys.js'
import type { View } from '../store/types.js'
import { messageKey, threadMessagesRange } from './keys.js'
import type { MessageState, StoredMessage } from './message.js'
import { othersIn, readContent } from './message.js'
import { lastOf, MAX_THREAD_MESSAGES, retally, sideOf, sideOfMessage, withSide } from './thread.js'
import type { SideName, ThreadRecord, ThreadSide } from './thread.js'
import type { MailboxRecord } from './types.js'

/** Contents are large: after so many others have their turn. */
const READ_STEP = 10

type Own = Pick<MailboxRecord, 'address' | 'aliases'>

/**
 * The thread without some messages, whose states are as they were on their side. What is stored says already that they are not there.
 *
 * @param gone of both sides
 */
export async function withoutThem(
  view: View,
  thread: ThreadRecord,
  gone: StoredMessage[],
  mailbox: Own,
): Promise<ThreadRecord> {
  let after = thread
  for (const name of ['mail', 'spam'] as const) {
    const leaving = gone.filter(({ state }) => sideOfMessage(state) === name)
    if (leaving.length === 0) continue
    for (const { state } of leaving) after = retally(after, state, undefined)
    const left = await messagesOf(view, thread.id, name)
    after = withSide(after, name, await leftOf(view, sideOf(after, name), { gone: leaving, left }, mailbox))
  }
  return after
}

/** The messages of one side, newest first. */
async function messagesOf(view: View, threadId: string, name: SideName): Promise<MessageState[]> {
  const rows = await view.range({ ...threadMessagesRange(threadId), limit: MAX_THREAD_MESSAGES, reverse: true })
  const values = await view.getMany(rows.map(([row]) => messageKey(String(keyParts(row)[3]))))
  return values
    .flatMap((value) => (value ? [decode<MessageState>(value)] : []))
    .filter((state) => sideOfMessage(state) === name)
}

/** A side's preview, participants and place, as what is left of it says. Its counts are right already, but for the one of all messages. */
async function leftOf(
  view: View,
  side: ThreadSide,
  { gone, left }: { gone: StoredMessage[]; left: MessageState[] },
  mailbox: Own,
): Promise<ThreadSide> {
  const messageCount = side.messageCount - gone.length
  const [newest] = left
  const content = newest && (await readContent(view, newest.id))
  if (!newest || !content) {
    return {
      ...side,
      messageCount,
      preview: '',
      participants: [],
      hasAttachments: false,
      lastMessageId: '',
      lastSeq: 0,
    }
  }
  const { missing, hasAttachments } = await othersLeft(view, left, gone, mailbox)
  return {
    ...side,
    messageCount,
    ...lastOf(newest, content),
    participants: side.participants.filter(({ address }) => !missing.has(addressKey(address))),
    hasAttachments: side.hasAttachments && hasAttachments,
  }
}

/**
 * Who is in none of the messages that are left, and whether one of these has attachments. They are read until both are known, the newest first:
 * most of the time the first one or two tell.
 */
async function othersLeft(
  view: View,
  left: MessageState[],
  gone: StoredMessage[],
  mailbox: Own,
): Promise<{ missing: Set<string>; hasAttachments: boolean }> {
  const missing = new Set(
    gone.flatMap(({ content }) => othersIn(content, mailbox).map(({ address }) => addressKey(address))),
  )
  let hasAttachments = gone.every(({ content }) => content.attachments.length === 0)
  for (const [i, { id }] of left.entries()) {
    if (missing.size === 0 && hasAttachments) break
    if (i % READ_STEP === READ_STEP - 1) await tick()
    const content = await readContent(view, id)
    if (!content) continue
    hasAttachments ||= content.attachments.length > 0
    for (const { address } of othersIn(content, mailbox)) missing.delete(addressKey(address))
  }
  return { missing, hasAttachments }
}
