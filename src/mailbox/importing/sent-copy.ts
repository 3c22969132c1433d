/**
 * Mail programs store a copy of what they have sent in Sent, and the service has it there already. The two are one message if the outgoing one is of the last days
 * and has the Message-ID of the copy.
 */
import { DAY } from '../../lib/clock.js'
import type { Transaction } from '../../store/types.js'
import { foldersOf } from '../folders/folder.js'
import { isImported, type MessageState } from '../message.js'
import { messageWithId, threadOfMessageId } from '../threads/threading.js'

const SENT_WITHIN_MS = 7 * DAY

/** The outgoing message of which a program stores a copy. */
export async function sentMessage(
  tx: Transaction,
  messageId: string | null,
  now: number,
): Promise<MessageState | undefined> {
  const thread = messageId === null ? undefined : await threadOfMessageId(tx, messageId)
  if (!thread || messageId === null) return undefined
  return messageWithId(
    tx,
    thread,
    messageId,
    (state) => !isImported(state) && state.createdAt >= now - SENT_WITHIN_MS && foldersOf(state).includes('sent'),
  )
}
