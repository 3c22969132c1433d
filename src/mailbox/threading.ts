/**
 * Which thread a message belongs to, inbound and outbound alike: the one of the newest message it refers to (RFC 5322 §3.6.4), or else a
 * thread of the last 30 days with the same base subject (RFC 5256 §2.1) and a shared participant, or else a new one.
 */
import { DAY } from '../lib/clock.js'
import { baseSubject } from '../mime/subject.js'
import { decode, encode } from '../store/keys.js'
import type { Transaction, View } from '../store/types.js'
import { messageIdKey, subjectKey } from './keys.js'
import type { MessageContent } from './message.js'
import { addressHash } from './message.js'
import type { Address } from '../mime/types.js'
import type { ThreadRecord } from './thread.js'
import { readThread, takesMore } from './thread.js'

const SUBJECT_WINDOW_MS = 30 * DAY
/** Of a stranger's References and participants, so many are looked up. */
const MAX_REFERENCES = 50
const MAX_SUBJECT_PARTICIPANTS = 20

export interface SubjectEntry {
  threadId: string
  /** Milliseconds since the epoch. */
  at: number
}

/** The thread a message joins; undefined when it begins a new one. `others` are its participants without the mailbox itself. */
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
  const found = (await view.getMany(ids.map(messageIdKey))).find((bytes) => bytes !== undefined)
  return found && decode<string>(found)
}

async function bySubject(
  view: View,
  content: MessageContent,
  others: Address[],
  now: number,
): Promise<string | undefined> {
  const keys = subjectKeys(content, others)
  if (keys.length === 0) return undefined
  const entries = (await view.getMany(keys)).flatMap((bytes) => (bytes ? [decode<SubjectEntry>(bytes)] : []))
  const newest = entries.sort((a, b) => b.at - a.at)[0]
  return newest && newest.at >= now - SUBJECT_WINDOW_MS ? newest.threadId : undefined
}

/** Enters a message under what later messages may be threaded by. */
export async function rememberForThreading(
  tx: Transaction,
  content: MessageContent,
  others: Address[],
  threadId: string,
  now: number,
): Promise<void> {
  const entry = encode({ threadId, at: now } satisfies SubjectEntry)
  for (const subject of subjectKeys(content, others)) tx.put(subject, entry)
  if (content.message_id === null) return
  // The first message with an id keeps it: nobody draws a conversation into another thread by repeating its Message-ID.
  const id = messageIdKey(content.message_id)
  const known = await tx.get(id)
  // One that was deleted for good with its whole thread lets go of it.
  if (!known || !(await readThread(tx, decode<string>(known)))) tx.put(id, encode(threadId))
}

/** Under which a message's thread is found by its subject. */
export function subjectKeys(content: MessageContent, others: Address[]): Uint8Array[] {
  const base = baseSubject(content.subject)
  if (base === '') return []
  return others.slice(0, MAX_SUBJECT_PARTICIPANTS).map(({ address }) => subjectKey(base, addressHash(address)))
}
