/**
 * Going through the messages of a mailbox that fulfil what is asked for, newest first, in short turns: each reads one version of the index, and
 * others get theirs in between. A page may cost only so much; then it ends as it is, with a place from which the next one goes on.
 */
import { setImmediate as tick } from 'node:timers/promises'
import { ServiceError } from '../../lib/errors.js'
import type { Store } from '../../store/types.js'
import { wordOf } from './chunks.js'
import { type Condition, fulfils, hasWord, isListed, isNot, isOneOf, isSuch, leap, stands } from './conditions.js'
import { type Found, type IndexReader, type Times, readIndex } from './index-reader.js'
import type { Indexer } from './indexer.js'
import { mailboxPartition } from '../keys.js'
import { hasList, labelList, statusList, UNREAD_LIST } from '../lists.js'
import type { MessageState } from '../message.js'
import { readContentOf } from '../message-rows.js'
import { wishesOf, type Wanted, type Wish } from './query.js'
import { mustExist } from '../record.js'
import { readThread } from '../threads/thread-rows.js'
import type { MessageFilter } from './message-filter.js'
import { addressWord, ATTACHMENT_WORD, DIRECTION_WORDS, fieldWord, textsOf } from '../mail-work/words.js'

/** What a turn costs, and a page; a row is about 1, some hundredths of a millisecond. */
const TURN_COST = 200
const PAGE_COST = 10_000
/** So many characters of a message cost as much as a row to look through. */
const CHARS_A_ROW = 1000
/** How long a request waits for the index of a mailbox that is being made. */
const INDEX_WAIT_MS = 10_000

export interface Matches {
  /** The mailbox's newest event when the search began. */
  newest: number
  /** The next matches, newest first, at most `limit`; none when `ended`, or when others should have their turn. */
  next(limit: number): Promise<MessageState[]>
  /** Where `next` goes on: all matches past it have been given. */
  at(): number
  /** There is none any more. */
  ended(): boolean
  /** The page has cost what it may. */
  tired(): boolean
  /** Whether one of some messages is a match. */
  hasOneOf(seqs: number[]): Promise<boolean>
}

export type Matching = (mailboxId: string, filter: MessageFilter, from: number | undefined) => Promise<Matches>

/** The `from` of a search is the place where its last page ended: that one is not given again. */
export function createMatching(deps: { store: Store; indexer: Indexer; indexWaitMs?: number }): Matching {
  const { store, indexer, indexWaitMs = INDEX_WAIT_MS } = deps
  return async (mailboxId, filter, from) => {
    const wanted = wishesOf(await withItsSpam(store, mailboxId, filter))
    const { seq: newest } = await store.read(mailboxPartition(mailboxId), mustExist)
    if (wanted?.some(isOfIndex)) await indexedWithin(indexer, mailboxId, indexWaitMs)
    const conditions = wanted && (await conditionsFor(store, mailboxId, wanted))

    let at = from === undefined ? newest : from - 1
    let ended = conditions === undefined || at < 0
    let cost = 0
    let found: Found = new Map()

    const turn = async <T>(look: (reader: IndexReader) => Promise<T>): Promise<T> => {
      const turned = await store.read(mailboxPartition(mailboxId), async (view) => {
        const reader = await readIndex(view, mailboxId, found)
        return { result: await look(reader), cost: reader.cost, found: reader.found() }
      })
      cost += turned.cost
      found = turned.found
      return turned.result
    }

    return {
      newest,
      at: () => at,
      ended: () => ended,
      tired: () => cost >= PAGE_COST,

      async next(limit) {
        if (ended || !conditions) return []
        if (cost > 0) await tick()
        const turned = await turn((reader) => matchesIn(reader, conditions, at, limit))
        at = turned.at
        ended = at < 0
        return turned.matches
      },

      async hasOneOf(seqs) {
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

/** Who names a conversation that is spam as a whole asks for what is in it. */
async function withItsSpam(store: Store, mailboxId: string, filter: MessageFilter): Promise<MessageFilter> {
  const { threadId } = filter
  if (threadId === undefined) return filter
  const thread = await store.read(mailboxPartition(mailboxId), (view) => readThread(view, threadId))
  return thread?.spam && thread.messageCount === 0 ? { ...filter, includeSpam: true } : filter
}

/** Whether the index is asked; all else is in the lists and the rows of the messages. */
function isOfIndex({ wish: { kind } }: Wanted): boolean {
  return kind !== 'unread' && kind !== 'label' && kind !== 'status' && kind !== 'thread'
}

/** @throws ServiceError `unavailable` when the index is being made and that takes longer */
async function indexedWithin(indexer: Indexer, mailboxId: string, waitMs: number): Promise<void> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), waitMs)
  try {
    const lateness = new Promise<'late'>((resolve) =>
      late.signal.addEventListener('abort', () => resolve('late'), { once: true }),
    )
    const outcome = await Promise.race([indexer.indexMailbox(mailboxId, late.signal), lateness])
    if (outcome !== 'late' && !late.signal.aborted) return
  } finally {
    clearTimeout(timer)
  }
  throw new ServiceError(
    'unavailable',
    'The mailbox has much mail that is not in its index yet, and that is being made.',
    'Try again in some seconds. GET /v1/threads without filters answers meanwhile.',
    { retryAfterSeconds: 10 },
  )
}

/** Cheap ones first. All matches stand in the mailbox, whatever else is asked for. */
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
  return [...lists, ...words, stands(isBound(times) ? times : undefined, fits), ...dear]
}

const isBound = ({ after, before }: Times): boolean => after !== -Infinity || before !== Infinity

function listOf(wish: Wish): string | undefined {
  if (wish.kind === 'unread') return UNREAD_LIST
  if (wish.kind === 'label') return labelList(wish.label)
  return wish.kind === 'status' && hasList(wish.status) ? statusList(wish.status) : undefined
}

/** Words of the index. Every inbound message is `received`, and no other. */
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

/** Oldest first; none when there is no such thread. */
async function seqsOfThread(store: Store, mailboxId: string, threadId: string): Promise<number[]> {
  const thread = await store.read(mailboxPartition(mailboxId), (view) => readThread(view, threadId))
  return thread?.places ?? []
}

/** The index does not know in which order words stand: the message is looked at, of which only its first words are searched. */
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
