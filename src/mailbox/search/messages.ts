/** Lists messages, newest first, without their texts. Order is by place, so pages are stable: new messages come before the first page. */
import { setImmediate as tick } from 'node:timers/promises'
import { z } from 'zod'
import { timestamp } from '../../lib/clock.js'
import { decodeCursor, encodeCursor, place } from '../../lib/cursor.js'
import type { Store } from '../../store/types.js'
import { mailboxPartition } from '../keys.js'
import type { Matching } from './find-messages.js'
import {
  isImported,
  type MessageState,
  shownAttachment,
  type ShownContent,
  shownPeople,
  shownRecipients,
} from '../message.js'
import { readShownOf } from '../message-rows.js'
import type { MessageSummary } from '../objects/objects.js'
import { filterName } from './search.js'
import type { ListMessages } from './message-filter.js'

const cursorSchema = z.object({ query: z.string().max(32), end: place })

export function createMessageList(deps: { store: Store; matching: Matching }): ListMessages {
  const { store, matching } = deps
  const shown = createShown()
  return async (mailboxId, { limit, cursor: given, ...filter }) => {
    const query = filterName(filter)
    const cursor = decodeCursor(given, cursorSchema, (c) => c.query === query)
    const matches = await matching(mailboxId, filter, cursor?.end)
    const found: MessageState[] = []
    while (!matches.ended() && !matches.tired() && found.length <= limit) {
      found.push(...(await matches.next(limit + 1 - found.length)))
    }
    const page = found.slice(0, limit)
    const last = page.at(-1)
    const end = found.length > limit && last ? last.seq : matches.ended() ? undefined : matches.at() + 1
    return {
      data: await summaries(store, mailboxId, page, shown),
      has_more: end !== undefined,
      next_cursor: end === undefined ? null : encodeCursor({ query, end } satisfies z.infer<typeof cursorSchema>),
    }
  }
}

/** Messages purged since they were found are left out. */
async function summaries(
  store: Store,
  mailboxId: string,
  states: MessageState[],
  shown: ReturnType<typeof createShown>,
): Promise<MessageSummary[]> {
  const data: MessageSummary[] = []
  for (const state of states) {
    if (state.shown) {
      data.push(shown(mailboxId, state, state.shown))
      continue
    }
    const content = await store.read(mailboxPartition(mailboxId), (view) => readShownOf(view, state))
    if (!content) continue
    data.push(toSummary(mailboxId, state, content))
    // Reading a body may be slow.
    await tick()
  }
  return data
}

/** `toSummary` of messages whose rows have all that lists show: the same object as long as the row is the same. */
function createShown() {
  const known = new WeakMap<MessageState, { mailboxId: string; summary: MessageSummary }>()
  return (mailboxId: string, state: MessageState, content: ShownContent): MessageSummary => {
    const found = known.get(state)
    if (found?.mailboxId === mailboxId) return found.summary
    const summary = Object.freeze(toSummary(mailboxId, state, content))
    known.set(state, { mailboxId, summary })
    return summary
  }
}

function toSummary(mailboxId: string, state: MessageState, content: ShownContent): MessageSummary {
  return {
    id: state.id,
    object: 'message',
    mailbox_id: mailboxId,
    thread_id: state.threadId,
    direction: state.direction,
    status: state.status,
    ...shownPeople(content),
    subject: content.subject,
    preview: content.preview,
    labels: state.labels,
    unread: state.unread,
    size_bytes: state.rawBytes,
    message_id: content.message_id,
    in_reply_to: content.in_reply_to,
    automation: content.automation,
    untrusted: state.direction === 'inbound' || isImported(state),
    ...(isImported(state) && { imported: true as const }),
    attachments: content.attachments.map(shownAttachment),
    recipients: shownRecipients(state),
    sent_at: state.sentAt === null ? null : timestamp(state.sentAt),
    created_at: timestamp(state.createdAt),
    updated_at: timestamp(state.updatedAt),
  }
}
