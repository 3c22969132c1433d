/** Drafts may be incomplete: requirements are checked when one is sent (mailbox/sending/send.ts). */
import { z } from 'zod'
import type { Clock } from '../../lib/clock.js'
import { decodeCursor, encodeCursor } from '../../lib/cursor.js'
import { newId } from '../../lib/ids.js'
import type { WorkQueue } from '../../queue/types.js'
import { decode } from '../../store/keys.js'
import type { Blobs, Store } from '../../store/types.js'
import {
  type DraftRecord,
  DraftChangedError,
  draftOfHuman,
  dropDraft,
  filesOf,
  isOfHuman,
  mustReadDraft,
  putDraft,
  readDraft,
  toDraft,
  toSummary,
} from '../draft.js'
import { draftFileKey, draftKey, draftsRange, mailboxPartition } from '../keys.js'
import type { Draft, DraftSummary } from '../objects/draft-object.js'
import type { List, Page } from '../objects/objects.js'
import { changeMailbox, requireMailbox } from '../record.js'
import { dropBlobs, putFiles, refuseTooMany, takeIn, takeRoom } from '../sending/draft-room.js'
import { earlierAnswer, rememberAnswer, retryOf } from '../sending/retries/idempotency.js'
import { endReview } from '../sending/review-tasks.js'
import { tooLarge } from '../sending/send-checks.js'
import type { SendLimits } from '../sending/send-deps.js'
import {
  answerTo,
  changed,
  checkDraft,
  emptyDraft,
  sizeOf,
  unknownFile,
  type DraftChange,
  type NewDraft,
} from './change.js'
import { complete, formOf } from './shown.js'

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
  /** The form that they saw (`ShownDraft`): the change fails if it is another by now. */
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
        const after = changed(emptyDraft(id, now, answer), given, files, { now, isHuman: false })
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
     * @throws ServiceError `draft_of_human` without `seen`, for one that a human writes
     */
    async update(mailboxId: string, draftId: string, change: DraftChange, seen?: SeenForm): Promise<Draft> {
      checkDraft(change, limits)
      const attachments = (change.attachments ?? []).flatMap((one) => ('id' in one ? [] : [one]))
      const found = await store.read(mailboxPartition(mailboxId), (view) => readDraft(view, draftId))
      // Nothing is written to disk for an unknown draft.
      const files = found ? await takeIn(blobs, mailboxId, attachments, clock.now()) : []
      const { draft, gone } = await changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const before = await mustReadDraft(tx, draftId)
        if (!seen && isOfHuman(before.draft)) throw draftOfHuman()
        const base = seen ? await complete(tx, mailbox, before) : before
        if (seen && formOf(base) !== seen.form) throw new DraftChangedError()
        const after = changed(base, change, files, { now: clock.now(), isHuman: seen !== undefined })
        takeRoom(mailbox, before.draft.bytes, after.draft.bytes, limits)
        if (sizeOf(after) > limits.messageBytes) throw tooLarge(limits)
        const gone = filesOf(before.draft).filter(({ id }) => !filesOf(after.draft).some((file) => file.id === id))
        for (const { id } of gone) tx.delete(draftFileKey(id))
        putDraft(tx, after)
        putFiles(tx, files)
        return { draft: toDraft(mailboxId, after.draft, after.words), gone }
      })
      await dropBlobs(blobs, mailboxId, gone)
      return draft
    },

    /** @returns the deleted draft @throws ServiceError `draft_of_human` */
    async delete(mailboxId: string, draftId: string): Promise<Draft> {
      const { draft, words } = await changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const stored = await mustReadDraft(tx, draftId)
        if (isOfHuman(stored.draft)) throw draftOfHuman()
        dropDraft(tx, mailbox, stored.draft)
        endReview(queue, tx, stored.draft)
        return stored
      })
      await dropBlobs(blobs, mailboxId, filesOf(draft))
      return toDraft(mailboxId, draft, words)
    },
  }
}
