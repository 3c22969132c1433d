/**
 * The two rows of a message, by its place. `message` is what changes and is small, with what lists show of it; `body` never changes: what else it says,
 * and the raw message where that is small. Beside them `place` leads from its id to its place.
 */
import { notFound } from '../lib/errors.js'
import { idBytes, idOf, isId } from '../lib/ids.js'
import { asBuffer, keyParts } from '../store/keys.js'
import { pack, packNumber, unpack, unpackNumber } from '../store/packed.js'
import type { Transaction, View } from '../store/types.js'
import { packBody, unpackBody } from './body-row.js'
import { bodyKey, messageKey, placeKey } from './keys.js'
import { listsOf, saveLists } from './lists.js'
import { inTrash, type MessageContent, type MessageState, type ShownContent, type StoredMessage } from './message.js'
import {
  mustBe,
  packAddress,
  packCheck,
  packRecipient,
  packStatus,
  unpackAddress,
  unpackCheck,
  unpackRecipient,
  unpackStatus,
  type PackedAddress,
  type PackedCheck,
  type PackedRecipient,
} from './packed-parts.js'

const OUTBOUND = 1
const UNREAD = 2
const IN_BLOB = 4
const IS_ANSWER = 8
const REQUIRE_TLS = 16

/** What lists show is kept in the row up to so many bytes: mail to some thousand people is shown from its body. */
const MAX_SHOWN_BYTES = 8 * 1024

type PackedMessage = [
  id: Uint8Array,
  threadId: Uint8Array,
  seq: number,
  flags: number,
  status: number,
  labels: string[],
  rawBytes: number,
  rawSha256: Uint8Array | null,
  recipients: PackedRecipient[],
  check: PackedCheck | null,
  createdAt: number,
  updatedAt: number,
  sentAt: number | null,
  shown: PackedShown | null,
  /** What few messages have, by name; null where there is nothing. */
  more: Partial<MessageState> | null,
]

type PackedShown = [
  from: PackedAddress | null,
  to: PackedAddress[],
  cc: PackedAddress[],
  bcc: PackedAddress[],
  replyTo: PackedAddress[],
  subject: string,
  preview: string,
  messageId: string | null,
  inReplyTo: string | null,
  automation: ShownContent['automation'],
  attachments: ShownContent['attachments'],
]

function packShown(shown: ShownContent): PackedShown {
  const { from, to, cc, bcc, reply_to, subject, preview, message_id, in_reply_to, automation, attachments } = shown
  return [
    from && packAddress(from),
    to.map(packAddress),
    cc.map(packAddress),
    bcc.map(packAddress),
    reply_to.map(packAddress),
    subject,
    preview,
    message_id,
    in_reply_to,
    automation,
    attachments,
  ]
}

function unpackShown(packed: PackedShown): ShownContent {
  const [from, to, cc, bcc, replyTo, subject, preview, message_id, in_reply_to, automation, attachments] = packed
  return {
    from: from && unpackAddress(from),
    to: to.map(unpackAddress),
    cc: cc.map(unpackAddress),
    bcc: bcc.map(unpackAddress),
    reply_to: replyTo.map(unpackAddress),
    subject,
    preview,
    message_id,
    in_reply_to,
    automation,
    attachments,
  }
}

export function shownOf(content: ShownContent): ShownContent {
  const { from, to, cc, bcc, reply_to, subject, preview, message_id, in_reply_to, automation, attachments } = content
  return { from, to, cc, bcc, reply_to, subject, preview, message_id, in_reply_to, automation, attachments }
}

/** What lists show of a message, where it is not too much for the row that changes. */
export function smallShown(content: ShownContent): ShownContent | null {
  const shown = shownOf(content)
  return pack(packShown(shown)).length > MAX_SHOWN_BYTES ? null : shown
}

export function packMessage(state: MessageState): Uint8Array {
  const { id, threadId, seq, direction, status, labels, unread, rawBytes, rawIn, rawSha256, recipients, check } = state
  const { isAnswer, requireTls, createdAt, updatedAt, sentAt, shown, holdReasons, newRecipientCount } = state
  const flags =
    (direction === 'outbound' ? OUTBOUND : 0) |
    (unread ? UNREAD : 0) |
    (rawIn === 'blob' ? IN_BLOB : 0) |
    (isAnswer ? IS_ANSWER : 0) |
    (requireTls ? REQUIRE_TLS : 0)
  return pack([
    idBytes(id),
    idBytes(threadId),
    seq,
    flags,
    packStatus(status),
    labels,
    rawBytes,
    rawSha256 === undefined ? null : Buffer.from(rawSha256, 'hex'),
    recipients.map(packRecipient),
    packCheck(check),
    createdAt,
    updatedAt,
    sentAt,
    shown && packShown(shown),
    moreOf(state, holdReasons, newRecipientCount),
  ] satisfies PackedMessage)
}

const PLACED: ReadonlySet<string> = new Set<keyof MessageState>([
  'id',
  'threadId',
  'seq',
  'direction',
  'status',
  'labels',
  'unread',
  'rawBytes',
  'rawIn',
  'rawSha256',
  'recipients',
  'check',
  'isAnswer',
  'requireTls',
  'createdAt',
  'updatedAt',
  'sentAt',
  'shown',
  'holdReasons',
  'newRecipientCount',
])

function moreOf(
  state: MessageState,
  holdReasons: MessageState['holdReasons'],
  newRecipientCount: number,
): Partial<MessageState> | null {
  const more = Object.entries(state).filter(([name, value]) => value !== undefined && !PLACED.has(name))
  if (holdReasons.length > 0) more.push(['holdReasons', holdReasons])
  if (newRecipientCount > 0) more.push(['newRecipientCount', newRecipientCount])
  return more.length === 0 ? null : Object.fromEntries(more)
}

export const unpackMessage = (row: Uint8Array): MessageState => unpack(row, messageFrom)

function messageFrom(fields: PackedMessage): MessageState {
  const [
    id,
    threadId,
    seq,
    flags,
    status,
    labels,
    rawBytes,
    rawSha256,
    recipients,
    check,
    createdAt,
    updatedAt,
    sentAt,
    shown,
    more,
  ] = fields
  return {
    id: idOf('msg', id),
    threadId: idOf('thr', threadId),
    seq,
    direction: flags & OUTBOUND ? 'outbound' : 'inbound',
    status: unpackStatus(status),
    labels,
    unread: (flags & UNREAD) !== 0,
    rawBytes,
    rawIn: flags & IN_BLOB ? 'blob' : 'store',
    ...(rawSha256 ? { rawSha256: asBuffer(rawSha256).toString('hex') } : {}),
    recipients: recipients.map(unpackRecipient),
    check: unpackCheck(check),
    holdReasons: [],
    newRecipientCount: 0,
    ...(flags & IS_ANSWER ? { isAnswer: true } : {}),
    ...(flags & REQUIRE_TLS ? { requireTls: true } : {}),
    createdAt,
    updatedAt,
    sentAt,
    shown: shown && unpackShown(shown),
    ...more,
  }
}

/** Writes a new message, under its place and its id, and enters it into its lists. @param raw undefined when it is in a blob */
export async function putMessage(
  tx: Transaction,
  state: MessageState,
  content: MessageContent,
  raw: Uint8Array | undefined,
): Promise<void> {
  tx.put(placeKey(state.id), packNumber(state.seq))
  tx.put(bodyKey(state.seq), packBody(content, state.shown === null ? shownOf(content) : null, raw))
  await saveMessage(tx, undefined, state)
}

/** Writes a message as it is now, and moves it in the lists. @param before as it was; undefined when it is new */
export async function saveMessage(
  tx: Transaction,
  before: MessageState | undefined,
  after: MessageState,
): Promise<void> {
  tx.put(messageKey(after.seq), packMessage(after))
  await saveLists(tx, 'message', before && { seq: before.seq, names: listsOf(before) }, {
    seq: after.seq,
    names: listsOf(after),
  })
}

/** Takes a message away with all its rows. */
export async function dropMessage(tx: Transaction, state: MessageState): Promise<void> {
  tx.delete(messageKey(state.seq))
  tx.delete(bodyKey(state.seq))
  tx.delete(placeKey(state.id))
  await saveLists(tx, 'message', { seq: state.seq, names: listsOf(state) }, undefined)
}

/** The id of the message that a row of `place` is about. */
export function idInPlace(row: Uint8Array): string {
  const [, id] = keyParts(row)
  return idOf('msg', mustBe(typeof id === 'object' ? id : undefined, 'id'))
}

/** The place of a message; undefined when there is no such message, whatever the id looks like. */
export async function placeOf(view: View, messageId: string): Promise<number | undefined> {
  if (!isId('msg', messageId)) return undefined
  const bytes = await view.get(placeKey(messageId))
  return bytes && unpackNumber(bytes)
}

/** Undefined when there is no such message. */
export async function readState(view: View, messageId: string): Promise<MessageState | undefined> {
  const seq = await placeOf(view, messageId)
  return seq === undefined ? undefined : readStateAt(view, seq)
}

export async function readStateAt(view: View, seq: number): Promise<MessageState | undefined> {
  const bytes = await view.get(messageKey(seq))
  return bytes && unpackMessage(bytes)
}

/** Those of some places that have a message, in their order. */
export async function readStates(view: View, seqs: readonly number[]): Promise<MessageState[]> {
  const rows = await view.getMany(seqs.map(messageKey))
  return rows.flatMap((row) => (row ? [unpackMessage(row)] : []))
}

export async function readStored(view: View, messageId: string): Promise<StoredMessage | undefined> {
  const seq = await placeOf(view, messageId)
  return seq === undefined ? undefined : readStoredAt(view, seq)
}

export async function readStoredAt(view: View, seq: number): Promise<StoredMessage | undefined> {
  const [message, body] = await view.getMany([messageKey(seq), bodyKey(seq)])
  return message && body && storedFrom(unpackMessage(message), body)
}

/** A message with the row of its body. */
export function storedFrom(state: MessageState, body: Uint8Array): StoredMessage {
  const { content, shown } = unpackBody(body)
  return { state, content: { ...contentWith(state.shown ?? shown), ...content } }
}

/** What a message says, of which the state is known. */
export async function readContentOf(view: View, state: MessageState): Promise<MessageContent | undefined> {
  const body = await view.get(bodyKey(state.seq))
  return body && storedFrom(state, body).content
}

/** What lists show of a message, wherever it is. */
export async function readShownOf(view: View, state: MessageState): Promise<ShownContent | undefined> {
  return state.shown ?? (await readContentOf(view, state))
}

function contentWith(shown: ShownContent | null): ShownContent {
  if (!shown) throw new Error('A row is garbled: it lacks what lists show of the message')
  return shown
}

/** The message within a read or a transaction. @throws ServiceError `not_found` */
export async function mustReadStored(view: View, messageId: string): Promise<StoredMessage> {
  const stored = await readStored(view, messageId)
  if (!stored) throw notFound('message')
  return stored
}

/**
 * The same, and it is not in the trash: what is there can be read and restored, and nothing else.
 *
 * @throws ServiceError `not_found`
 */
export async function mustReadStanding(view: View, messageId: string): Promise<StoredMessage> {
  const stored = await mustReadStored(view, messageId)
  if (stored.state.trashed) throw inTrash('message', messageId)
  return stored
}
