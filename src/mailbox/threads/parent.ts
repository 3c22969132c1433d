/** The stored message that a message replies to, for the question whether what it quotes was written there. */
import type { View } from '../../store/types.js'
import type { MessageContent } from '../message.js'
import { readContentOf } from '../message-rows.js'
import { messageWithId, threadOfMessageId } from './threading.js'

const QUOTED_HTML = /<blockquote|_quote/i
/** Programs quote near the top or at the end; the rest of a large message is not searched. */
const MAX_SEARCHED_CHARS = 256 * 1024

/**
 * Reads the parent, in three rows more, only of a message that quotes something.
 *
 * @returns '' if the mailbox has no parent of it; undefined if nothing is quoted
 */
export async function quotedParent(view: View, content: MessageContent): Promise<string | undefined> {
  if (!quotes(content)) return undefined
  const { in_reply_to: messageId } = content
  const thread = messageId === null ? undefined : await threadOfMessageId(view, messageId)
  const state = messageId === null || !thread ? undefined : await messageWithId(view, thread, messageId)
  return (state && (await readContentOf(view, state)))?.text ?? ''
}

function quotes({ text, html, extracted_text: own }: MessageContent): boolean {
  if (own !== null && own.length < text.trim().length) return true
  return html !== null && QUOTED_HTML.test(html.slice(0, MAX_SEARCHED_CHARS))
}
