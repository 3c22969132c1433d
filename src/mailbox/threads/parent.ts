/** The stored message that a message replies to, for the question whether what it quotes was written there. */
import { quotesSomething } from '../../guard/reading/history.js'
import type { View } from '../../store/types.js'
import type { MessageContent, MessageState } from '../message.js'
import { readContentOf } from '../message-rows.js'
import { messageWithId, referencesOf, threadOfMessageId } from './threading.js'

/** Messages that it names, newest first, which are looked up: some programs name the parent in References only. */
const MAX_LOOKED_UP = 3

export type Quoting = Pick<MessageContent, 'text' | 'html' | 'extracted_text' | 'in_reply_to' | 'references'>

/**
 * Reads the parent, in three rows more, only of a message that quotes something.
 *
 * @param fits false for parents that prove nothing
 * @returns '' if the mailbox has no parent of it; undefined if nothing is quoted
 */
export async function quotedParent(
  view: View,
  content: Quoting,
  fits?: (state: MessageState) => boolean,
): Promise<string | undefined> {
  const { text, html, extracted_text: own } = content
  if (!quotesSomething({ text, html, own })) return undefined
  for (const id of referencesOf(content).slice(0, MAX_LOOKED_UP)) {
    const thread = await threadOfMessageId(view, id)
    const state = thread && (await messageWithId(view, thread, id, fits))
    if (state) return (await readContentOf(view, state))?.text ?? ''
  }
  return ''
}
