/** Drafts may be incomplete: requirements are checked when one is sent (mailbox/sending/send.ts). */
import { z } from 'zod'
import type { Clock } from '../../lib/clock.js'
import { decodeCursor, encodeCursor } from '../../lib/cursor.js'
import { checkAll, invalidRequest, type ServiceError } from '../../lib/errors.js'
import { newId } from '../../lib/ids.js'
import type { WorkQueue } from '../../queue/types.js'
import { decode } from '../../store/keys.js'
import type { Blobs, Store, Transaction } from '../../store/types.js'
import { isOwnAddress } from '../addresses.js'
import type { Draft, DraftSummary } from '../objects/draft-object.js'
import {
  type DraftFile,
  type DraftRecord,
  type DraftReview,
  type StoredDraft,
  DraftChangedError,
  dropDraft,
  mustReadDraft,
  putDraft,
  readDraft,
  toDraft,
  toSummary,
} from '../draft.js'
import { earlierAnswer, rememberAnswer, retryOf } from '../sending/idempotency.js'
import { draftFileKey, draftKey, draftsRange, mailboxPartition } from '../keys.js'
import { checkLabelsToSend } from '../labels.js'
import { mustReadUntrashed } from '../message-rows.js'
import { replyMail } from '../sending/outgoing.js'
import { changeMailbox, requireMailbox } from '../record.js'
import { tooLarge } from '../sending/send-checks.js'
import type { SendLimits } from '../sending/send-deps.js'
import type { MailboxRecord } from '../mailbox-record.js'
import type { SendAttachment } from '../sending/requests.js'
import type { Address } from '../../mime/types.js'
import type { List, Page } from '../objects/objects.js'
import {
  dropBlobs,
  previewOf,
  putFiles,
  refuseTooMany,
  takeIn,
  takeRoom,
  weighed,
  type NewFile,
} from '../sending/draft-room.js'
import { endReview } from '../sending/review-tasks.js'
import { complete, formOf } from './shown.js'

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

/** Longer answers are not kept for retries; only the draft's id is. */
const MAX_KEPT_ANSWER = 16 * 1024

export interface DraftsDeps {
  store: Store
  blobs: Pick<Blobs, 'put' | 'delete'>
  queue: Pick<WorkQueue, 'finish'>
  clock: Clock
  limits: SendLimits
}

/** A change by the human. */
export interface SeenForm {
  /** What they saw (`ShownDraft`): the change fails if it is another by now. */
  form: string
}

/** Stored result of a creation, for retries. */
type Made = { draft: Draft } | { id: string }

const cursorSchema = z.object({ drafts: z.string().max(40) })

export function createDrafts({ store, blobs, queue, clock, limits }: DraftsDeps) {
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
      const files = await takeIn(blobs, mailboxId, attachments, clock.now())
      const id = newId('drf', clock.now())
      const made = await changeMailbox(store, mailboxId, async (tx, mailbox): Promise<Made> => {
        const now = clock.now()
        const earlier = retry && (await earlierAnswer<Made>(tx, retry, now))
        if (earlier) return earlier
        refuseTooMany(mailbox)
        const answer = given.inReplyTo === undefined ? {} : await answerTo(tx, mailbox, given.inReplyTo, given)
        const empty = { id, revision: 0, to: [], cc: [], bcc: [], replyTo: [], subject: '', labels: [] }
        const before = { ...empty, ...answer, preview: '', files: [], bytes: 0, createdAt: now, updatedAt: now }
        const words = { text: '', html: null }
        const after = changed({ draft: before, words }, given, files, { now, isHuman: false })
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
      if (draft.id !== id) await dropBlobs(blobs, mailboxId, written)
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

    /**
     * Omitted fields stay. `attachments` is the whole list; existing files are named by id.
     *
     * @param seen for the human: what they saw is kept in the draft, with author and signature
     */
    async update(mailboxId: string, draftId: string, change: DraftChange, seen?: SeenForm): Promise<Draft> {
      checkDraft(change, limits)
      const attachments = (change.attachments ?? []).flatMap((one) => ('id' in one ? [] : [one]))
      const found = await store.read(mailboxPartition(mailboxId), (view) => readDraft(view, draftId))
      // Nothing is written to disk for an unknown draft.
      const files = found ? await takeIn(blobs, mailboxId, attachments, clock.now()) : []
      const { draft, gone } = await changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const before = await mustReadDraft(tx, draftId)
        const base = seen ? await complete(tx, mailbox, before) : before
        if (seen && formOf(base) !== seen.form) throw new DraftChangedError()
        const after = changed(base, change, files, { now: clock.now(), isHuman: seen !== undefined })
        takeRoom(mailbox, before.draft.bytes, after.draft.bytes, limits)
        if (sizeOf(after) > limits.messageBytes) throw tooLarge(limits)
        const gone = before.draft.files.filter(({ id }) => !after.draft.files.some((file) => file.id === id))
        for (const { id } of gone) tx.delete(draftFileKey(id))
        putDraft(tx, after)
        putFiles(tx, files)
        return { draft: toDraft(mailboxId, after.draft, after.words), gone }
      })
      await dropBlobs(blobs, mailboxId, gone)
      return draft
    },

    /** @returns the deleted draft */
    async delete(mailboxId: string, draftId: string): Promise<Draft> {
      const { draft, words } = await changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const stored = await mustReadDraft(tx, draftId)
        dropDraft(tx, mailbox, stored.draft)
        endReview(queue, tx, stored.draft)
        return stored
      })
      await dropBlobs(blobs, mailboxId, draft.files)
      return toDraft(mailboxId, draft, words)
    },
  }
}

function changed(
  before: StoredDraft,
  change: DraftChange,
  files: NewFile[],
  { now, isHuman }: { now: number; isHuman: boolean },
): StoredDraft {
  const { draft } = before
  const words = {
    text: change.text ?? before.words.text,
    html: change.html === undefined ? before.words.html : change.html,
  }
  const isReworded = [change.text, change.html, change.subject].some((given) => given !== undefined)
  const composedBy = isReworded ? (isHuman ? 'human' : undefined) : draft.composedBy
  const { requireTls: _tls, anyTls, sendAt: _time, composedBy: _author, review, ...rest } = draft
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
    preview: previewOf(words.text),
    labels: change.labels ?? draft.labels,
    ...(requireTls ? { requireTls: true } : {}),
    ...(anyTls && !requireTls ? { anyTls } : {}),
    ...(sendAt === undefined ? {} : { sendAt }),
    ...(composedBy && { composedBy }),
    ...(review && { review: unjudged(review) }),
    files: change.attachments ? filesAfter(draft.files, change.attachments, files) : draft.files,
    bytes: 0,
    updatedAt: now,
  }
  return weighed({ draft: after, words })
}

/** What the guard said was about the draft before the change. */
function unjudged({ guard: _guard, ...review }: DraftReview): DraftReview {
  return review
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
