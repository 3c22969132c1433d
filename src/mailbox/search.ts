/**
 * Searching threads. A message matches when it has all words of the query, and the last one may be unfinished; a thread is found by its newest
 * match, and threads come in the order of those. Matches are found by leaping: each word in turn says which is its newest message not past the
 * place where the search stands, until all agree on one; so a rare word makes the way short whatever the others are.
 *
 * Pages are stable: a cursor says where the listing began, and what came later does not count in it.
 */
import { setImmediate as tick } from 'node:timers/promises'
import { z } from 'zod'
import { sha256Hex } from '../lib/ids.js'
import { decode, keyParts } from '../store/keys.js'
import type { Store, View } from '../store/types.js'
import { decodeCursor, encodeCursor, place } from '../lib/cursor.js'
import type { Indexer } from './indexer.js'
import { wordOf } from './chunks.js'
import { mailboxPartition, placeKey, searchPartition, threadMessageKey } from './keys.js'
import { mustExist } from './record.js'
import type { Segment } from './segments.js'
import { newestWith, readSegments, wordsWithPrefix } from './segments.js'
import type { ThreadRecord } from './thread.js'
import { readThread, toThread } from './thread.js'
import type { Term } from './tokens.js'
import { termsOf } from './tokens.js'
import type { List, ThreadQuery } from './types.js'
import type { Thread } from './objects.js'

/** Words of a query that count, and words that an unfinished one may stand for. */
const MAX_TERMS = 8
const MAX_EXPANSIONS = 16
/** Rows read after which others get their turn, and after which a page ends as it is, with a cursor to go on. */
const SLICE_READS = 200
const MAX_READS = 10_000

const cursorSchema = z.object({ query: z.string().max(32), start: place, end: place })

/** The words of the index that each word of the query may be. */
type Alternatives = string[][]

interface Match {
  seq: number
  threadId: string
}

export function createSearch(deps: {
  store: Store
  indexer: Indexer
}): (mailboxId: string, query: ThreadQuery & { q: string }) => Promise<List<Thread>> {
  const { store, indexer } = deps

  return async (mailboxId, query) => {
    const name = sha256Hex(JSON.stringify([query.q, query.unread ?? false, query.label ?? null])).slice(0, 32)
    const cursor = decodeCursor(
      query.cursor,
      cursorSchema.refine((c) => c.query === name),
    )
    const mailbox = await store.read(mailboxPartition(mailboxId), mustExist)
    await indexer.indexMailbox(mailboxId)
    const words = await store.read(searchPartition(mailboxId), (view) => expand(view, termsOf(query.q, MAX_TERMS)))

    const start = cursor?.start ?? mailbox.seq
    const seen = new Set<string>()
    const data: Thread[] = []
    let readsLeft = MAX_READS
    let end = cursor?.end ?? start + 1
    const answer = (hasMore: boolean): List<Thread> => ({
      data,
      has_more: hasMore,
      next_cursor: hasMore ? encodeCursor({ query: name, start, end }) : null,
    })

    while (words.length > 0 && end > 0) {
      const found = await store.read(searchPartition(mailboxId), (view) => leap(view, words, end - 1))
      readsLeft -= found.reads
      if (found.match) {
        const { seq, threadId } = found.match
        const stands = !seen.has(threadId) && (await isStanding(store, mailboxId, found.match))
        const isNew = stands && !(cursor && (await hasMatch(store, mailboxId, threadId, words, cursor)))
        if (stands) seen.add(threadId)
        const thread = isNew
          ? await store.read(mailboxPartition(mailboxId), (view) => readThread(view, threadId))
          : undefined
        if (thread && fits(thread, query)) {
          if (data.length === query.limit) return answer(true)
          data.push(toThread(mailboxId, thread))
        }
        end = seq
      } else if (found.at === undefined) {
        return answer(false)
      } else {
        end = found.at + 1
      }
      if (readsLeft <= 0) return answer(true)
      await tick()
    }
    return answer(false)
  }
}

function fits(thread: ThreadRecord, { unread, label }: ThreadQuery): boolean {
  if (unread && thread.unreadCount === 0) return false
  return label === undefined || thread.labels.some(([name]) => name === label)
}

/** Empty when some word is nowhere, or when the query has no word. */
async function expand(view: View, terms: Term[]): Promise<Alternatives> {
  const segments = await readSegments(view)
  const all: Alternatives = []
  for (const { token, prefix } of terms) {
    const word = wordOf(token)
    const words = prefix ? await wordsWithPrefix(view, segments, word, MAX_EXPANSIONS) : [word]
    if (words.length === 0) return []
    all.push(words)
  }
  return all
}

/**
 * The newest message at or before `at` that has all words. Without `match`, `at` is how far it came within its share of reads; undefined
 * when there is no such message.
 */
async function leap(
  view: View,
  words: Alternatives,
  at: number,
): Promise<{ match?: Match; at?: number; reads: number }> {
  const segments = await readSegments(view)
  let reads = 0
  let agreed = 0
  for (let i = 0; reads < SLICE_READS; i = (i + 1) % words.length) {
    const found = await newest(view, segments, words[i] ?? [], at)
    reads += found.reads
    if (found.seq === undefined) return { reads }
    agreed = found.seq === at ? agreed + 1 : 1
    at = found.seq
    if (agreed < words.length) continue
    const thread = await view.get(placeKey(at))
    if (thread) return { match: { seq: at, threadId: decode<string>(thread) }, reads }
    // A message that is gone: the search goes on before it.
    if (at === 0) return { reads }
    agreed = 0
    at--
  }
  return { at, reads }
}

/** The newest message at or before `atMost` that has one of the words. */
async function newest(
  view: View,
  segments: Segment[],
  words: string[],
  atMost: number,
): Promise<{ seq: number | undefined; reads: number }> {
  const best: { seq: number | undefined; reads: number } = { seq: undefined, reads: 0 }
  for (const word of words) {
    const { seq, reads } = await newestWith(view, segments, word, atMost)
    best.reads += reads
    if (seq !== undefined) best.seq = Math.max(best.seq ?? 0, seq)
  }
  return best
}

/** Whether the message is neither in the trash nor gone: the index knows nothing of that. */
function isStanding(store: Store, mailboxId: string, { seq, threadId }: Match): Promise<boolean> {
  const at = { gte: threadMessageKey(threadId, seq, ''), lt: threadMessageKey(threadId, seq + 1, '') }
  return store.read(mailboxPartition(mailboxId), async (view) => (await view.range({ ...at, limit: 1 })).length > 0)
}

/** Whether an earlier page of this listing has the thread already: by a match from where that page ended up to where the listing began. */
async function hasMatch(
  store: Store,
  mailboxId: string,
  threadId: string,
  words: Alternatives,
  { start, end }: { start: number; end: number },
): Promise<boolean> {
  const entries = await store.read(mailboxPartition(mailboxId), (view) =>
    view.range({ gte: threadMessageKey(threadId, end, ''), lt: threadMessageKey(threadId, start + 1, '') }),
  )
  if (entries.length === 0) return false
  return store.read(searchPartition(mailboxId), async (view) => {
    const segments = await readSegments(view)
    for (const [entry] of entries) {
      const seq = Number(keyParts(entry)[2])
      if (await hasAll(view, segments, words, seq)) return true
    }
    return false
  })
}

async function hasAll(view: View, segments: Segment[], words: Alternatives, seq: number): Promise<boolean> {
  for (const alternatives of words) {
    if ((await newest(view, segments, alternatives, seq)).seq !== seq) return false
  }
  return true
}
