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
import type { MessageContent, MessageState } from '../message.js'
import { readState } from '../message-rows.js'
import type { Address } from '../../mime/types.js'
import { type ThreadRecord, takesMore } from './thread.js'
import { readThread } from './thread-rows.js'

const SUBJECT_WINDOW_MS = 30 * DAY
/** Max references and participants of a stranger's message that are looked up. */
const MAX_REFERENCES = 50
const MAX_SUBJECT_PARTICIPANTS = 20

const subjectForm = record<{ threadId: string; at: number }>({ threadId: idForm('thr'), at: plain() })

/** The thread a message joins; undefined for a new one. `others` are its participants without the mailbox itself. */
export async function findThread(
  view: View,
  content: MessageContent,
  others: Address[],
  now: number,
): Promise<ThreadRecord | undefined> {
  const threadId = (await byReference(view, content)) ?? (await bySubject(view, content, others, now))
  const thread = threadId === undefined ? undefined : await readThread(view, threadId)
  return thread && takesMore(thread) ? thread : undefined
}

async function byReference(view: View, content: MessageContent): Promise<string | undefined> {
  const newestFirst = [content.in_reply_to, ...content.references.toReversed()].filter((id) => id !== null)
  const ids = [...new Set(newestFirst)].slice(0, MAX_REFERENCES)
  if (ids.length === 0) return undefined
  const rows = await view.getMany(ids.map(messageIdKey))
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

async function threadOfOwn(view: View, messageId: string): Promise<string | undefined> {
  const own = OWN_MESSAGE_ID.exec(messageId)?.[1]
  const state = own === undefined ? undefined : await readState(view, `msg_${own.toUpperCase()}`)
  return state && isItsOwn(state, messageId) ? state.threadId : undefined
}

/** A stranger's Message-ID may have the same form. */
const isItsOwn = ({ shown }: MessageState, messageId: string): boolean =>
  shown === null || shown.message_id === messageId

async function bySubject(
  view: View,
  content: MessageContent,
  others: Address[],
  now: number,
): Promise<string | undefined> {
  const keys = subjectKeys(content, others)
  if (keys.length === 0) return undefined
  const entries = (await view.getMany(keys)).flatMap((bytes) => (bytes ? [unpack(subjectForm, bytes)] : []))
  const newest = entries.sort((a, b) => b.at - a.at)[0]
  return newest && newest.at >= now - SUBJECT_WINDOW_MS ? newest.threadId : undefined
}

/** Records keys by which later messages find the thread. */
export async function rememberForThreading(
  tx: Transaction,
  { id: messageId, threadId }: Pick<MessageState, 'id' | 'threadId'>,
  content: MessageContent,
  others: Address[],
  now: number,
): Promise<void> {
  const entry = subjectEntry(threadId, now)
  for (const subject of subjectKeys(content, others)) tx.put(subject, entry)
  if (content.message_id === null || isOwnMessageId(content.message_id, messageId)) return
  // The first message with an id keeps it: nobody can pull a conversation into another thread by repeating its Message-ID.
  const id = messageIdKey(content.message_id)
  const row = await tx.get(id)
  const known = row ? idOf('thr', row) : await threadOfOwn(tx, content.message_id)
  // Reusable once its whole thread was purged.
  if (known === undefined || !(await readThread(tx, known))) tx.put(id, idBytes(threadId))
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
