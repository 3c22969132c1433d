/**
 * One list made of the lists of several mailboxes, newest first, in pages with a cursor.
 *
 * Cost of a page: with m lists, pages of n and c = max(4, ⌈2n/m⌉), one list costs one read. Several cost m reads of c items, at most ⌈n/c⌉ more of c where lists
 * are used up, and at most m of those items that are shown: at most 2m + ⌈n/c⌉ reads of mc + 3n items, however long the lists are. With 3 mailboxes and pages of 50
 * these are 8 reads.
 *
 * Completeness follows from the lists': the cursor of the page has for each list the cursor that its own read answered with, right behind the last item shown.
 */
import { invalidRequest } from '../../lib/errors.js'
import type { List } from '../../mailbox/objects/objects.js'

export interface Source<T> {
  /** The mailbox's id. */
  id: string
  read(limit: number, cursor: string | undefined): Promise<List<T>>
}

export interface MergedPage<T> {
  items: T[]
  /** Undefined on the last page. */
  next: string | undefined
}

/** Longer cursors are forged, or would make the head of the request too long. */
export const MAX_CURSOR_CHARS = 2000
const MIN_CHUNK = 4

/** A stretch of a list, and how much of it is on the page. */
interface Chunk<T> {
  cursor: string | undefined
  list: List<T>
  taken: number
}

interface Head<T> {
  source: Source<T>
  /** Read so far; only the last one may be taken in part. */
  chunks: Chunk<T>[]
}

/**
 * @param timeOf milliseconds since the epoch; falls within each list
 * @throws ServiceError `invalid_request` for a cursor that is none
 */
export async function mergedPage<T>(
  sources: readonly Source<T>[],
  { limit, cursor, timeOf }: { limit: number; cursor: string | undefined; timeOf: (item: T) => number },
): Promise<MergedPage<T>> {
  const places = cursor === undefined ? undefined : placesIn(cursor)
  const begun = sources.filter(({ id }) => places?.has(tagOf(id)) ?? true)
  const chunk = begun.length <= 1 ? limit : Math.max(MIN_CHUNK, Math.ceil((2 * limit) / begun.length))
  const heads = await Promise.all(
    begun.map(async (source): Promise<Head<T>> => {
      const from = places?.get(tagOf(source.id)) || undefined
      return { source, chunks: [{ cursor: from, list: await source.read(chunk, from), taken: 0 }] }
    }),
  )
  for (let count = 0; count < limit; count++) {
    await Promise.all(heads.map((head) => readOn(head, chunk)))
    const newest = newestOf(heads, timeOf)
    if (!newest) break
    newest.taken++
  }
  const ends = await Promise.all(heads.map(end))
  const next = ends.filter(({ place }) => place !== undefined).map(({ id, place }) => `${tagOf(id)}~${place}`)
  return {
    items: interleaved(
      ends.map(({ items }) => items),
      timeOf,
    ),
    next: next.length === 0 ? undefined : next.join('.'),
  }
}

/** Reads the next stretch of a list that is used up. A stretch without items, of a filter that seldom fits, is the last one of the page. */
async function readOn<T>({ source, chunks }: Head<T>, limit: number): Promise<void> {
  const last = chunks.at(-1)
  if (!last || last.taken < last.list.data.length || last.list.data.length === 0) return
  if (last.list.next_cursor === null) return
  const cursor = last.list.next_cursor
  chunks.push({ cursor, list: await source.read(limit, cursor), taken: 0 })
}

function newestOf<T>(heads: readonly Head<T>[], timeOf: (item: T) => number): Chunk<T> | undefined {
  let found: { chunk: Chunk<T>; time: number } | undefined
  for (const { chunks } of heads) {
    const chunk = chunks.at(-1)
    const item = chunk?.list.data[chunk.taken]
    if (!chunk || item === undefined) continue
    const time = timeOf(item)
    if (!found || time > found.time) found = { chunk, time }
  }
  return found?.chunk
}

/** Items of a list on the page, and the cursor behind them: '' for its start, undefined when there is no more. */
async function end<T>({ source, chunks }: Head<T>): Promise<{ id: string; items: T[]; place: string | undefined }> {
  const last = chunks.at(-1)
  const whole = chunks.slice(0, -1).flatMap(({ list }) => list.data)
  if (!last) return { id: source.id, items: whole, place: undefined }
  const { cursor, list, taken } = last
  if (taken === list.data.length) {
    return { id: source.id, items: [...whole, ...list.data], place: list.next_cursor ?? undefined }
  }
  if (taken === 0) return { id: source.id, items: whole, place: cursor ?? '' }
  // Asked again for just these, the list says where they end; and these are the ones shown.
  const shown = await source.read(taken, cursor)
  return { id: source.id, items: [...whole, ...shown.data], place: shown.next_cursor ?? undefined }
}

function interleaved<T>(lists: readonly T[][], timeOf: (item: T) => number): T[] {
  const places = lists.map(() => 0)
  const items: T[] = []
  for (;;) {
    let newest: { list: number; item: T; time: number } | undefined
    for (const [i, list] of lists.entries()) {
      const item = list[places[i] ?? 0]
      if (item === undefined) continue
      const time = timeOf(item)
      if (!newest || time > newest.time) newest = { list: i, item, time }
    }
    if (!newest) return items
    items.push(newest.item)
    places[newest.list] = (places[newest.list] ?? 0) + 1
  }
}

/** Names a mailbox in a cursor: the random end of its id. */
export const tagOf = (id: string): string => id.slice(-10)

function placesIn(cursor: string): Map<string, string> {
  const pairs = cursor.split('.').map((pair) => pair.split('~'))
  if (cursor.length > MAX_CURSOR_CHARS || pairs.some((pair) => pair.length !== 2 || !pair.every(isToken))) {
    throw invalidRequest('This page is not part of a list.', 'Begin at the first page.', [
      { field: 'cursor', problem: 'must come from a link of the list' },
    ])
  }
  return new Map(pairs.map(([tag = '', place = '']) => [tag, place]))
}

const isToken = (text: string): boolean => /^[\w-]*$/.test(text)
