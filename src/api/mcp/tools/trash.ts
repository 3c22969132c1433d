/** Tools for the trash: trash, list_trash. Purging is left to humans, programs and time. */
import { z } from 'zod'
import { isSpam } from '../../../mailbox/labels.js'
import { plural, person, toTheSecond } from '../text/people.js'
import { requireOne } from './changing.js'
import { CHANGES, cursor, defineTool, messageId, pageLimit, READS, threadId } from '../tool.js'

export const trash = defineTool({
  name: 'trash',
  title: 'Trash',
  description: 'Moves a message or a conversation to the trash, where it stays for 7 days, or restores it.',
  input: z.strictObject({
    action: z.enum(['delete', 'restore']),
    message_id: messageId.optional(),
    thread_id: threadId.optional(),
    dry_run: z.boolean().default(false).describe('Changes nothing; shows the effect'),
  }),
  output: z.strictObject({ changed: z.int() }),
  // Trashed messages are deleted after 7 days.
  annotations: { ...CHANGES.annotations, destructiveHint: true },
  scope: 'mail:write',
  async run({ mailboxes }, input, { caller: { mailboxId } }) {
    const { action, message_id: message, thread_id: thread, dry_run: isDry } = input
    requireOne({ message_id: message, thread_id: thread })
    const id = message ?? thread ?? ''
    const deletes = action === 'delete'
    if (isDry) {
      // Both return not_found for unknown ids; trashed ones are found by id.
      const changed =
        message === undefined && deletes ? (await mailboxes.reading.thread(mailboxId, id)).message_count : 1
      if (message !== undefined) await mailboxes.reading.message(mailboxId, id)
      const what = message === undefined && !deletes ? 'The conversation' : plural(changed, 'message')
      const text = `${what} would ${deletes ? 'go to the trash' : 'come back from the trash'}. Nothing was changed.`
      return { text, structured: { changed: 0 }, untrusted: false }
    }
    const changed = await (message === undefined ? changeThread() : changeMessage())
    const text = deletes
      ? `${plural(changed, 'message')} moved to the trash; trash with action restore brings it back within 7 days.`
      : `${plural(changed, 'message')} back in place.`
    return { text, structured: { changed }, untrusted: false }

    async function changeThread(): Promise<number> {
      const { trash } = mailboxes
      return (await (deletes ? trash.deleteThread(mailboxId, id) : trash.restoreThread(mailboxId, id))).message_count
    }

    async function changeMessage(): Promise<number> {
      const { trash } = mailboxes
      await (deletes ? trash.deleteMessage(mailboxId, id) : trash.restoreMessage(mailboxId, id))
      return 1
    }
  },
})

export const listTrash = defineTool({
  name: 'list_trash',
  title: 'List trash',
  description: 'Lists deleted messages, last deleted first.',
  input: z.strictObject({ limit: pageLimit(50), cursor }),
  output: z.strictObject({
    messages: z.array(
      z.strictObject({
        message_id: z.string(),
        purge_at: z.string(),
        spam: z.literal(true).optional(),
        untrusted: z.strictObject({ from: z.string().optional(), subject: z.string() }),
      }),
    ),
    next_cursor: z.string().optional(),
  }),
  ...READS,
  async run({ mailboxes }, page, { caller, fence }) {
    const { data, next_cursor: next } = await mailboxes.trash.list(caller.mailboxId, page)
    const messages = data.map((each) => ({
      message_id: each.id,
      purge_at: toTheSecond(each.purge_at),
      ...(isSpam(each) && { spam: true as const }),
      untrusted: {
        ...(each.from && { from: person(fence, each.from) }),
        subject: fence.inline(each.subject, 150),
      },
    }))
    const structured = { messages, ...(next !== null && { next_cursor: next }) }
    if (messages.length === 0) return { text: 'The trash is empty.', structured, untrusted: false }
    const ours = messages.map(
      (each, i) => `${i + 1}. ${each.message_id}${each.spam ? ', spam' : ''}, gone at ${each.purge_at}`,
    )
    const theirs = messages.map(({ untrusted: { from, subject } }, i) => `${i + 1}. ${from ?? 'nobody'}: ${subject}`)
    const more = next === null ? '' : `\nMore: call again with cursor ${next}`
    return { text: `${ours.join('\n')}\n${fence.wrap(theirs.join('\n'))}${more}`, structured, untrusted: true }
  },
})
