/** Iterates over matching messages, newest first, in short turns. A page has a limited cost; then it ends early, with a place to continue from. */
import { setImmediate as tick } from 'node:timers/promises'
import { ServiceError } from '../../lib/errors.js'
import { createRowMemory } from '../../store/row-memory.js'
import type { Store } from '../../store/types.js'
import { wordOf } from './chunks.js'
import { type Condition, fulfils, hasWord, isListed, isNot, isOneOf, isSuch, leap, inMailbox } from './conditions.js'
import { isIndexedWithin } from './index-wait.js'
import { type Found, type IndexReader, type Times, readIndex } from './index-reader.js'
import type { Indexer } from './indexer.js'
import { mailboxPartition } from '../keys.js'
import { hasList, labelList, statusList, UNREAD_LIST } from '../lists.js'
import type { MessageState } from '../message.js'
import { readContentOf, unpackMessage } from '../message-rows.js'
import { wishesOf, type Wanted, type Wish } from './query.js'
import { requireMailbox } from '../record.js'
import { readThread } from '../threads/thread-rows.js'
import type { MessageFilter } from './message-filter.js'
import { addressWord, ATTACHMENT_WORD, DIRECTION_WORDS, fieldWord, textsOf } from '../mail-work/words.js'

/** Costs of a turn and of a page; a row costs about 1, some hundredths of a millisecond. */
const TURN_COST = 200
const PAGE_COST = 10_000
/** Characters of a message that cost as much to scan as a row. */
const CHARS_A_ROW = 1000
/** For rows of messages of all mailboxes: most are asked for again, by the next list. */
const MESSAGES_BYTES = 16 * 1024 * 1024
/** Max wait for an index being built. */
const INDEX_WAIT_MS = 10_000

export type Matching = ReturnType<typeof createMatching>

/** `from` of a search is the end of its last page, exclusive. */
export function createMatching(deps: { store: Store; indexer: Indexer; indexWaitMs?: number }) {
  const { store, indexer, indexWaitMs = INDEX_WAIT_MS } = deps
  const unpacked = createRowMemory(unpackMessage, MESSAGES_BYTES)
  return async (mailboxId: string, filter: MessageFilter, from: number | undefined) => {
    const wanted = wishesOf(await withItsSpam(store, mailboxId, filter))
    const { seq: newest } = await store.read(mailboxPartition(mailboxId), requireMailbox)
    if (wanted?.some(isOfIndex)) await indexedWithin(indexer, mailboxId, indexWaitMs)
    const conditions = wanted && (await conditionsFor(store, mailboxId, wanted))

    let at = from === undefined ? newest : from - 1
    let ended = conditions === undefined || at < 0
    let cost = 0
    let found: Found = new Map()

    const turn = async <T>(look: (reader: IndexReader) => Promise<T>): Promise<T> => {
      const turned = await store.read(mailboxPartition(mailboxId), async (view) => {
        const reader = await readIndex(view, mailboxId, found, unpacked)
        return { result: await look(reader), cost: reader.cost, found: reader.found() }
      })
      cost += turned.cost
      found = turned.found
      return turned.result
    }

    return {
      /** Newest event of the mailbox at the start of the search. */
      newest,
      /** Place from which `next` continues; all matches after it were returned. */
      at: () => at,
      /** True if there are no further matches. */
      ended: () => ended,
      /** True if the page reached its cost limit. */
      tired: () => cost >= PAGE_COST,

      /** Next matches, newest first, at most `limit`; none if `ended`, or to yield. */
      async next(limit: number): Promise<MessageState[]> {
        if (ended || !conditions) return []
        if (cost > 0) await tick()
        const turned = await turn((reader) => matchesIn(reader, conditions, at, limit))
        at = turned.at
        ended = at < 0
        return turned.matches
      },

      /** True if one of some messages matches. */
      async hasOneOf(seqs: number[]): Promise<boolean> {
        for (const seq of seqs) {
          if (conditions && (await turn((reader) => fulfils(reader, conditions, seq)))) return true
          if (seqs.length > 1) await tick()
        }
        return false
      },
    }
  }
}

async function matchesIn(
  reader: IndexReader,
  conditions: readonly Condition[],
  from: number,
  limit: number,
): Promise<{ matches: MessageState[]; at: number }> {
  const matches: MessageState[] = []
  let at = from
  while (at >= 0 && matches.length < limit && (at === from || reader.cost < TURN_COST)) {
    const next = await leap(reader, conditions, at, TURN_COST)
    if (!next) return { matches, at: -1 }
    const state = next.found ? await reader.state(next.seq) : undefined
    if (state) matches.push(state)
    at = next.found ? next.seq - 1 : next.seq
  }
  return { matches, at }
}

/** A filter for a conversation of spam alone includes its spam. */
async function withItsSpam(store: Store, mailboxId: string, filter: MessageFilter): Promise<MessageFilter> {
  const { threadId } = filter
  if (threadId === undefined) return filter
  const thread = await store.read(mailboxPartition(mailboxId), (view) => readThread(view, threadId))
  return thread?.spam && thread.messageCount === 0 ? { ...filter, includeSpam: true } : filter
}

/** True if the wish needs the index; others use lists and message rows. */
function isOfIndex({ wish: { kind } }: Wanted): boolean {
  return kind !== 'unread' && kind !== 'label' && kind !== 'status' && kind !== 'thread'
}

/** @throws ServiceError `unavailable` if the index takes longer to build */
async function indexedWithin(indexer: Indexer, mailboxId: string, waitMs: number): Promise<void> {
  if (await isIndexedWithin(indexer, mailboxId, waitMs)) return
  throw new ServiceError(
    'unavailable',
    'The search index of this mailbox is still being built.',
    'Try again in some seconds. GET /v1/threads without filters works meanwhile.',
    { retryAfterSeconds: 10 },
  )
}

/** Cheap ones first. Every match must exist in the mailbox. */
async function conditionsFor(store: Store, mailboxId: string, wanted: readonly Wanted[]): Promise<Condition[]> {
  const times: Times = { after: -Infinity, before: Infinity }
  const lists: Condition[] = []
  const words: Condition[] = []
  const dear: Condition[] = []
  const fits: ((reader: IndexReader, seq: number) => Promise<boolean>)[] = []

  for (const { wish, not } of wanted) {
    const isLater = wish.kind === 'after'
    if (isLater || wish.kind === 'before') {
      if (isLater !== not) times.after = Math.max(times.after, wish.time)
      else times.before = Math.min(times.before, wish.time)
      continue
    }
    const list = listOf(wish)
    if (list !== undefined) {
      if (not) fits.push(async (reader, seq) => (await reader.listed(list, seq)) !== seq)
      else lists.push(isListed(list))
      continue
    }
    if (wish.kind === 'thread') {
      const seqs = await seqsOfThread(store, mailboxId, wish.threadId)
      if (not) fits.push(async (_reader, seq) => !seqs.includes(seq))
      else lists.push(isOneOf(seqs))
      continue
    }
    if (wish.kind === 'status') {
      const { status } = wish
      fits.push(async (reader, seq) => ((await reader.state(seq))?.status === status) !== not)
      continue
    }
    const all = wordsFor(wish).map(hasWord)
    const inARow = wish.kind === 'words' && wish.phrase ? [hasPhrase(store, mailboxId, wish.field, wish.phrase)] : []
    if (not) dear.push(isNot([...all, ...inARow]))
    else {
      words.push(...all)
      dear.push(...inARow)
    }
  }
  return [...lists, ...words, inMailbox(isBound(times) ? times : undefined, fits), ...dear]
}

const isBound = ({ after, before }: Times): boolean => after !== -Infinity || before !== Infinity

function listOf(wish: Wish): string | undefined {
  if (wish.kind === 'unread') return UNREAD_LIST
  if (wish.kind === 'label') return labelList(wish.label)
  return wish.kind === 'status' && hasList(wish.status) ? statusList(wish.status) : undefined
}

/** Index words of a wish. `received` stands for every inbound message. */
function wordsFor(wish: Wish): { word: string; prefix: boolean }[] {
  const exactly = (word: string) => [{ word: wordOf(word), prefix: false }]
  switch (wish.kind) {
    case 'words':
      return wish.terms.map(({ token, prefix }) => ({ word: wordOf(fieldWord(wish.field, token)), prefix }))
    case 'address':
      return exactly(addressWord(wish.field, wish.address))
    case 'attachment':
      return exactly(ATTACHMENT_WORD)
    case 'direction':
      return exactly(DIRECTION_WORDS[wish.direction])
    default:
      return exactly(DIRECTION_WORDS.inbound)
  }
}

async function seqsOfThread(store: Store, mailboxId: string, threadId: string): Promise<number[]> {
  const thread = await store.read(mailboxPartition(mailboxId), (view) => readThread(view, threadId))
  return thread?.places ?? []
}

/** The index has no word order: the message is checked, only its first words are indexed. */
function hasPhrase(
  store: Store,
  mailboxId: string,
  field: Parameters<typeof textsOf>[1],
  phrase: (text: string) => boolean,
): Condition {
  return isSuch(async (reader, seq) => {
    const state = await reader.state(seq)
    const content = state && (await store.read(mailboxPartition(mailboxId), (view) => readContentOf(view, state)))
    if (!content) return false
    for (const text of textsOf(content, field)) {
      reader.cost += text.length / CHARS_A_ROW
      if (phrase(text)) return true
    }
    return false
  })
}
