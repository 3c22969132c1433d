/**
 * Listing threads, newest activity first.
 *
 * Pages are stable although a thread moves to the top of its lists with every new message. A cursor says where the last page ended and where
 * the listing began; a thread that moved past the beginning meanwhile is still listed at the place where it stood then. So a reader who goes
 * through all pages sees every thread that was there at the start once, and new ones at the next listing.
 */
import { z } from 'zod'
import { decode, keyParts } from '../store/keys.js'
import type { Store, View } from '../store/types.js'
import { decodeCursor, encodeCursor } from './cursor.js'
import { listKey, listRange, mailboxPartition, threadKey, threadMessageKey, threadMessagesRange } from './keys.js'
import { checkLabel } from './labels.js'
import { mustExist } from './record.js'
import type { ThreadRecord } from './thread.js'
import { ALL_LIST, labelList, toThread, UNREAD_LIST } from './thread.js'
import type { Mailboxes, ThreadQuery } from './types.js'

/** Threads that moved since a listing began, as far as later pages look for them. */
const MAX_MOVED = 500
/** Entries looked at for one page when a second filter leaves most of them out; the page is short then, with a cursor to go on. */
const MAX_LOOKED_AT = 1000

/** A place in a list. */
const placeSchema = z.tuple([z.int().nonnegative(), z.string().max(40)])
type Place = z.infer<typeof placeSchema>

/** Opaque to callers: the list, where the listing began, where its last page ended. */
const cursorSchema = z.object({ list: z.string().max(80), start: placeSchema, end: placeSchema })
type Cursor = z.infer<typeof cursorSchema>

export function createThreadList(store: Store): Mailboxes['listThreads'] {
  return async (mailboxId, query) => {
    if (query.label !== undefined) checkLabel(query.label, 'label')
    const list = listOf(query)
    const from = query.cursor === undefined ? undefined : decodeCursor(query.cursor, cursorSchema.refine((c) => c.list === list))
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
        data.push(...(await readThreads(view, page)).filter(keep))
        lookedAt += page.length
        const start = cursor?.start ?? page[0]
        const end = page.at(-1)
        if (start && end) cursor = { list, start, end }
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

/** The list that is gone through; with both filters it is the label's, and what is read is left out. */
function listOf(query: ThreadQuery): string {
  if (query.label !== undefined) return labelList(query.label) + (query.unread ? ' unread' : '')
  return query.unread ? UNREAD_LIST : ALL_LIST
}

async function nextPlaces(view: View, list: string, cursor: Cursor | undefined, limit: number): Promise<Place[]> {
  const name = list.split(' ')[0] ?? list
  const { gte, lt } = listRange(name)
  const end = cursor ? listKey(name, ...cursor.end) : lt
  const standing = (await view.range({ gte, lt: end, limit, reverse: true })).map(([entry]) => placeOf(entry))
  if (!cursor) return standing
  return [...standing, ...(await moved(view, name, cursor))].sort(newestFirst).slice(0, limit)
}

/** Where threads stood that have moved past the beginning of the listing before it came to them. */
async function moved(view: View, name: string, { start, end }: Cursor): Promise<Place[]> {
  const { lt } = listRange(name)
  const gte = listKey(name, start[0], `${start[1]}\0`)
  const places: Place[] = []
  for (const [entry] of await view.range({ gte, lt, limit: MAX_MOVED })) {
    const threadId = placeOf(entry)[1]
    const [newestThen] = await view.range({
      gte: threadMessagesRange(threadId).gte,
      lt: threadMessageKey(threadId, start[0] + 1, ''),
      limit: 1,
      reverse: true,
    })
    const at = newestThen && Number(keyParts(newestThen[0])[2])
    if (at !== undefined && newestFirst([at, threadId], end) > 0) places.push([at, threadId])
  }
  return places
}

async function readThreads(view: View, places: Place[]): Promise<ThreadRecord[]> {
  const values = await view.getMany(places.map(([, threadId]) => threadKey(threadId)))
  return values.flatMap((value) => (value ? [decode<ThreadRecord>(value)] : []))
}

function placeOf(entry: Uint8Array): Place {
  const [, , at, threadId] = keyParts(entry)
  return [Number(at), String(threadId)]
}

function newestFirst(a: Place, b: Place): number {
  if (a[0] !== b[0]) return b[0] - a[0]
  return a[1] < b[1] ? 1 : a[1] > b[1] ? -1 : 0
}
