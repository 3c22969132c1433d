/** The row of a thread: list fields, counts, and places of its messages. */
import { notFound } from '../../lib/errors.js'
import { isId } from '../../lib/ids.js'
import { idForm, listOf, maybe, pack, plain, record, unpack, type Form } from '../../store/packed.js'
import type { Transaction, View } from '../../store/types.js'
import { threadKey } from '../keys.js'
import { saveLists } from '../lists.js'
import { addressForm, countForm, directionForm, flagForm, textForm } from '../packed-parts.js'
import { packSeqs, unpackSeqs } from '../postings.js'
import { listingOf, type SideName, type ThreadRecord, type ThreadSide } from './thread.js'

const messageIdForm = idForm('msg')

const sideFields = {
  preview: textForm,
  participants: listOf(addressForm),
  labels: plain<[string, number][]>(),
  unreadCount: countForm,
  messageCount: countForm,
  hasAttachments: flagForm,
  // '' on a side that never had a message.
  lastMessageId: {
    pack: (id: string) => (id === '' ? null : messageIdForm.pack(id)),
    read: (packed: never) => (packed === null ? '' : messageIdForm.read(packed)),
  },
  lastDirection: directionForm,
  lastAt: countForm,
  lastSeq: countForm,
}

/** Ascending places as distances (mailbox/postings.ts). */
const placesForm: Form<number[]> = {
  pack: (seqs) => (seqs.length === 0 ? null : Buffer.from(packSeqs(0, seqs))),
  read: (packed: Uint8Array | null) => (packed === null ? [] : unpackSeqs(0, packed)),
}

const threadForm = record<ThreadRecord>({
  id: idForm('thr'),
  subject: textForm,
  createdAt: countForm,
  ...sideFields,
  places: placesForm,
  recentSends: plain<number[]>(),
  trash: placesForm,
  spam: maybe(record<ThreadSide>(sideFields)),
})

export const packThread = (thread: ThreadRecord): Uint8Array => pack(threadForm, thread)
export const unpackThread = (row: Uint8Array): ThreadRecord => unpack(threadForm, row)

/** Writes a thread and updates its lists. */
export async function saveThread(
  tx: Transaction,
  before: ThreadRecord | undefined,
  after: ThreadRecord,
): Promise<void> {
  for (const side of ['mail', 'spam'] satisfies SideName[])
    await saveLists(tx, 'thread', before && listingOf(before, side), listingOf(after, side))
  tx.put(threadKey(after.id), packThread(after))
}

export async function readThread(view: View, threadId: string): Promise<ThreadRecord | undefined> {
  if (!isId('thr', threadId)) return undefined
  const bytes = await view.get(threadKey(threadId))
  return bytes && unpackThread(bytes)
}

/** @throws ServiceError `not_found` */
export async function mustReadThread(view: View, threadId: string, what: 'message' | 'thread'): Promise<ThreadRecord> {
  const thread = await readThread(view, threadId)
  if (!thread) throw notFound(what)
  return thread
}
