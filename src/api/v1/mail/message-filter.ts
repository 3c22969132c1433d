/** Filters of message lists, and of conversations by their messages. */
import { z } from 'zod'
import { messageStatusSchema } from '../../../mailbox/objects/objects.js'
import type { MessageFilter } from '../../../mailbox/search/message-filter.js'
import { flagQuery } from '../schemas.js'

/** An empty filter counts as missing. */
const words = (max: number, description: string) =>
  z
    .string()
    .max(max)
    .transform((text) => text.trim() || undefined)
    .optional()
    .describe(description)

const time = (description: string) =>
  z.iso
    .datetime({ offset: true, error: 'It must be a time such as 2026-01-31T09:30:00Z.' })
    .transform((text) => Date.parse(text))
    .optional()
    .describe(description)

export const filterQuery = {
  from: words(320, 'Written by: a whole address, `@example.org`, or words of a name or an address'),
  to: words(320, 'To, Cc or Bcc: the same'),
  subject: words(500, 'Consecutive words of the subject, in any case; the last may be incomplete'),
  label: words(64, 'With this label; `inbox`, `sent`, `held`, `blocked` and `spam` are labels too'),
  direction: z.enum(['inbound', 'outbound']).optional(),
  status: messageStatusSchema.optional(),
  has_attachment: z
    .enum(['0', '1', 'true', 'false'])
    .transform((value) => value === '1' || value === 'true')
    .optional()
    .describe('1: only with files; 0: only without'),
  unread: flagQuery('1: only unread ones'),
  after: time('At this time or later (RFC 3339)'),
  before: time('Before this time (RFC 3339)'),
  thread_id: words(64, 'Of this conversation'),
  include_spam: flagQuery(
    '1: spam too. It is left out otherwise, unless `label=spam`, `in:spam` or a conversation of spam alone is asked for',
  ),
  q: words(
    500,
    'Words, of which the last may be unfinished, and "phrases", to look for in text, subject, addresses and names of attachments, with `from:` `to:` `subject:` `label:` `has:attachment` `is:unread` `is:read` `in:inbox|sent|spam` `before:` `after:` (a day or a time), and `-` before what a message may not have',
  ),
}

export function filterOf(query: z.output<z.ZodObject<typeof filterQuery>>): MessageFilter {
  const { has_attachment: hasAttachment, thread_id: threadId, include_spam: includeSpam, ...same } = query
  return { ...same, hasAttachment, threadId, includeSpam }
}
