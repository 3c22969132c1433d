/** The row of a thread: what lists show of it, its counts, and the places of its messages. */
import { idBytes, idOf, isId } from '../lib/ids.js'
import { pack, unpack } from '../store/packed.js'
import type { Transaction, View } from '../store/types.js'
import { threadKey } from './keys.js'
import { saveLists } from './lists.js'
import { packAddress, unpackAddress, type PackedAddress } from './packed-parts.js'
import { packSeqs, unpackSeqs } from './postings.js'
import { standingOf, type SideName, type ThreadRecord, type ThreadSide } from './thread.js'

type PackedSide = [
  preview: string,
  participants: PackedAddress[],
  labels: [label: string, messages: number][],
  unreadCount: number,
  messageCount: number,
  hasAttachments: boolean,
  /** Null on a side that never had a message. */
  lastMessageId: Uint8Array | null,
  isOutbound: boolean,
  lastAt: number,
  lastSeq: number,
]

type PackedThread = [
  id: Uint8Array,
  subject: string,
  createdAt: number,
  mail: PackedSide,
  spam: PackedSide | null,
  recentSends: number[],
  /** Places, as distances (postings.ts). */
  places: Uint8Array,
  trash: Uint8Array | null,
]

function packSide(side: ThreadSide): PackedSide {
  const { preview, participants, labels, unreadCount, messageCount, hasAttachments, lastMessageId } = side
  return [
    preview,
    participants.map(packAddress),
    labels,
    unreadCount,
    messageCount,
    hasAttachments,
    lastMessageId === '' ? null : idBytes(lastMessageId),
    side.lastDirection === 'outbound',
    side.lastAt,
    side.lastSeq,
  ]
}

function unpackSide(packed: PackedSide): ThreadSide {
  const [preview, participants, labels, unreadCount, messageCount, hasAttachments, last, isOutbound, lastAt, lastSeq] =
    packed
  return {
    preview,
    participants: participants.map(unpackAddress),
    labels,
    unreadCount,
    messageCount,
    hasAttachments,
    lastMessageId: last ? idOf('msg', last) : '',
    lastDirection: isOutbound ? 'outbound' : 'inbound',
    lastAt,
    lastSeq,
  }
}

export function packThread(thread: ThreadRecord): Uint8Array {
  const { id, subject, createdAt, spam, recentSends, places, trash } = thread
  return pack([
    idBytes(id),
    subject,
    createdAt,
    packSide(thread),
    spam ? packSide(spam) : null,
    recentSends,
    Buffer.from(packSeqs(0, places)),
    trash.length === 0 ? null : Buffer.from(packSeqs(0, trash)),
  ] satisfies PackedThread)
}

export const unpackThread = (row: Uint8Array): ThreadRecord => unpack(row, threadFrom)

function threadFrom(fields: PackedThread): ThreadRecord {
  const [id, subject, createdAt, mail, spam, recentSends, places, trash] = fields
  return {
    ...unpackSide(mail),
    id: idOf('thr', id),
    subject,
    ...(spam ? { spam: unpackSide(spam) } : {}),
    createdAt,
    recentSends,
    places: unpackSeqs(0, places),
    trash: trash ? unpackSeqs(0, trash) : [],
  }
}

/** Writes a thread and moves it in every list it stands in. */
export async function saveThread(
  tx: Transaction,
  before: ThreadRecord | undefined,
  after: ThreadRecord,
): Promise<void> {
  for (const side of ['mail', 'spam'] satisfies SideName[])
    await saveLists(tx, 'thread', before && standingOf(before, side), standingOf(after, side))
  tx.put(threadKey(after.id), packThread(after))
}

/** Undefined when there is no such thread, whatever the id looks like. */
export async function readThread(view: View, threadId: string): Promise<ThreadRecord | undefined> {
  if (!isId('thr', threadId)) return undefined
  const bytes = await view.get(threadKey(threadId))
  return bytes && unpackThread(bytes)
}
