/**
 * Lists threads: all, or by label or unread, newest activity first. Other filters need a search (mailbox/search/search.ts). Spam counts only in the list of the
 * label `spam`.
 *
 * Pages are stable although threads move to the top with every message. A cursor has the start of the listing and the end of the last page; a thread that moved
 * past the start is still listed at its old place, and one that fell back because messages were deleted is not repeated. So reading all pages shows every
 * thread that existed at the start exactly once.
 */
import { z } from 'zod'
import { createRowMemory } from '../../store/row-memory.js'
import type { Store, View } from '../../store/types.js'
import { decodeCursor, encodeCursor, place } from '../../lib/cursor.js'
import { mailboxPartition, messageKey, threadKey } from '../keys.js'
import { checkLabel, SPAM_LABEL } from '../labels.js'
import { ALL_LIST, labelList, newestListed, oldestListed, UNREAD_LIST } from '../lists.js'
import { readStates, unpackMessage } from '../message-rows.js'
import type { Thread } from '../objects/objects.js'
import { requireMailbox } from '../record.js'
import { readThread, unpackThread } from '../threads/thread-rows.js'
import { type SideName, type ThreadRecord, sideOf, sideOfMessage, SPAM_LIST, toThread } from '../threads/thread.js'
import type { ListThreads, ThreadQuery } from '../search/message-filter.js'

/** Max moved threads that later pages look for. */
const MAX_MOVED = 500
/** Max entries examined for one page with a second filter; then the page is short, with a cursor. */
const MAX_LOOKED_AT = 1000

/** Opaque to callers: list, start of the listing, end of the last page. */
const cursorSchema = z.object({ list: z.string().max(80), start: place, end: place })
type Cursor = z.infer<typeof cursorSchema>

interface Place {
  seq: number
  threadId: string
}

/** Rows as lists need them: most are those of the list before, also after a change of the mailbox. */
interface Rows {
  place: (row: Uint8Array) => Place
  thread: (row: Uint8Array) => ThreadRecord
}

/** Max memory for decoded rows of all mailboxes. */
const PLACES_BYTES = 4 * 1024 * 1024
const THREADS_BYTES = 8 * 1024 * 1024

export function createThreadList(deps: { store: Store; search: ListThreads }): ListThreads {
  const { store, search } = deps
  const rows: Rows = {
    place: createRowMemory(placeIn, PLACES_BYTES),
    thread: createRowMemory(unpackThread, THREADS_BYTES),
  }
  const shown = new WeakMap<ThreadRecord, { mailboxId: string; side: SideName; thread: Thread }>()

  /** The same object as long as the row is the same. */
  function show(mailboxId: string, record: ThreadRecord, side: SideName): Thread {
    const known = shown.get(record)
    if (known?.mailboxId === mailboxId && known.side === side) return known.thread
    const thread = Object.freeze(toThread(mailboxId, record, side))
    shown.set(record, { mailboxId, side, thread })
    return thread
  }

  return async (mailboxId, query) => {
    if (!isListed(query)) return search(mailboxId, query)
    if (query.label !== undefined) checkLabel(query.label, 'label')
    const list = listOf(query)
    const from = decodeCursor(query.cursor, cursorSchema, (c) => c.list === list)
    const side: SideName = query.label === SPAM_LABEL ? 'spam' : 'mail'
    const keep = (thread: ThreadRecord): boolean => !(query.unread === true && sideOf(thread, side).unreadCount === 0)

    return store.read(mailboxPartition(mailboxId), async (view) => {
      await requireMailbox(view)
      const data: ThreadRecord[] = []
      let lookedAt = 0
      let cursor = from
      for (;;) {
        const wanted = query.limit - data.length
        const places = await nextPlaces(view, rows, list, cursor, wanted + 1)
        const page = places.slice(0, wanted)
        for (const thread of (await readThreads(view, rows, page)).filter(keep))
          if (!(await hasFallen(view, thread, side, cursor))) data.push(thread)
        lookedAt += page.length
        const start = cursor?.start ?? page[0]?.seq
        const end = page.at(-1)?.seq
        if (start !== undefined && end !== undefined) cursor = { list, start, end }
        const hasMore = places.length > wanted
        if (!hasMore || data.length === query.limit || lookedAt >= MAX_LOOKED_AT) {
          return {
            data: data.map((thread) => show(mailboxId, thread, side)),
            has_more: hasMore,
            next_cursor: hasMore && cursor ? encodeCursor(cursor) : null,
          }
        }
      }
    })
  }
}

/** True if a stored list answers the query, apart from one more filter. */
function isListed({ limit: _limit, cursor: _cursor, label, includeSpam, unread, ...rest }: ThreadQuery): boolean {
  if (includeSpam === true && label !== SPAM_LABEL) return false
  return unread !== false && Object.values(rest).every((value) => value === undefined)
}

/** The list to scan; with both filters that of the label, skipping read threads. */
function listOf(query: ThreadQuery): string {
  if (query.label !== undefined) return labelList(query.label) + (query.unread ? ' unread' : '')
  return query.unread ? UNREAD_LIST : ALL_LIST
}

async function nextPlaces(
  view: View,
  rows: Rows,
  list: string,
  cursor: Cursor | undefined,
  limit: number,
): Promise<Place[]> {
  const name = list.split(' ')[0] ?? list
  const atMost = cursor ? cursor.end - 1 : Number.MAX_SAFE_INTEGER - 1
  const unmoved = await placesAt(view, rows, await newestListed(view, name, 'thread', atMost, limit))
  if (!cursor) return unmoved
  return [...unmoved, ...(await moved(view, rows, name, cursor))].sort((a, b) => b.seq - a.seq).slice(0, limit)
}

async function placesAt(view: View, rows: Rows, seqs: number[]): Promise<Place[]> {
  const found = await view.getMany(seqs.map(messageKey))
  return found.flatMap((row) => (row ? [rows.place(row)] : []))
}

function placeIn(row: Uint8Array): Place {
  const { seq, threadId } = unpackMessage(row)
  return { seq, threadId }
}

/** Old places of threads that moved past the start of the listing before it reached them. */
async function moved(view: View, rows: Rows, name: string, { start, end }: Cursor): Promise<Place[]> {
  const places: Place[] = []
  const later = await oldestListed(view, name, 'thread', start + 1, MAX_MOVED)
  for (const { threadId } of await placesAt(view, rows, later)) {
    const seq = await newestUpTo(view, threadId, name === SPAM_LIST ? 'spam' : 'mail', start)
    if (seq !== undefined && seq < end) places.push({ seq, threadId })
  }
  return places
}

/** Place of a side's newest message up to `most`. */
async function newestUpTo(view: View, threadId: string, side: SideName, most: number): Promise<number | undefined> {
  const thread = await readThread(view, threadId)
  const seqs = thread?.places.filter((seq) => seq <= most) ?? []
  if (thread?.spam === undefined || thread.messageCount === 0) return seqs.at(-1)
  return (await readStates(view, seqs)).findLast((state) => sideOfMessage(state) === side)?.seq
}

/** True if an earlier page had the thread, at the place of a message that has since been trashed or moved to the other side. */
async function hasFallen(
  view: View,
  thread: ThreadRecord,
  side: SideName,
  cursor: Cursor | undefined,
): Promise<boolean> {
  if (!cursor) return false
  const { start, end } = cursor
  const between = (seqs: number[]) =>
    readStates(
      view,
      seqs.filter((seq) => seq >= end && seq <= start),
    )
  const trash = await between(thread.trash)
  if (trash.some((state) => (state.trashed?.seq ?? 0) > start && sideOfMessage(state) === side)) return true
  const here = thread.spam ? await between(thread.places) : []
  return here.some((state) => sideOfMessage(state) !== side && (state.movedSeq ?? 0) > start)
}

async function readThreads(view: View, rows: Rows, places: Place[]): Promise<ThreadRecord[]> {
  const values = await view.getMany(places.map(({ threadId }) => threadKey(threadId)))
  return values.flatMap((value) => (value ? [rows.thread(value)] : []))
}
