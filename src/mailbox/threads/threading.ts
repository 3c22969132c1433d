/**
 * Threading of inbound and outbound messages: the thread of the newest message it refers to (RFC 5322 §3.6.4), else one of the last 30 days with the same base
 * subject (RFC 5256 §2.1) and a shared participant, else a new one.
 */
import { DAY } from '../../lib/clock.js'
import { baseSubject } from '../../mime/subject.js'
import { idBytes, idOf } from '../../lib/ids.js'
import { addressKey } from '../../mime/address.js'
import { idForm, pack, plain, record, unpack } from '../../store/packed.js'
import type { Transaction, View } from '../../store/types.js'
import { messageIdKey, subjectKey } from '../keys.js'
import { isImported, type MessageContent, type MessageState } from '../message.js'
import { readShownOf, readState, readStateAt } from '../message-rows.js'
import type { Address } from '../../mime/types.js'
import { type ThreadRecord, takesMore } from './thread.js'
import { readThread } from './thread-rows.js'

const SUBJECT_WINDOW_MS = 30 * DAY
/** Max references and participants of a stranger's message that are looked up. */
const MAX_REFERENCES = 50
const MAX_SUBJECT_PARTICIPANTS = 20

const subjectForm = record<{ threadId: string; at: number }>({ threadId: idForm('thr'), at: plain() })

/** The row of a message's own Message-ID; undefined if none is kept. */
export function ownIdKey(content: Pick<MessageContent, 'message_id'>, messageId: string): Uint8Array | undefined {
  const { message_id: id } = content
  return id === null || isOwnMessageId(id, messageId) ? undefined : messageIdKey(id)
}

export interface FoundThread {
  /** Undefined for a new one. */
  thread: ThreadRecord | undefined
  /** The row of `ownKey`. */
  ownRow: Uint8Array | undefined
}

/**
 * The thread a message joins.
 *
 * @param others its participants without the mailbox itself
 * @param ownKey is read with the first rows
 */
export async function findThread(
  view: View,
  content: MessageContent,
  others: Address[],
  now: number,
  ownKey?: Uint8Array,
): Promise<FoundThread> {
  const ids = referencesOf(content)
  const subjects = subjectKeys(content, others)
  const first = ids.length > 0 ? ids.map(messageIdKey) : subjects
  const own = ownKey ? [ownKey] : []
  const [rows, [ownRow]] = split(await view.getMany([...first, ...own]), first.length)
  const threadId =
    ids.length > 0
      ? ((await byReference(view, ids, rows)) ?? bySubject(await view.getMany(subjects), now))
      : bySubject(rows, now)
  const thread = threadId === undefined ? undefined : await readThread(view, threadId)
  return { thread: thread && takesMore(thread) ? thread : undefined, ownRow }
}

const split = <T>(all: T[], at: number): [T[], T[]] => [all.slice(0, at), all.slice(at)]

/** Newest first. */
export function referencesOf({
  in_reply_to,
  references,
}: Pick<MessageContent, 'in_reply_to' | 'references'>): string[] {
  const newestFirst = [in_reply_to, ...references.toReversed()].filter((id) => id !== null)
  return [...new Set(newestFirst)].slice(0, MAX_REFERENCES)
}

async function byReference(
  view: View,
  ids: readonly string[],
  rows: readonly (Uint8Array | undefined)[],
): Promise<string | undefined> {
  for (const [i, id] of ids.entries()) {
    const row = rows[i]
    const threadId = row ? idOf('thr', row) : await threadOfOwn(view, id)
    if (threadId !== undefined) return threadId
  }
  return undefined
}

/** Message-IDs of own mail contain the message's id, so they need no row. */
const OWN_MESSAGE_ID = /^([0-7][0-9a-hjkmnp-tv-z]{25})@/

/** True if the Message-ID was made from the id. */
export function isOwnMessageId(messageId: string, id: string): boolean {
  return OWN_MESSAGE_ID.exec(messageId)?.[1]?.toUpperCase() === id.slice('msg_'.length)
}

/** Messages of a conversation among which one is looked for, newest first. */
const MAX_LOOKED_THROUGH = 100

/** The thread that knows a Message-ID. */
export async function threadOfMessageId(view: View, messageId: string): Promise<ThreadRecord | undefined> {
  const threadId = await byReference(view, [messageId], [await view.get(messageIdKey(messageId))])
  return threadId === undefined ? undefined : readThread(view, threadId)
}

/** The newest message of a conversation that has a Message-ID, and fits. */
export async function messageWithId(
  view: View,
  { places }: Pick<ThreadRecord, 'places'>,
  messageId: string,
  fits: (state: MessageState) => boolean = () => true,
): Promise<MessageState | undefined> {
  for (const seq of places.slice(-MAX_LOOKED_THROUGH).reverse()) {
    const state = await readStateAt(view, seq)
    const shown = state && fits(state) ? await readShownOf(view, state) : undefined
    if (shown?.message_id === messageId) return state
  }
  return undefined
}

async function threadOfOwn(view: View, messageId: string): Promise<string | undefined> {
  const own = OWN_MESSAGE_ID.exec(messageId)?.[1]
  const state = own === undefined ? undefined : await readState(view, `msg_${own.toUpperCase()}`)
  return state && isItsOwn(state, messageId) ? state.threadId : undefined
}

/** A stranger's Message-ID may have the same form. */
const isItsOwn = ({ shown }: MessageState, messageId: string): boolean =>
  shown === null || shown.message_id === messageId

function bySubject(rows: readonly (Uint8Array | undefined)[], now: number): string | undefined {
  const entries = rows.flatMap((bytes) => (bytes ? [unpack(subjectForm, bytes)] : []))
  // An imported message may be much older than the conversation of today.
  const near = entries.filter(({ at }) => Math.abs(at - now) <= SUBJECT_WINDOW_MS)
  return near.sort((a, b) => b.at - a.at)[0]?.threadId
}

/** Records keys by which later messages find the thread. @param found as `findThread` returned it; undefined if it was not called */
export async function rememberForThreading(
  tx: Transaction,
  { id: messageId, threadId, internalDate }: Pick<MessageState, 'id' | 'threadId' | 'internalDate'>,
  content: MessageContent,
  others: Address[],
  now: number,
  found: FoundThread | undefined,
): Promise<void> {
  const entry = subjectEntry(threadId, now)
  const subjects = subjectKeys(content, others)
  // Imported mail takes the subject of no later message.
  const later = isImported({ internalDate }) ? await laterRows(tx, subjects, now) : undefined
  for (const [i, subject] of subjects.entries()) if (!later?.[i]) tx.put(subject, entry)
  const id = ownIdKey(content, messageId)
  if (content.message_id === null || id === undefined) return
  // The first message with an id keeps it: nobody can pull a conversation into another thread by repeating its Message-ID.
  const row = found ? found.ownRow : await tx.get(id)
  const known = row ? idOf('thr', row) : await threadOfOwn(tx, content.message_id)
  // Reusable once its whole thread was purged.
  if (known === undefined || !(await readThread(tx, known))) tx.put(id, idBytes(threadId))
}

async function laterRows(view: View, subjects: Uint8Array[], now: number): Promise<boolean[]> {
  const rows = await view.getMany(subjects)
  return rows.map((row) => row !== undefined && unpack(subjectForm, row).at > now)
}

/** @param at when it was last used; milliseconds since the epoch */
export function subjectEntry(threadId: string, at: number): Uint8Array {
  return pack(subjectForm, { threadId, at })
}

export function subjectKeys(content: MessageContent, others: Address[]): Uint8Array[] {
  const base = baseSubject(content.subject)
  if (base === '') return []
  return others.slice(0, MAX_SUBJECT_PARTICIPANTS).map(({ address }) => subjectKey(base, addressKey(address)))
}
