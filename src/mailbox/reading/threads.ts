/**
 * Listing threads: all of them, or those with a label or with unread messages, newest activity first. What is asked of their messages beside that is
 * searched for (mailbox/search/search.ts). What is spam counts in the list of the label `spam` alone.
 *
 * Pages are stable although a thread moves to the top of its lists with every new message. A cursor says where the last page ended and where
 * the listing began; a thread that moved past the beginning meanwhile is still listed at the place where it stood then, and one that fell behind
 * because its last messages were deleted is not listed again. So a reader who goes
 * through all pages sees every thread that was there at the start once, and new ones at the next listing.
 */
import { z } from 'zod'
import type { Store, View } from '../../store/types.js'
import { decodeCursor, encodeCursor, place } from '../../lib/cursor.js'
import { mailboxPartition, threadKey } from '../keys.js'
import { SPAM_LABEL } from '../objects/label-names.js'
import { checkLabel } from '../labels.js'
import { ALL_LIST, labelList, newestListed, oldestListed, UNREAD_LIST } from '../lists.js'
import { readStates } from '../message-rows.js'
import { mustExist } from '../record.js'
import { readThread, unpackThread } from '../threads/thread-rows.js'
import { type SideName, type ThreadRecord, sideOf, sideOfMessage, SPAM_LIST, toThread } from '../threads/thread.js'
import type { ThreadQuery } from '../search/message-filter.js'
import type { Reading } from './reading.js'

/** Threads that moved since a listing began, as far as later pages look for them. */
const MAX_MOVED = 500
/** Entries looked at for one page when a second filter leaves most of them out; the page is short then, with a cursor to go on. */
const MAX_LOOKED_AT = 1000

/** Opaque to callers: the list, the place where the listing began, and the one where its last page ended. */
const cursorSchema = z.object({ list: z.string().max(80), start: place, end: place })
type Cursor = z.infer<typeof cursorSchema>

interface Place {
  seq: number
  threadId: string
}

export function createThreadList(deps: { store: Store; search: Reading['threads'] }): Reading['threads'] {
  const { store, search } = deps
  return async (mailboxId, query) => {
    if (!isListed(query)) return search(mailboxId, query)
    if (query.label !== undefined) checkLabel(query.label, 'label')
    const list = listOf(query)
    const from = decodeCursor(
      query.cursor,
      cursorSchema.refine((c) => c.list === list),
    )
    const side: SideName = query.label === SPAM_LABEL ? 'spam' : 'mail'
    const keep = (thread: ThreadRecord): boolean => !(query.unread === true && sideOf(thread, side).unreadCount === 0)

    return store.read(mailboxPartition(mailboxId), async (view) => {
      await mustExist(view)
      const data: ThreadRecord[] = []
      let lookedAt = 0
      let cursor = from
      for (;;) {
        const wanted = query.limit - data.length
        const places = await nextPlaces(view, list, cursor, wanted + 1)
        const page = places.slice(0, wanted)
        for (const thread of (await readThreads(view, page)).filter(keep))
          if (!(await hasFallen(view, thread, side, cursor))) data.push(thread)
        lookedAt += page.length
        const start = cursor?.start ?? page[0]?.seq
        const end = page.at(-1)?.seq
        if (start !== undefined && end !== undefined) cursor = { list, start, end }
        const hasMore = places.length > wanted
        if (!hasMore || data.length === query.limit || lookedAt >= MAX_LOOKED_AT) {
          return {
            data: data.map((thread) => toThread(mailboxId, thread, side)),
            has_more: hasMore,
            next_cursor: hasMore && cursor ? encodeCursor(cursor) : null,
          }
        }
      }
    })
  }
}

/** There is a list for it, apart from what one more filter leaves out. */
function isListed({ limit: _limit, cursor: _cursor, label, includeSpam, unread, ...rest }: ThreadQuery): boolean {
  if (includeSpam === true && label !== SPAM_LABEL) return false
  return unread !== false && Object.values(rest).every((value) => value === undefined)
}

/** The list that is gone through; with both filters it is the label's, and what is read is left out. */
function listOf(query: ThreadQuery): string {
  if (query.label !== undefined) return labelList(query.label) + (query.unread ? ' unread' : '')
  return query.unread ? UNREAD_LIST : ALL_LIST
}

async function nextPlaces(view: View, list: string, cursor: Cursor | undefined, limit: number): Promise<Place[]> {
  const name = list.split(' ')[0] ?? list
  const atMost = cursor ? cursor.end - 1 : Number.MAX_SAFE_INTEGER - 1
  const standing = await placesAt(view, await newestListed(view, name, 'thread', atMost, limit))
  if (!cursor) return standing
  return [...standing, ...(await moved(view, name, cursor))].sort((a, b) => b.seq - a.seq).slice(0, limit)
}

/** The threads whose last messages stand at some places. */
async function placesAt(view: View, seqs: number[]): Promise<Place[]> {
  return (await readStates(view, seqs)).map(({ seq, threadId }) => ({ seq, threadId }))
}

/** Where threads stood that have moved past the beginning of the listing before it came to them. */
async function moved(view: View, name: string, { start, end }: Cursor): Promise<Place[]> {
  const places: Place[] = []
  const later = await oldestListed(view, name, 'thread', start + 1, MAX_MOVED)
  for (const { threadId } of await placesAt(view, later)) {
    const seq = await newestUpTo(view, threadId, name === SPAM_LIST ? 'spam' : 'mail', start)
    if (seq !== undefined && seq < end) places.push({ seq, threadId })
  }
  return places
}

/** The place of a side's newest message up to `most`. */
async function newestUpTo(view: View, threadId: string, side: SideName, most: number): Promise<number | undefined> {
  const thread = await readThread(view, threadId)
  const seqs = thread?.places.filter((seq) => seq <= most) ?? []
  if (thread?.spam === undefined || thread.messageCount === 0) return seqs.at(-1)
  return (await readStates(view, seqs)).findLast((state) => sideOfMessage(state) === side)?.seq
}

/**
 * Whether an earlier page had the thread: it stood there by a message that was moved to the trash, or to the other side, since the listing
 * began.
 */
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

async function readThreads(view: View, places: Place[]): Promise<ThreadRecord[]> {
  const values = await view.getMany(places.map(({ threadId }) => threadKey(threadId)))
  return values.flatMap((value) => (value ? [unpackThread(value)] : []))
}
