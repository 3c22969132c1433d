/** The two rows of a message, by its place: `message` is small and mutable, with what lists show; `body` is immutable. `place` maps its id to its place. */
import { notFound } from '../lib/errors.js'
import { idOf, isId } from '../lib/ids.js'
import { keyParts } from '../store/keys.js'
import {
  hexForm,
  idForm,
  listOf,
  maybe,
  nullOr,
  oneOf,
  pack,
  packNumber,
  plain,
  record,
  unpack,
  unpackNumber,
} from '../store/packed.js'
import type { Transaction, View } from '../store/types.js'
import { packBody, unpackBody } from './body-row.js'
import { bodyKey, messageKey, placeKey } from './keys.js'
import { listsOf, saveLists } from './lists.js'
import { inTrash, type MessageContent, type MessageState, type ShownContent, type StoredMessage } from './message.js'
import {
  addressForm,
  checkForm,
  countForm,
  directionForm,
  flagForm,
  recipientForm,
  requestedByForm,
  statusForm,
  textForm,
} from './packed-parts.js'

/** Max size of list fields in the row: mail to a thousand people is listed from its body. */
const MAX_SHOWN_BYTES = 8 * 1024

const people = listOf(addressForm)

const shownForm = record<ShownContent>({
  from: nullOr(addressForm),
  to: people,
  cc: people,
  bcc: people,
  reply_to: people,
  subject: textForm,
  preview: textForm,
  message_id: plain<string | null>(),
  in_reply_to: plain<string | null>(),
  automation: plain<ShownContent['automation']>(),
  attachments: plain<ShownContent['attachments']>(),
})

/** Fields of every message come first. */
const messageForm = record<MessageState>({
  id: idForm('msg'),
  threadId: idForm('thr'),
  seq: countForm,
  direction: directionForm,
  status: statusForm,
  labels: plain<string[]>(),
  unread: flagForm,
  rawBytes: countForm,
  rawIn: oneOf(['store', 'blob']),
  recipients: listOf(recipientForm),
  check: nullOr(checkForm),
  holdReasons: plain<MessageState['holdReasons']>(),
  newRecipientCount: countForm,
  sentAt: plain<number | null>(),
  createdAt: countForm,
  updatedAt: countForm,
  shown: nullOr(shownForm),
  rawSha256: maybe(hexForm),
  letGoAt: maybe(countForm),
  similar: maybe(plain<NonNullable<MessageState['similar']>>()),
  isAnswer: maybe(plain<true>()),
  requireTls: maybe(plain<true>()),
  reviewId: maybe(textForm),
  toldOfDelay: maybe(plain<string[]>()),
  trashed: maybe(plain<NonNullable<MessageState['trashed']>>()),
  movedSeq: maybe(countForm),
  sendAt: maybe(countForm),
  postponed: maybe(countForm),
  cancelled: maybe(plain<NonNullable<MessageState['cancelled']>>()),
  verdict: maybe(plain<NonNullable<MessageState['verdict']>>()),
  fresh: maybe(plain<number[]>()),
  freshCountedOn: maybe(countForm),
  composedBy: maybe(plain<'human'>()),
  requestedBy: maybe(requestedByForm),
  deletedIn: maybe(plain<string[]>()),
  internalDate: maybe(countForm),
  story: maybe(plain<NonNullable<MessageState['story']>>()),
})

export const packMessage = (state: MessageState): Uint8Array => pack(messageForm, state)
export const unpackMessage = (row: Uint8Array): MessageState => unpack(messageForm, row)

export function shownOf(content: ShownContent): ShownContent {
  const { from, to, cc, bcc, reply_to, subject, preview, message_id, in_reply_to, automation, attachments } = content
  return { from, to, cc, bcc, reply_to, subject, preview, message_id, in_reply_to, automation, attachments }
}

/** List fields, if small enough for the message row. */
export function smallShown(content: ShownContent): ShownContent | null {
  const shown = shownOf(content)
  return pack(shownForm, shown).length > MAX_SHOWN_BYTES ? null : shown
}

/** Writes a new message with its place and lists. @param raw undefined if it is in a blob */
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

/** Writes a message and updates its lists. @param before undefined for a new one */
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

export async function dropMessage(tx: Transaction, state: MessageState): Promise<void> {
  tx.delete(messageKey(state.seq))
  tx.delete(bodyKey(state.seq))
  tx.delete(placeKey(state.id))
  await saveLists(tx, 'message', { seq: state.seq, names: listsOf(state) }, undefined)
}

/** Message id of a `place` row. */
export function idInPlace(row: Uint8Array): string {
  const [, id] = keyParts(row)
  if (typeof id !== 'object') throw new SyntaxError('A row of places has no id')
  return idOf('msg', id)
}

/** Place of a message; undefined for unknown or malformed ids. */
export async function placeOf(view: View, messageId: string): Promise<number | undefined> {
  if (!isId('msg', messageId)) return undefined
  const bytes = await view.get(placeKey(messageId))
  return bytes && unpackNumber(bytes)
}

export async function readState(view: View, messageId: string): Promise<MessageState | undefined> {
  const seq = await placeOf(view, messageId)
  return seq === undefined ? undefined : readStateAt(view, seq)
}

export async function readStateAt(view: View, seq: number): Promise<MessageState | undefined> {
  const bytes = await view.get(messageKey(seq))
  return bytes && unpackMessage(bytes)
}

/** The messages at some places; undefined where there is none. */
export async function readStatesAt(view: View, seqs: readonly number[]): Promise<(MessageState | undefined)[]> {
  const rows = await view.getMany(seqs.map(messageKey))
  return rows.map((row) => row && unpackMessage(row))
}

/** The messages at some places, in order; others are left out. */
export async function readStates(view: View, seqs: readonly number[]): Promise<MessageState[]> {
  const rows = await view.getMany(seqs.map(messageKey))
  return rows.flatMap((row) => (row ? [unpackMessage(row)] : []))
}

/** A message with its body row, of which only a part may be needed. */
export interface MessageRows {
  state: MessageState
  body: Uint8Array
}

export async function readRows(view: View, messageId: string): Promise<MessageRows | undefined> {
  const seq = await placeOf(view, messageId)
  return seq === undefined ? undefined : readRowsAt(view, seq)
}

async function readRowsAt(view: View, seq: number): Promise<MessageRows | undefined> {
  const [message, body] = await view.getMany([messageKey(seq), bodyKey(seq)])
  return message && body && { state: unpackMessage(message), body }
}

export async function readStored(view: View, messageId: string): Promise<StoredMessage | undefined> {
  const rows = await readRows(view, messageId)
  return rows && storedFrom(rows.state, rows.body)
}

export async function readStoredAt(view: View, seq: number): Promise<StoredMessage | undefined> {
  const rows = await readRowsAt(view, seq)
  return rows && storedFrom(rows.state, rows.body)
}

export function storedFrom(state: MessageState, body: Uint8Array): StoredMessage {
  const { content, shown } = unpackBody(body)
  return { state, content: { ...contentWith(state.shown ?? shown), ...content } }
}

export async function readContentOf(view: View, state: MessageState): Promise<MessageContent | undefined> {
  const body = await view.get(bodyKey(state.seq))
  return body && storedFrom(state, body).content
}

/** Those of several, in their order. */
export async function readContentsOf(
  view: View,
  states: readonly MessageState[],
): Promise<(MessageContent | undefined)[]> {
  const bodies = await view.getMany(states.map(({ seq }) => bodyKey(seq)))
  return states.map((state, i) => {
    const body = bodies[i]
    return body && storedFrom(state, body).content
  })
}

/** List fields of a message, from either row. */
export async function readShownOf(view: View, state: MessageState): Promise<ShownContent | undefined> {
  return state.shown ?? (await readContentOf(view, state))
}

function contentWith(shown: ShownContent | null): ShownContent {
  if (!shown) throw new Error('A row is garbled: it lacks what lists show of the message')
  return shown
}

/** @throws ServiceError `not_found` */
export async function mustReadStored(view: View, messageId: string): Promise<StoredMessage> {
  const stored = await readStored(view, messageId)
  if (!stored) throw notFound('message')
  return stored
}

/** One in the trash can only be read and restored. @throws ServiceError `not_found` */
export async function mustReadUntrashed(view: View, messageId: string): Promise<StoredMessage> {
  const stored = await mustReadStored(view, messageId)
  if (stored.state.trashed) throw inTrash('message', messageId)
  return stored
}
