/** Conversations in a list: our text first, strangers' text in one fence, only what is needed to choose. */
import { z } from 'zod'
import type { Thread } from '../../../mailbox/objects/objects.js'
import type { Fence } from './fence.js'
import { firstPeople, plural, toTheSecond } from './people.js'

const MAX_PARTICIPANTS = 3
const MAX_SUBJECT = 150
const MAX_PREVIEW = 150
/** Labels of nearly every conversation, left out. */
const PLAIN_LABELS = new Set(['inbox', 'sent'])

export const conversationOutput = z.strictObject({
  thread_id: z.string(),
  last_at: z.string(),
  last_from_you: z.boolean(),
  messages: z.int(),
  unread: z.int(),
  attachments: z.boolean(),
  labels: z.array(z.string()),
  untrusted: z.strictObject({ people: z.array(z.string()), subject: z.string(), preview: z.string() }),
})
export const conversationPage = z.strictObject({
  threads: z.array(conversationOutput),
  next_cursor: z.string().optional(),
})

export type Conversation = z.infer<typeof conversationOutput>

export function conversationResult(fence: Fence, thread: Thread): Conversation {
  return {
    thread_id: thread.id,
    last_at: toTheSecond(thread.last_message_at),
    last_from_you: thread.last_direction === 'outbound',
    messages: thread.message_count,
    unread: thread.unread_count,
    attachments: thread.has_attachments,
    labels: thread.labels.filter((label) => !PLAIN_LABELS.has(label)),
    untrusted: {
      people: firstPeople(fence, thread.participants, MAX_PARTICIPANTS),
      subject: fence.inline(thread.subject, MAX_SUBJECT),
      preview: fence.inline(thread.preview, MAX_PREVIEW),
    },
  }
}

/** Our numbered lines, then strangers' text under the same numbers, one line each. */
export function conversationLines(fence: Fence, list: readonly Conversation[]): string {
  const ours = list.map((each, i) => {
    const marks = [
      ...(each.unread > 0 ? [`${each.unread} unread of ${each.messages}`] : [plural(each.messages, 'message')]),
      ...(each.attachments ? ['files'] : []),
      ...(each.last_from_you ? ['last from you'] : []),
      ...each.labels,
    ]
    return `${i + 1}. ${each.thread_id} ${each.last_at} (${marks.join(', ')})`
  })
  const theirs = list.map(
    ({ untrusted: { people, subject, preview } }, i) => `${i + 1}. ${people.join(', ')}: ${subject}\n${preview}`,
  )
  return `${ours.join('\n')}\n${fence.wrap(theirs.join('\n'))}`
}
