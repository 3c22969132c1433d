/** Messages that leave their side of a thread, to the trash or the other side. */
import { setImmediate as tick } from 'node:timers/promises'
import { addressKey } from '../../mime/address.js'
import type { View } from '../../store/types.js'
import { type MessageState, type StoredMessage, othersIn } from '../message.js'
import { readShownOf, readStates } from '../message-rows.js'
import {
  lastOf,
  retally,
  sideOf,
  sideOfMessage,
  withSide,
  type SideName,
  type ThreadRecord,
  type ThreadSide,
} from './thread.js'
import type { MailboxRecord } from '../mailbox-record.js'

/** Yields after this many contents, which may be large. */
const READ_STEP = 10

type Own = Pick<MailboxRecord, 'address' | 'aliases'>

/** The thread without some messages, given with their former states; their rows are already updated. */
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
    const left = await messagesOf(view, thread, name)
    after = withSide(after, name, await leftOf(view, sideOf(after, name), { gone: leaving, left }, mailbox))
  }
  return after
}

async function messagesOf(view: View, { places }: ThreadRecord, name: SideName): Promise<MessageState[]> {
  const states = await readStates(view, places.toReversed())
  return states.filter((state) => sideOfMessage(state) === name)
}

/** Preview, participants and place of a side from its remaining messages. Counts are right already, apart from the total. */
async function leftOf(
  view: View,
  side: ThreadSide,
  { gone, left }: { gone: StoredMessage[]; left: MessageState[] },
  mailbox: Own,
): Promise<ThreadSide> {
  const messageCount = side.messageCount - gone.length
  const [newest] = left
  const content = newest && (await readShownOf(view, newest))
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

/** Participants that are in no remaining message, and whether one has attachments. Reads newest first until both are known, usually one or two messages. */
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
  for (const [i, state] of left.entries()) {
    if (missing.size === 0 && hasAttachments) break
    if (i % READ_STEP === READ_STEP - 1) await tick()
    const content = await readShownOf(view, state)
    if (!content) continue
    hasAttachments ||= content.attachments.length > 0
    for (const { address } of othersIn(content, mailbox)) missing.delete(addressKey(address))
  }
  return { missing, hasAttachments }
}
