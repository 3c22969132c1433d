/** Searches threads, each by its newest matching message. Pages are stable: the cursor has the start of the listing, and newer matches are ignored. */
import { z } from 'zod'
import { decodeCursor, encodeCursor, place } from '../../lib/cursor.js'
import { sha256Hex } from '../../lib/ids.js'
import type { Store } from '../../store/types.js'
import { mailboxPartition } from '../keys.js'
import type { Matching } from './find-messages.js'
import type { List, Thread } from '../objects/objects.js'
import { sideFound } from './query.js'
import { readThread } from '../threads/thread-rows.js'
import { toThread } from '../threads/thread.js'
import type { ListThreads, MessageFilter } from './message-filter.js'

const cursorSchema = z.object({ query: z.string().max(32), start: place, end: place })
type Cursor = z.infer<typeof cursorSchema>

/** Identifies a listing in its cursor. */
export function filterName(filter: MessageFilter): string {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined)
  return sha256Hex(JSON.stringify(given.sort(([a], [b]) => (a < b ? -1 : 1)))).slice(0, 32)
}

export function createSearch({ store, matching }: { store: Store; matching: Matching }): ListThreads {
  return async (mailboxId, { limit, cursor: given, ...filter }) => {
    const query = filterName(filter)
    const cursor = decodeCursor(given, cursorSchema, (c) => c.query === query)
    const matches = await matching(mailboxId, filter, cursor && cursor.end)
    const start = cursor?.start ?? matches.newest
    const side = sideFound(filter)
    const seen = new Set<string>()
    const data: Thread[] = []
    const answer = (end: number | undefined): List<Thread> => ({
      data,
      has_more: end !== undefined,
      next_cursor: end === undefined ? null : encodeCursor({ query, start, end } satisfies Cursor),
    })

    while (!matches.ended()) {
      for (const { threadId, seq } of await matches.next(limit - data.length + 1)) {
        if (seen.has(threadId)) continue
        if (data.length === limit) return answer(seq + 1)
        seen.add(threadId)
        const thread = await store.read(mailboxPartition(mailboxId), (view) => readThread(view, threadId))
        // An earlier page has the thread, by a match between the end of that page and the start of the listing.
        const earlier = cursor && thread?.places.filter((seq) => seq >= cursor.end && seq <= cursor.start)
        if (earlier && (await matches.hasOneOf(earlier))) continue
        if (thread) data.push(toThread(mailboxId, thread, side))
      }
      if (matches.tired() && !matches.ended()) return answer(matches.at() + 1)
    }
    return answer(undefined)
  }
}
