/** A send that needs the human's approval becomes a draft that waits. All checks of a send were made; nothing is counted yet. */
import { DAY } from '../../lib/clock.js'
import { newId } from '../../lib/ids.js'
import type { Asker } from '../../lib/thread-pool.js'
import { askedFor } from '../../mime/dsn-request.js'
import {
  DraftChangedError,
  mustReadDraft,
  putDraft,
  shownReview,
  submittedFile,
  type DraftFile,
  type DraftRecord,
  type DraftReview,
  type Requester,
  type StoredDraft,
} from '../draft.js'
import { appendEvent } from '../events.js'
import { mailboxPartition } from '../keys.js'
import { othersIn } from '../message.js'
import type { MailboxSettings } from '../objects/set-types.js'
import { changeMailbox } from '../record.js'
import { findThread } from '../threads/threading.js'
import { dryRun } from './dry-run.js'
import { earlierAnswer, rememberAnswer, type Retry } from './retries/idempotency.js'
import type { Prepared } from './prepare.js'
import type { SendAttachment, Waiting } from './requests.js'
import type { SendDeps } from './send-deps.js'
import { dropBlobs, previewOf, putFiles, refuseTooMany, takeIn, takeRoom, weighed, type NewFile } from './draft-room.js'
import { beginReview } from './review-tasks.js'
import { refusePaused } from './send-checks.js'

interface Asked {
  retry: Retry | undefined
  /** Undefined for the mailbox's human. */
  by: Requester | undefined
  settings: Pick<MailboxSettings, 'approvalDays'>
  asker: Asker
}

/**
 * Stores the message as a draft that waits, with an event `draft.waiting`. Author and text are fixed from now on, with the signature, so that a later change of the
 * mailbox can't change what the human saw.
 *
 * @throws ServiceError `mailbox_paused`, `quota_exceeded`, `unavailable` if its draft was changed meanwhile
 */
export async function askApproval(deps: SendDeps, given: Prepared, asked: Asked): Promise<Waiting> {
  const { store, queue, clock, limits, contents } = deps
  await deps.mayAskApproval()
  const prepared = await asDraft(deps, given, asked.asker)
  const { mail, mailbox, account } = prepared
  const { review: earlier } = mail.draft ?? {}
  if (mail.draft && earlier?.status === 'waiting') return waitingAnswer(mailbox.id, mail.draft, earlier)
  const { decision, reasons } = await dryRun(deps, prepared, true)
  const whole = wholeOf(prepared)
  const attachments = mail.draft ? [] : [...mail.attachments, ...(whole ? [whole] : [])]
  const files = await takeIn(contents.blobs, mailbox.id, attachments, clock.now())
  const id = mail.draft?.id ?? newId('drf', clock.now())
  const answer = await changeMailbox(store, mailbox.id, async (tx, record) => {
    const now = clock.now()
    const known = asked.retry && (await earlierAnswer<Waiting>(tx, asked.retry, now))
    if (known) return known
    refusePaused(record, asked.by)
    const before = mail.draft && (await mustReadDraft(tx, mail.draft.id)).draft
    if (before?.revision !== mail.draft?.revision) throw new DraftChangedError()
    if (!before) refuseTooMany(record)
    const review: DraftReview = {
      status: 'waiting',
      askedAt: now,
      expiresAt: now + asked.settings.approvalDays * DAY,
      by: asked.by ? { type: asked.by.type, id: asked.by.id } : null,
      guard: { decision, reasons },
    }
    const stored = draftOf(prepared, { id, before, ...partsOf(files, !before && whole !== undefined), review, now })
    const { draft } = stored
    takeRoom(record, before?.bytes ?? 0, draft.bytes, limits)
    if (!before) record.draftCount = (record.draftCount ?? 0) + 1
    putDraft(tx, stored)
    putFiles(tx, files)
    beginReview(queue, tx, draft, { accountId: account.id, mailboxId: mailbox.id }, now)
    const answer = waitingAnswer(mailbox.id, draft, review)
    appendEvent(record, now, 'draft.waiting', {
      draft_id: id,
      thread_id: answer.thread_id ?? undefined,
      subject: draft.subject,
      expires_at: answer.review.expires_at,
    })
    if (asked.retry) rememberAnswer<Waiting>(tx, asked.retry, answer, now + limits.idempotencyMs)
    return answer
  })
  const written = files.map(({ file }) => file)
  if (answer.id !== id) await dropBlobs(contents.blobs, mailbox.id, written)
  return answer
}

/** What the human decides on is what they are shown: a message with more than that is composed of it. */
function wholeOf({ mail, raw }: Prepared): SendAttachment | undefined {
  if (!mail.submitted || mail.submitted.message.hasUnshownParts) return undefined
  return { filename: 'message.eml', contentType: 'message/rfc822', content: raw, contentId: undefined }
}

/** A message of a mail program as the parts of a draft, which the human sees and may change. */
async function asDraft(
  { store, composing: { work, parseLimits } }: SendDeps,
  prepared: Prepared,
  asker: Asker,
): Promise<Prepared> {
  const { mail, mailbox, raw, content, now } = prepared
  if (!mail.submitted || mail.draft) return prepared
  const { text, html } = await work.texts(raw, parseLimits, asker)
  const files = await work.files(raw, content.parts, parseLimits, asker)
  const attachments = content.attachments.flatMap((each, i): SendAttachment[] => {
    const file = files.get(content.parts[i] ?? -1)
    if (!file) return []
    const { filename, content_type: contentType, content_id: id } = each
    return [{ filename, contentType, content: file, ...(id !== null && { contentId: id }) }]
  })
  const { thread } = await store.read(mailboxPartition(mailbox.id), (view) =>
    findThread(view, content, othersIn(content, mailbox), now),
  )
  return { ...prepared, mail: { ...mail, text, html, attachments, threadId: thread?.id } }
}

export function waitingAnswer(mailboxId: string, draft: DraftRecord, review: DraftReview): Waiting {
  return {
    id: draft.id,
    object: 'draft',
    mailbox_id: mailboxId,
    thread_id: draft.answers?.threadId ?? null,
    revision: draft.revision,
    review: shownReview(review),
  }
}

interface New {
  id: string
  /** The draft that was sent; undefined for a new message. */
  before: DraftRecord | undefined
  files: DraftFile[]
  /** The message as its program sent it. */
  raw: DraftFile | undefined
  review: DraftReview
  now: number
}

/** @param hasRaw the last one is the message itself */
function partsOf(taken: readonly NewFile[], hasRaw: boolean): Pick<New, 'files' | 'raw'> {
  const files = taken.map(({ file }) => file)
  return hasRaw ? { files: files.slice(0, -1), raw: files.at(-1) } : { files, raw: undefined }
}

function draftOf({ mail }: Prepared, { id, before, files, raw: given, review, now }: New): StoredDraft {
  const { author, to, cc, bcc, replyTo, subject, text, html, labels, requireTls, anyTls, sendAt, dsn } = mail
  const { answered: messageId, threadId, inReplyTo, references } = mail
  const isReply = (messageId !== undefined || inReplyTo !== null) && threadId !== undefined
  const answers =
    before?.answers ?? (isReply ? { messageId: messageId ?? null, threadId, inReplyTo, references } : undefined)
  const wishes = dsn && askedFor(dsn)
  const raw = before ? submittedFile(before) : given
  const draft: DraftRecord = {
    id,
    revision: (before?.revision ?? 0) + 1,
    from: author,
    to,
    cc,
    bcc,
    replyTo,
    subject,
    preview: previewOf(text),
    labels,
    ...(requireTls && { requireTls }),
    ...(anyTls && { anyTls }),
    ...(sendAt !== undefined && { sendAt }),
    ...(wishes && { dsn: wishes }),
    ...(before?.composedBy && { composedBy: before.composedBy }),
    signed: true,
    review,
    ...(answers && { answers }),
    files: before?.files ?? files,
    ...(raw && { raw }),
    bytes: 0,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
  }
  return weighed({ draft, words: { text, html } })
}
