/**
 * Listing threads: all of them, or those with a label or with unread messages, newest activity first. What is asked of their messages beside that is
 * searched for (search.ts).
 *
 * Pages are stable although a thread moves to the top of its lists with every new message. A cursor says where the last page ended and where
 * the listing began; a thread that moved past the beginning meanwhile is still listed at the place where it stood then, and one that fell behind
 * because its last messages were deleted is not listed again. So a reader who goes
 * through all pages sees every thread that was there at the start once, and new ones at the next listing.
 */
import { z } from 'zod'
import { decode, keyParts } from '../store/keys.js'
import type { Store, View } from '../store/types.js'
import { decodeCursor, encodeCursor, place } from '../lib/cursor.js'
import {
  listKey,
  listRange,
  mailboxPartition,
  threadKey,
  threadMessageKey,
  threadMessagesRange,
  threadTrashKey,
} from './keys.js'
import { checkLabel } from './labels.js'
import { mustExist } from './record.js'
import type { ThreadRecord } from './thread.js'
import { ALL_LIST, labelList, toThread, UNREAD_LIST } from './thread.js'
import type { Trashed } from './trash-time.js'
import type { Mailboxes, ThreadQuery } from './types.js'

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

export function createThreadList(deps: { store: Store; search: Mailboxes['listThreads'] }): Mailboxes['listThreads'] {
  const { store, search } = deps
  return async (mailboxId, query) => {
    if (!isListed(query)) return search(mailboxId, query)
    if (query.label !== undefined) checkLabel(query.label, 'label')
    const list = listOf(query)
    const from = decodeCursor(
      query.cursor,
      cursorSchema.refine((c) => c.list === list),
    )
    const keep = (thread: ThreadRecord): boolean => !(query.unread === true && thread.unreadCount === 0)

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
          if (!(await hasFallen(view, thread, cursor))) data.push(thread)
        lookedAt += page.length
        const start = cursor?.start ?? page[0]?.seq
        const end = page.at(-1)?.seq
        if (start !== undefined && end !== undefined) cursor = { list, start, end }
        const hasMore = places.length > wanted
        if (!hasMore || data.length === query.limit || lookedAt >= MAX_LOOKED_AT) {
          return {
            data: data.map((thread) => toThread(mailboxId, thread)),
            has_more: hasMore,
            next_cursor: hasMore && cursor ? encodeCursor(cursor) : null,
          }
        }
      }
    })
  }
}

/** There is a list for it, apart from what one more filter leaves out. */
function isListed({ limit: _limit, cursor: _cursor, label: _label, unread, ...rest }: ThreadQuery): boolean {
  return unread !== false && Object.values(rest).every((value) => value === undefined)
}

/** The list that is gone through; with both filters it is the label's, and what is read is left out. */
function listOf(query: ThreadQuery): string {
  if (query.label !== undefined) return labelList(query.label) + (query.unread ? ' unread' : '')
  return query.unread ? UNREAD_LIST : ALL_LIST
}

async function nextPlaces(view: View, list: string, cursor: Cursor | undefined, limit: number): Promise<Place[]> {
  const name = list.split(' ')[0] ?? list
  const { gte, lt } = listRange(name)
  const end = cursor ? listKey(name, cursor.end, '') : lt
  const standing = (await view.range({ gte, lt: end, limit, reverse: true })).map(([entry]) => placeOf(entry))
  if (!cursor) return standing
  return [...standing, ...(await moved(view, name, cursor))].sort((a, b) => b.seq - a.seq).slice(0, limit)
}

/** Where threads stood that have moved past the beginning of the listing before it came to them. */
async function moved(view: View, name: string, { start, end }: Cursor): Promise<Place[]> {
  const { lt } = listRange(name)
  const gte = listKey(name, start + 1, '')
  const places: Place[] = []
  for (const [entry] of await view.range({ gte, lt, limit: MAX_MOVED })) {
    const { threadId } = placeOf(entry)
    const [newestThen] = await view.range({
      gte: threadMessagesRange(threadId).gte,
      lt: threadMessageKey(threadId, start + 1, ''),
      limit: 1,
      reverse: true,
    })
    const seq = newestThen && Number(keyParts(newestThen[0])[2])
    if (seq !== undefined && seq < end) places.push({ seq, threadId })
  }
  return places
}

/** Whether an earlier page had the thread: it stood there by a message that was moved to the trash since the listing began. */
async function hasFallen(view: View, thread: ThreadRecord, cursor: Cursor | undefined): Promise<boolean> {
  if (!cursor || !thread.trashedCount) return false
  const rows = await view.range({
    gte: threadTrashKey(thread.id, cursor.end, ''),
    lt: threadTrashKey(thread.id, cursor.start + 1, ''),
  })
  return rows.some(([, trashed]) => decode<Trashed>(trashed).seq > cursor.start)
}

async function readThreads(view: View, places: Place[]): Promise<ThreadRecord[]> {
  const values = await view.getMany(places.map(({ threadId }) => threadKey(threadId)))
  return values.flatMap((value) => (value ? [decode<ThreadRecord>(value)] : []))
}

function placeOf(entry: Uint8Array): Place {
  const [, , seq, threadId] = keyParts(entry)
  return { seq: Number(seq), threadId: String(threadId) }
}
