/** The human's decisions on drafts: approve, discard, return. A waiting draft that nobody decides on is returned when its time is over. */
import type { Clock } from '../../lib/clock.js'
import { invalidRequest, notFound } from '../../lib/errors.js'
import { cut } from '../../lib/text.js'
import type { TaskOutcome, WorkQueue } from '../../queue/types.js'
import type { Blobs, Store } from '../../store/types.js'
import { readValues } from '../../store/values.js'
import {
  DraftChangedError,
  dropDraft,
  filesOf,
  mustReadDraft,
  putDraft,
  readDraft,
  toDraft,
  submittedFile,
  toSummary,
  type DraftFile,
  type DraftRecord,
  type DraftReview,
} from '../draft.js'
import { appendEvent } from '../events.js'
import { draftsRange, mailboxPartition } from '../keys.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { mailboxOf } from '../mailbox-rows.js'
import type { DraftSummary } from '../objects/draft-object.js'
import { changeIfThere, changeMailbox, requireMailbox } from '../record.js'
import type { Accepted, DryRun, SendOptions, Waiting } from '../sending/requests.js'
import type { DraftChange } from './change.js'
import type { createDrafts } from './drafts.js'
import { readDraftFile } from '../sending/draft-files.js'
import { dropBlobs } from '../sending/draft-room.js'
import { endReview, type ApprovalTask } from '../sending/review-tasks.js'
import { complete, formOf, type ShownDraft } from './shown.js'

const MAX_NOTE_CHARS = 2000

export interface DecidingDeps {
  store: Store
  blobs: Pick<Blobs, 'delete' | 'stream'>
  queue: Pick<WorkQueue, 'finish'>
  clock: Clock
  drafts: Pick<ReturnType<typeof createDrafts>, 'update'>
  sendDraft: (mailboxId: string, draftId: string, options: SendOptions) => Promise<Accepted | DryRun | Waiting>
  /** @throws ServiceError `unavailable` */
  mayAskApproval: () => Promise<void>
}

export interface WaitingDraft extends DraftSummary {
  guard: DraftReview['guard']
  /** A letter told the human. */
  isTold: boolean
}

export function createDeciding(deps: DecidingDeps) {
  const { store, blobs, queue, clock, drafts, sendDraft, mayAskApproval } = deps
  return {
    /** @throws ServiceError `not_found` */
    shown: (mailboxId: string, draftId: string): Promise<ShownDraft> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const seen = await complete(view, await requireMailbox(view), await mustReadDraft(view, draftId))
        return {
          draft: toDraft(mailboxId, seen.draft, seen.words),
          form: formOf(seen),
          submitted: submittedFile(seen.draft),
        }
      }),

    /** A file of a draft, or the message that a program sent for approval. @throws ServiceError `not_found` */
    async file(mailboxId: string, draftId: string, fileId: string): Promise<{ file: DraftFile; content: Buffer }> {
      const { draft } = await store.read(mailboxPartition(mailboxId), (view) => mustReadDraft(view, draftId))
      const file = filesOf(draft).find(({ id }) => id === fileId)
      const content = file && (await readDraftFile({ store, blobs }, mailboxId, file))
      if (!content) throw notFound('file')
      return { file, content }
    },

    /** Drafts of a mailbox that wait for its human, the first made first; none if it is gone. */
    waiting: (mailboxId: string): Promise<WaitingDraft[]> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const { draftCount = 0 } = (await mailboxOf(view)) ?? {}
        if (draftCount === 0) return []
        const all = await readValues<DraftRecord>(view, draftsRange)
        return all
          .filter(({ review }) => review?.status === 'waiting')
          .map((draft) => ({
            ...toSummary(mailboxId, draft),
            guard: draft.review?.guard,
            isTold: draft.review?.toldAt !== undefined,
          }))
      }),

    /** Notes that a letter told the human of a waiting draft. Idempotent. */
    noteTold: (mailboxId: string, draftId: string): Promise<void> =>
      changeIfThere(store, mailboxId, async (tx) => {
        const stored = await readDraft(tx, draftId)
        if (!stored || stored.draft.review?.status !== 'waiting') return
        putDraft(tx, { ...stored, draft: { ...stored.draft, review: { ...stored.draft.review, toldAt: clock.now() } } })
      }),

    /**
     * Sends exactly what the human saw, with their changes. All checks of a send are made; the guard may still hold or block it. Tells the agent by
     * `draft.approved`.
     *
     * @param change is kept in the draft if the send is refused
     * @throws ServiceError `not_found`, `unavailable` if it is another form by now, and whatever a send throws
     */
    async approve(
      mailboxId: string,
      draftId: string,
      { form, change = {}, requestId }: { form: string; change?: DraftChange | undefined; requestId?: string },
    ): Promise<Accepted> {
      await mayAskApproval()
      const { revision } = await drafts.update(mailboxId, draftId, change, { form })
      const sent = await sendDraft(mailboxId, draftId, { approved: { revision }, requestId })
      if ('dry_run' in sent || 'object' in sent) throw new Error('an approved draft was not sent')
      return sent
    },

    /**
     * Deletes the draft, with an event `draft.discarded`.
     *
     * @throws ServiceError `not_found`, `invalid_request`, `unavailable` if it is another revision than the human saw
     */
    async discard(mailboxId: string, draftId: string, { revision, note: given = '' }: Refusal): Promise<void> {
      await mayAskApproval()
      const note = checkedNote(given)
      const draft = await changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const { draft } = await mustReadDraft(tx, draftId)
        if (draft.revision !== revision) throw new DraftChangedError()
        dropDraft(tx, mailbox, draft)
        endReview(queue, tx, draft)
        appendEvent(mailbox, clock.now(), 'draft.discarded', { ...eventOf(draft), note })
        return draft
      })
      await dropBlobs(blobs, mailboxId, filesOf(draft))
    },

    /**
     * Gives the draft back to the agent, with an event `draft.returned`. It is an ordinary draft again. The same form sent again changes nothing.
     *
     * @throws ServiceError `not_found`, `invalid_request` for a note that is too long, `unavailable` if it is another revision than the human saw
     */
    async sendBack(mailboxId: string, draftId: string, { revision, note: given = '' }: Refusal): Promise<void> {
      await mayAskApproval()
      const note = checkedNote(given)
      await changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const stored = await mustReadDraft(tx, draftId)
        const { review, revision: now } = stored.draft
        if (now === revision + 1 && review?.reason === 'sent_back' && review.note === note) return
        if (now !== revision) throw new DraftChangedError()
        endReview(queue, tx, stored.draft)
        putDraft(tx, { ...stored, draft: returned(mailbox, stored.draft, 'sent_back', note, clock.now()) })
      })
    },

    /** The task of a waiting draft: returns it when its time is over. Idempotent. */
    async expire({ mailbox_id: mailboxId, draft_id: draftId }: ApprovalTask): Promise<TaskOutcome<ApprovalTask>> {
      const until = await changeIfThere(store, mailboxId, async (tx, mailbox) => {
        const stored = await readDraft(tx, draftId)
        const { review } = stored?.draft ?? {}
        if (!stored || review?.status !== 'waiting') return undefined
        if (review.expiresAt > clock.now()) return review.expiresAt
        putDraft(tx, { ...stored, draft: returned(mailbox, stored.draft, 'expired', EXPIRED_NOTE, clock.now()) })
        return undefined
      })
      return until === undefined ? { done: true } : { done: false, retryAt: until }
    },
  }
}

/** The revision that the human saw, and their note to the agent. */
export interface Refusal {
  revision: number
  note?: string | undefined
}

const EXPIRED_NOTE = 'Nobody decided in time.'

function returned(
  mailbox: MailboxRecord,
  draft: DraftRecord,
  reason: NonNullable<DraftReview['reason']>,
  note: string | undefined,
  now: number,
): DraftRecord {
  appendEvent(mailbox, now, 'draft.returned', { ...eventOf(draft), reason, note })
  const { askedAt = now, expiresAt = now, by = null } = draft.review ?? {}
  const review: DraftReview = {
    status: 'returned',
    askedAt,
    expiresAt,
    by,
    reason,
    ...(note !== undefined && { note }),
  }
  return { ...draft, revision: draft.revision + 1, review, updatedAt: now }
}

function eventOf({ id, answers, subject }: DraftRecord) {
  return { draft_id: id, thread_id: answers?.threadId, subject }
}

/** @returns undefined for an empty one @throws ServiceError `invalid_request` */
function checkedNote(given: string): string | undefined {
  const note = given.replace(/\r\n?/g, '\n').trim()
  if (note === '') return undefined
  if (note.length <= MAX_NOTE_CHARS) return note
  throw invalidRequest('The note is too long.', `Write at most ${MAX_NOTE_CHARS} characters.`, [
    { field: 'note', problem: `It must have at most ${MAX_NOTE_CHARS} characters, not ${cut(note, 40)}…` },
  ])
}
