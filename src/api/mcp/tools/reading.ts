/** Tools that list and read conversations: check_inbox, search_mail, read_conversation. */
import { z } from 'zod'
import type { Mailboxes } from '../../../mailbox/composition/mailboxes.js'
import { charactersEach, messageOutput, messageResult, messageText, newWords } from '../text/messages.js'
import { conversationLines, conversationPage, conversationResult } from '../text/conversations.js'
import { cursor, defineTool, pageLimit, READS, threadId, type ToolContext, type ToolDeps } from '../tool.js'

const page = { limit: pageLimit(50), cursor }

export const checkInbox = defineTool({
  name: 'check_inbox',
  title: 'Check inbox',
  description: 'Lists conversations, newest first; those with unread mail unless asked otherwise.',
  input: z.strictObject({
    unread_only: z.boolean().default(true),
    label: z.string().max(64).optional().describe('inbox, spam (in no other list), sent, held, blocked or your own'),
    ...page,
  }),
  output: conversationPage,
  ...READS,
  kept: true,
  run: (deps, { unread_only: isUnread, ...query }, context) =>
    listConversations(deps, context, {
      ...query,
      ...(isUnread && { unread: true }),
      empty: isUnread
        ? 'No unread mail. Call wait_for_mail to wait for some, or check_inbox with unread_only false for older mail.'
        : 'No mail yet. Call wait_for_mail to wait for some.',
    }),
})

export const searchMail = defineTool({
  name: 'search_mail',
  title: 'Search mail',
  description: 'Finds conversations, newest first.',
  input: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(500)
      .describe('Words, "phrases", from: to: subject: label: has:attachment is:unread before: after:, - excludes'),
    ...page,
  }),
  output: conversationPage,
  ...READS,
  kept: true,
  run: (deps, { query: q, ...query }, context) =>
    listConversations(deps, context, { ...query, q, empty: 'Nothing found. Try fewer or shorter words.' }),
})

/** @param list `empty` is the text for an empty list */
async function listConversations(
  deps: ToolDeps,
  { caller, fence }: ToolContext,
  { empty, ...query }: Parameters<Mailboxes['reading']['threads']>[1] & { empty: string },
) {
  const list = await deps.mailboxes.reading.threads(caller.mailboxId, query)
  const threads = list.data.map((thread) => conversationResult(fence, thread))
  const structured = { threads, ...(list.next_cursor !== null && { next_cursor: list.next_cursor }) }
  if (threads.length === 0) return { text: empty, structured, untrusted: false }
  const more = list.next_cursor === null ? '' : `\nMore: call again with cursor ${list.next_cursor}`
  return { text: `${conversationLines(fence, threads)}${more}`, structured, untrusted: true }
}

export const readConversation = defineTool({
  name: 'read_conversation',
  title: 'Read conversation',
  description: 'Shows the newest messages of a conversation, oldest first, without quoted text. Marks nothing as read.',
  input: z.strictObject({ thread_id: threadId, limit: pageLimit(20), cursor }),
  output: z.strictObject({
    thread_id: z.string(),
    messages: z.array(messageOutput),
    next_cursor: z.string().optional(),
  }),
  ...READS,
  kept: true,
  async run({ mailboxes }, input, { caller: { mailboxId }, fence }) {
    const { thread_id: threadId, ...page } = input
    const list = await mailboxes.reading.messages(mailboxId, { ...page, threadId })
    // Distinguishes a missing thread, one in the trash, and the end of the list.
    if (list.data.length === 0) await mailboxes.reading.thread(mailboxId, threadId)
    const messages = await Promise.all(list.data.map(({ id }) => mailboxes.reading.message(mailboxId, id)))
    const characters = charactersEach(messages.length)
    const shown = messages.reverse().map((message) => ({ message, words: newWords(message, characters) }))
    const structured = {
      thread_id: threadId,
      messages: shown.map(({ message, words }) => messageResult(fence, message, words)),
      ...(list.next_cursor !== null && { next_cursor: list.next_cursor }),
    }
    const text = shown.map(({ message, words }) => messageText(fence, message, words)).join('\n\n')
    const older = list.next_cursor === null ? '' : ` Older messages: call again with cursor ${list.next_cursor}`
    return {
      text: `${text}\n\nTo answer, call reply with the message_id.${older}`,
      structured,
      untrusted: shown.length > 0,
    }
  },
})
