/** Tools that change mail: mark_read, label. */
import { z } from 'zod'
import { invalidRequest } from '../../../lib/errors.js'
import { MAX_LABELS } from '../../../mailbox/labels.js'
import { CHANGES, defineTool, messageId, threadId } from '../tool.js'

const MAX_IDS = 100

export const markRead = defineTool({
  name: 'mark_read',
  title: 'Mark as read',
  description: 'Marks messages or a whole conversation as read or unread.',
  input: z.strictObject({
    message_ids: z.array(messageId).min(1).max(MAX_IDS).optional(),
    thread_id: threadId.optional(),
    unread: z.boolean().default(false),
  }),
  output: z.strictObject({ changed: z.int(), not_found: z.array(z.string()) }),
  ...CHANGES,
  async run({ mailboxes }, { message_ids: ids, thread_id: thread, unread }, { caller, fence }) {
    requireOne({ message_ids: ids, thread_id: thread })
    const as = unread ? 'unread' : 'read'
    if (ids === undefined) {
      const { message_count: changed } = await mailboxes.labels.updateThread(caller.mailboxId, thread ?? '', { unread })
      const text = `The conversation is ${as}: ${changed} in all.`
      return { text, structured: { changed, not_found: [] }, untrusted: false }
    }
    const { updated, not_found } = await mailboxes.labels.updateMessages(caller.mailboxId, ids, { unread })
    const missing = not_found.map((id) => fence.inline(id, 64))
    const text = `${updated.length} ${as}.${missing.length === 0 ? '' : ` Not found: ${missing.join(', ')}.`}`
    return { text, structured: { changed: updated.length, not_found: missing }, untrusted: false }
  },
})

const labels = z.array(z.string().max(64)).max(MAX_LABELS).default([])
export const label = defineTool({
  name: 'label',
  title: 'Label',
  description: 'Adds and removes labels on a message or a whole conversation.',
  input: z.strictObject({
    message_id: messageId.optional(),
    thread_id: threadId.optional(),
    add_labels: labels,
    remove_labels: labels,
  }),
  output: z.strictObject({ labels: z.array(z.string()) }),
  ...CHANGES,
  async run({ mailboxes }, { message_id: message, thread_id: thread, add_labels, remove_labels }, { caller }) {
    requireOne({ message_id: message, thread_id: thread })
    if (add_labels.length + remove_labels.length === 0) {
      throw invalidRequest('There is nothing to change.', 'Call label again with add_labels or remove_labels.', [
        { field: 'add_labels', problem: 'It is empty, and so is remove_labels.' },
      ])
    }
    const change = { addLabels: add_labels, removeLabels: remove_labels }
    const changed =
      message === undefined
        ? await mailboxes.labels.updateThread(caller.mailboxId, thread ?? '', change)
        : await mailboxes.labels.updateMessage(caller.mailboxId, message, change)
    const text = `Labels now: ${changed.labels.join(', ') || 'none'}.`
    return { text, structured: { labels: changed.labels }, untrusted: false }
  },
})

/** @throws ServiceError `invalid_request` unless exactly one is given */
export function requireOne(given: Record<string, unknown>): void {
  const names = Object.keys(given)
  if (names.filter((name) => given[name] !== undefined).length === 1) return
  throw invalidRequest(
    'Name exactly one target.',
    `Call the tool again with either ${names.join(' or ')}.`,
    names.map((name) => ({ field: name, problem: `Give exactly one of ${names.join(', ')}.` })),
  )
}
