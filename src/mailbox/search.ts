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
import {
  mailboxPartition,
  placeKey,
  searchPartition,
  threadMessageKey,
  tokenKey,
  tokenRange,
  tokensWithPrefix,
} from './keys.js'
import { lastSeqAtMost } from './postings.js'
import { mustExist } from './record.js'
import type { ThreadRecord } from './thread.js'
import { readThread, toThread } from './thread.js'
import type { Term } from './tokens.js'
import { termsOf } from './tokens.js'
import type { List, ThreadQuery } from './types.js'
import type { Thread } from './objects.js'

/** Words of a query that count, and words that an unfinished one may stand for. */
const MAX_TERMS = 8
const MAX_EXPANSIONS = 16
/** Look-ups after which others get their turn, and after which a page ends as it is, with a cursor to go on. */
const SLICE_LOOKUPS = 200
const MAX_LOOKUPS = 10_000

const cursorSchema = z.object({ query: z.string().max(32), start: place, end: place })

/** The tokens that each word of the query may be. */
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
    let lookupsLeft = MAX_LOOKUPS
    let end = cursor?.end ?? start + 1
    const answer = (hasMore: boolean): List<Thread> => ({
      data,
      has_more: hasMore,
      next_cursor: hasMore ? encodeCursor({ query: name, start, end }) : null,
    })

    while (words.length > 0 && end > 0) {
      const found = await store.read(searchPartition(mailboxId), (view) => leap(view, words, end - 1))
      lookupsLeft -= found.lookups
      if (found.match) {
        const { seq, threadId } = found.match
        const isNew = !seen.has(threadId) && !(cursor && (await hasMatch(store, mailboxId, threadId, words, cursor)))
        seen.add(threadId)
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
      if (lookupsLeft <= 0) return answer(true)
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
  const all: Alternatives = []
  for (const { token, prefix } of terms) {
    const tokens = prefix ? await completions(view, token) : [token]
    if (tokens.length === 0) return []
    all.push(tokens)
  }
  return all
}

/** Tokens of the index that begin with a prefix; each is one look-up, whatever number of messages has it. */
async function completions(view: View, prefix: string): Promise<string[]> {
  const tokens: string[] = []
  const range = tokensWithPrefix(prefix)
  let { gte } = range
  while (tokens.length < MAX_EXPANSIONS) {
    const [first] = await view.range({ gte, lt: range.lt, limit: 1 })
    if (!first) break
    const token = String(keyParts(first[0])[1])
    tokens.push(token)
    gte = tokenRange(token).lt
  }
  return tokens
}

/**
 * The newest message at or before `at` that has all words. Without `match`, `at` is how far it came within its share of look-ups; undefined
 * when there is no such message.
 */
async function leap(
  view: View,
  words: Alternatives,
  at: number,
): Promise<{ match?: Match; at?: number; lookups: number }> {
  let lookups = 0
  let agreed = 0
  for (let i = 0; lookups < SLICE_LOOKUPS; i = (i + 1) % words.length) {
    const tokens = words[i] ?? []
    lookups += tokens.length
    const found = await newest(view, tokens, at)
    if (found === undefined) return { lookups }
    agreed = found === at ? agreed + 1 : 1
    at = found
    if (agreed < words.length) continue
    const thread = await view.get(placeKey(at))
    if (thread) return { match: { seq: at, threadId: decode<string>(thread) }, lookups }
    // A message that is gone: the search goes on before it.
    if (at === 0) return { lookups }
    agreed = 0
    at--
  }
  return { at, lookups }
}

/** The newest message at or before `atMost` that has one of the tokens. */
async function newest(view: View, tokens: string[], atMost: number): Promise<number | undefined> {
  let best: number | undefined
  for (const token of tokens) {
    const range = { gte: tokenRange(token).gte, lt: tokenKey(token, atMost + 1), limit: 1, reverse: true }
    const [found] = await view.range(range)
    if (!found) continue
    const seq = lastSeqAtMost(Number(keyParts(found[0])[2]), found[1], atMost)
    if (best === undefined || seq > best) best = seq
  }
  return best
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
    for (const [entry] of entries) {
      const seq = Number(keyParts(entry)[2])
      if (await hasAll(view, words, seq)) return true
    }
    return false
  })
}

async function hasAll(view: View, words: Alternatives, seq: number): Promise<boolean> {
  for (const tokens of words) {
    if ((await newest(view, tokens, seq)) !== seq) return false
  }
  return true
}
