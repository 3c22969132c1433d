/** Drafts may be incomplete: requirements are checked when one is sent (mailbox/sending/send.ts). */
import { z } from 'zod'
import type { Clock } from '../../lib/clock.js'
import { decodeCursor, encodeCursor } from '../../lib/cursor.js'
import { checkAll, invalidRequest, ServiceError } from '../../lib/errors.js'
import { newId } from '../../lib/ids.js'
import { cut } from '../../lib/text.js'
import { decode } from '../../store/keys.js'
import type { Blobs, Store, Transaction } from '../../store/types.js'
import { isOwnAddress } from '../addresses.js'
import type { Draft, DraftSummary } from '../objects/draft-object.js'
import {
  type DraftFile,
  type DraftRecord,
  type StoredDraft,
  dropDraft,
  mustReadDraft,
  putDraft,
  readDraft,
  toDraft,
  toSummary,
} from '../draft.js'
import { earlierAnswer, rememberAnswer, retryOf } from '../sending/idempotency.js'
import { draftFileKey, draftKey, draftsRange, EMPTY_VALUE, mailboxPartition, RAW_INLINE_BYTES } from '../keys.js'
import { checkLabelsToSend } from '../labels.js'
import { mustReadUntrashed } from '../message-rows.js'
import { replyMail } from '../sending/outgoing.js'
import { notEnoughRoom, roomLeft } from '../quota.js'
import { sha256InTurns } from '../raw.js'
import { changeMailbox, requireMailbox } from '../record.js'
import { tooLarge } from '../sending/send-checks.js'
import type { SendLimits } from '../sending/send-deps.js'
import type { MailboxRecord } from '../mailbox-record.js'
import type { SendAttachment } from '../sending/requests.js'
import type { Address } from '../../mime/types.js'
import type { List, Page } from '../objects/objects.js'

/** An existing file that stays. */
export interface KeptAttachment {
  id: string
}

export interface DraftChange {
  to?: Address[] | undefined
  cc?: Address[] | undefined
  bcc?: Address[] | undefined
  replyTo?: Address[] | undefined
  subject?: string | undefined
  text?: string | undefined
  html?: string | null | undefined
  attachments?: (SendAttachment | KeptAttachment)[] | undefined
  labels?: string[] | undefined
  requireTls?: boolean | undefined
  sendAt?: number | null | undefined
}

export interface NewDraft extends DraftChange {
  /** Id of the message it replies to. */
  inReplyTo?: string | undefined
  replyAll?: boolean | undefined
}

export const MAX_DRAFTS = 200
const PREVIEW_CHARS = 200
/** Longer answers are not kept for retries; only the draft's id is. */
const MAX_KEPT_ANSWER = 16 * 1024

export interface DraftsDeps {
  store: Store
  blobs: Pick<Blobs, 'put' | 'delete'>
  clock: Clock
  limits: SendLimits
}

/** Stored result of a creation, for retries. */
type Made = { draft: Draft } | { id: string }

const cursorSchema = z.object({ drafts: z.string().max(40) })

export function createDrafts({ store, blobs, clock, limits }: DraftsDeps) {
  /** Makes large files durable before the commit that references them. */
  async function takeIn(mailboxId: string, attachments: SendAttachment[]): Promise<NewFile[]> {
    const files = attachments.map((attachment) => newFile(attachment, clock.now()))
    for (const { file, content } of files) {
      if (file.in !== 'blob') continue
      file.sha256 = await sha256InTurns(content)
      await blobs.put(mailboxId, file.id, content)
    }
    return files
  }

  const dropBlobs = async (mailboxId: string, files: DraftFile[]): Promise<void> => {
    for (const file of files) if (file.in === 'blob') await blobs.delete(mailboxId, file.id)
  }

  return {
    /** Validates all fields of a draft or change. @throws ServiceError `invalid_request`, `payload_too_large` */
    check: (change: DraftChange) => checkDraft(change, limits),

    /**
     * A reply gets missing recipients, subject and thread from its original.
     *
     * @throws ServiceError `not_found` for an unknown original, `quota_exceeded`, `payload_too_large`, `invalid_request`, `idempotency_mismatch`
     */
    async create(
      mailboxId: string,
      given: NewDraft,
      { idempotencyKey }: { idempotencyKey?: string | undefined },
    ): Promise<Draft> {
      checkDraft(given, limits)
      const retry = idempotencyKey === undefined ? undefined : await retryOf(idempotencyKey, ['draft', 'create', given])
      const attachments = (given.attachments ?? []).flatMap((one) => ('id' in one ? [] : [one]))
      if (attachments.length !== (given.attachments ?? []).length) throw unknownFile()
      const files = await takeIn(mailboxId, attachments)
      const id = newId('drf', clock.now())
      const made = await changeMailbox(store, mailboxId, async (tx, mailbox): Promise<Made> => {
        const now = clock.now()
        const earlier = retry && (await earlierAnswer<Made>(tx, retry, now))
        if (earlier) return earlier
        if ((mailbox.draftCount ?? 0) >= MAX_DRAFTS)
          throw new ServiceError(
            'quota_exceeded',
            `The mailbox has ${MAX_DRAFTS} drafts, and can't have more.`,
            'Send some, or delete some with DELETE /v1/drafts/{id}; GET /v1/drafts lists them.',
          )
        const answer = given.inReplyTo === undefined ? {} : await answerTo(tx, mailbox, given.inReplyTo, given)
        const empty = { id, revision: 0, to: [], cc: [], bcc: [], replyTo: [], subject: '', labels: [] }
        const before = { ...empty, ...answer, preview: '', files: [], bytes: 0, createdAt: now, updatedAt: now }
        const words = { text: '', html: null }
        const after = changed({ draft: before, words }, given, files, now)
        takeRoom(mailbox, 0, after.draft.bytes, limits)
        mailbox.draftCount = (mailbox.draftCount ?? 0) + 1
        putDraft(tx, after)
        putFiles(tx, files)
        const draft = toDraft(mailboxId, after.draft, after.words)
        const isShort = JSON.stringify(draft).length <= MAX_KEPT_ANSWER
        if (retry) rememberAnswer<Made>(tx, retry, isShort ? { draft } : { id }, now + limits.idempotencyMs)
        return { draft }
      })
      const draft = 'draft' in made ? made.draft : await this.get(mailboxId, made.id)
      const written = files.map(({ file }) => file)
      if (draft.id !== id) await dropBlobs(mailboxId, written)
      return draft
    },

    /** Newest first. */
    list: (mailboxId: string, { limit, cursor }: Page): Promise<List<DraftSummary>> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        await requireMailbox(view)
        const from = decodeCursor(cursor, cursorSchema)
        const lt = from ? draftKey(from.drafts) : draftsRange.lt
        const pairs = await view.range({ gte: draftsRange.gte, lt, limit: limit + 1, reverse: true })
        const drafts = pairs.slice(0, limit).map(([, value]) => decode<DraftRecord>(value))
        const last = drafts.at(-1)
        const hasMore = pairs.length > limit
        return {
          data: drafts.map((draft) => toSummary(mailboxId, draft)),
          has_more: hasMore,
          next_cursor: hasMore && last ? encodeCursor({ drafts: last.id }) : null,
        }
      }),

    get: (mailboxId: string, draftId: string): Promise<Draft> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const { draft, words } = await mustReadDraft(view, draftId)
        return toDraft(mailboxId, draft, words)
      }),

    /** Omitted fields stay. `attachments` is the whole list; existing files are named by id. */
    async update(mailboxId: string, draftId: string, change: DraftChange): Promise<Draft> {
      checkDraft(change, limits)
      const attachments = (change.attachments ?? []).flatMap((one) => ('id' in one ? [] : [one]))
      const found = await store.read(mailboxPartition(mailboxId), (view) => readDraft(view, draftId))
      // Nothing is written to disk for an unknown draft.
      const files = found ? await takeIn(mailboxId, attachments) : []
      const { draft, gone } = await changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const before = await mustReadDraft(tx, draftId)
        const after = changed(before, change, files, clock.now())
        takeRoom(mailbox, before.draft.bytes, after.draft.bytes, limits)
        if (sizeOf(after) > limits.messageBytes) throw tooLarge(limits)
        const gone = before.draft.files.filter(({ id }) => !after.draft.files.some((file) => file.id === id))
        for (const { id } of gone) tx.delete(draftFileKey(id))
        putDraft(tx, after)
        putFiles(tx, files)
        return { draft: toDraft(mailboxId, after.draft, after.words), gone }
      })
      await dropBlobs(mailboxId, gone)
      return draft
    },

    /** @returns the deleted draft */
    async delete(mailboxId: string, draftId: string): Promise<Draft> {
      const { draft, words } = await changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const stored = await mustReadDraft(tx, draftId)
        dropDraft(tx, mailbox, stored.draft)
        return stored
      })
      await dropBlobs(mailboxId, draft.files)
      return toDraft(mailboxId, draft, words)
    },
  }
}

interface NewFile {
  file: DraftFile
  content: Buffer
}

function newFile({ filename, contentType, contentId, content }: SendAttachment, now: number): NewFile {
  const file: DraftFile = {
    id: newId('att', now),
    filename,
    contentType,
    ...(contentId === undefined ? {} : { contentId }),
    bytes: content.length,
    in: content.length <= RAW_INLINE_BYTES ? 'store' : 'blob',
  }
  return { file, content }
}

/** One row each; for a blob the row says that a draft owns it. */
function putFiles(tx: Transaction, files: NewFile[]): void {
  for (const { file, content } of files) tx.put(draftFileKey(file.id), file.in === 'store' ? content : EMPTY_VALUE)
}

function changed(before: StoredDraft, change: DraftChange, files: NewFile[], now: number): StoredDraft {
  const { draft } = before
  const words = {
    text: change.text ?? before.words.text,
    html: change.html === undefined ? before.words.html : change.html,
  }
  const { requireTls: _tls, sendAt: _time, ...rest } = draft
  const requireTls = change.requireTls ?? draft.requireTls
  const sendAt = change.sendAt === undefined ? draft.sendAt : (change.sendAt ?? undefined)
  const after: DraftRecord = {
    ...rest,
    revision: draft.revision + 1,
    to: change.to ?? draft.to,
    cc: change.cc ?? draft.cc,
    bcc: change.bcc ?? draft.bcc,
    replyTo: change.replyTo ?? draft.replyTo,
    subject: change.subject ?? draft.subject,
    preview: cut(words.text.replace(/\s+/gu, ' ').trim(), PREVIEW_CHARS),
    labels: change.labels ?? draft.labels,
    ...(requireTls ? { requireTls: true } : {}),
    ...(sendAt === undefined ? {} : { sendAt }),
    files: change.attachments ? filesAfter(draft.files, change.attachments, files) : draft.files,
    bytes: 0,
    updatedAt: now,
  }
  // A fixed overhead, so that many empty drafts are not free.
  after.bytes = after.files.reduce((sum, file) => sum + file.bytes, 0) + bytesOf({ draft: after, words })
  return { draft: after, words }
}

function filesAfter(
  before: DraftFile[],
  attachments: NonNullable<DraftChange['attachments']>,
  files: NewFile[],
): DraftFile[] {
  const fresh = files.map(({ file }) => file)
  const named = new Set<string>()
  return attachments.map((attachment) => {
    const file = 'id' in attachment ? before.find(({ id }) => id === attachment.id) : fresh.shift()
    if (!file || named.has(file.id)) throw unknownFile()
    named.add(file.id)
    return file
  })
}

function bytesOf({ draft, words }: StoredDraft): number {
  return Buffer.byteLength(JSON.stringify(draft)) + Buffer.byteLength(words.text) + Buffer.byteLength(words.html ?? '')
}

/** Approximate size as a message: base64 turns three bytes into four. */
function sizeOf({ draft, words }: StoredDraft): number {
  const bytes = draft.files.reduce((sum, file) => sum + file.bytes, 0)
  return (bytes * 4) / 3 + words.text.length + (words.html?.length ?? 0)
}

function checkDraft(change: DraftChange, limits: SendLimits): void {
  const bytes = (change.attachments ?? []).reduce((sum, one) => sum + ('id' in one ? 0 : one.content.length), 0)
  checkAll(
    () => checkLabelsToSend(change.labels ?? []),
    () => {
      if ((bytes * 4) / 3 + (change.text?.length ?? 0) + (change.html?.length ?? 0) > limits.messageBytes)
        throw tooLarge(limits)
    },
  )
}

function takeRoom(mailbox: MailboxRecord, before: number, after: number, limits: SendLimits): void {
  if (after - before > roomLeft(mailbox, limits)) throw notEnoughRoom(mailbox, limits)
  mailbox.usedBytes += after - before
}

/** Recipients and subject of a reply, as for POST /v1/messages/{id}/reply. @throws ServiceError `not_found`, `invalid_request` */
async function answerTo(
  tx: Transaction,
  mailbox: MailboxRecord,
  messageId: string,
  { replyAll = false }: NewDraft,
): Promise<Pick<DraftRecord, 'to' | 'cc' | 'subject' | 'answers'>> {
  const original = await mustReadUntrashed(tx, messageId)
  const request = { text: '', html: null, attachments: [], all: replyAll }
  const mail = replyMail(original, request, ({ address }) => isOwnAddress(mailbox, address))
  return {
    to: mail.to,
    cc: mail.cc,
    subject: mail.subject,
    answers: {
      messageId,
      threadId: original.state.threadId,
      inReplyTo: mail.inReplyTo,
      references: mail.references,
    },
  }
}

function unknownFile(): ServiceError {
  return invalidRequest(
    'The draft has no such attachment.',
    'Name attachments that stay by the ids of GET /v1/drafts/{id}, each once, and give new ones with their content.',
    [{ field: 'attachments', problem: 'It names a file that is not in the draft, or one twice.' }],
  )
}
