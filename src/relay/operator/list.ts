/** A page of the queue in order. Scans all tasks and keeps the best, so a page costs the same whatever the filter; messages are read for its rows only. */
import { z } from 'zod'
import { type Clock, timestamp } from '../../lib/clock.js'
import { decodeCursor, encodeCursor } from '../../lib/cursor.js'
import { lastAnswer } from '../../mailbox/held-detail.js'
import { hasEnded } from '../../mailbox/status.js'
import type { OutboundMail } from '../../mailbox/composition/mailboxes.js'
import { domainOf } from '../../mime/address.js'
import type { WorkQueue } from '../../queue/types.js'
import type { HoldRule, Holds } from '../queue/holds.js'
import type { QueueEntry, QueueHold, QueuePage } from './types.js'
import { everyWaiting, matchesFilter, stateOf, type State, type Waiting, type TaskFilter } from './waiting.js'

export interface ListDeps {
  queue: Pick<WorkQueue, 'all' | 'get'>
  mailboxes: { outbound: Pick<OutboundMail, 'envelope'> }
  holds: Pick<Holds, 'matches'>
  clock: Clock
}

/** Position of a task in the list. Running ones have 0: their due time is the end of the lease. */
type Place = [due: number, id: string]
const placeSchema = z.tuple([z.number().nonnegative(), z.string().max(1000)])

export async function listQueue(
  deps: ListDeps,
  filter: TaskFilter & { state?: State | undefined },
  page: { limit: number; cursor?: string | undefined },
): Promise<QueuePage> {
  const now = deps.clock.now()
  const after = decodeCursor(page.cursor, placeSchema)
  const best: { place: Place; task: Waiting }[] = []
  for await (const task of everyWaiting(deps.queue)) {
    if (!matchesFilter(task, filter)) continue
    const state = stateOf(task, now)
    if (filter.state !== undefined && state !== filter.state) continue
    const place: Place = [state === 'sending' ? 0 : task.due, task.id]
    if (after && compare(place, after) <= 0) continue
    insert(best, { place, task }, page.limit + 1)
  }
  const rows = best.slice(0, page.limit)
  const last = rows.at(-1)
  const hasMore = best.length > page.limit
  return {
    data: await Promise.all(rows.map(({ task }) => entryOf(deps, task, now))),
    has_more: hasMore,
    next_cursor: hasMore && last ? encodeCursor(last.place) : null,
  }
}

export function shownRule({ kind, value, name, reason, by, at }: HoldRule): QueueHold {
  return { kind, value, name, reason, by, at: timestamp(at) }
}

/** Keeps the first `limit`, in order. */
function insert<T extends { place: Place }>(best: T[], one: T, limit: number): void {
  const last = best.at(-1)
  if (best.length === limit && last && compare(one.place, last.place) >= 0) return
  let [low, high] = [0, best.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const there = best[middle]
    if (there && compare(there.place, one.place) < 0) low = middle + 1
    else high = middle
  }
  best.splice(low, 0, one)
  if (best.length > limit) best.pop()
}

function compare([due, id]: Place, [otherDue, otherId]: Place): number {
  return due - otherDue || (id < otherId ? -1 : id > otherId ? 1 : 0)
}

async function entryOf({ mailboxes, holds }: ListDeps, task: Waiting, now: number): Promise<QueueEntry> {
  const { id, messageId, mailboxId, domain, notice, due } = task
  const state = stateOf(task, now)
  const rule = state === 'held' ? await holds.matches(task) : undefined
  const row = {
    id,
    message_id: messageId,
    state,
    domain,
    queued_at: timestamp(task.queuedAt),
    next_attempt_at: state === 'sending' || state === 'held' ? null : timestamp(due),
    held_by: rule ? shownRule(rule) : null,
  }
  if (notice) {
    const { bytes } = notice
    const { attempts } = task
    return { ...row, kind: 'notice', sender: '', recipients_left: 1, size_bytes: bytes, attempts, last_answer: null }
  }
  const message =
    mailboxId === null || messageId === null ? undefined : await mailboxes.outbound.envelope(mailboxId, messageId)
  const left =
    message?.recipients.filter(({ address, status }) => !hasEnded(status) && domainOf(address) === domain) ?? []
  return {
    ...row,
    kind: 'message',
    sender: message?.from ?? null,
    recipients_left: left.length,
    size_bytes: message?.sizeBytes ?? null,
    attempts: Math.max(0, ...left.map(({ attempts }) => attempts)),
    last_answer: left.map(lastAnswer).find((answer) => answer !== null) ?? null,
  }
}
