/** Changes of drafts, and the start of a reply: shared by the drafts of agents (drafts.ts) and those that a human writes (writing.ts). */
import { checkAll, invalidRequest, type ServiceError } from '../../lib/errors.js'
import type { Address } from '../../mime/types.js'
import type { Transaction } from '../../store/types.js'
import { isOwnAddress } from '../addresses.js'
import type { DraftFile, DraftRecord, DraftReview, StoredDraft } from '../draft.js'
import { checkLabelsToSend } from '../labels.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { mustReadUntrashed } from '../message-rows.js'
import { previewOf, weighed, type NewFile } from '../sending/draft-room.js'
import { replyMail } from '../sending/outgoing.js'
import type { SendAttachment } from '../sending/requests.js'
import { tooLarge } from '../sending/send-checks.js'
import type { SendLimits } from '../sending/send-deps.js'

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

/** A draft before its first change. @param answer of a reply: what `answerTo` found */
export function emptyDraft(id: string, now: number, answer: Partial<DraftRecord> = {}): StoredDraft {
  const draft: DraftRecord = {
    ...{ id, revision: 0, to: [], cc: [], bcc: [], replyTo: [], subject: '', labels: [] },
    ...answer,
    ...{ preview: '', files: [], bytes: 0, createdAt: now, updatedAt: now },
  }
  return { draft, words: { text: '', html: null } }
}

/** @param isHuman a human makes the change: their words make them the author */
export function changed(
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
  const { requireTls: _tls, anyTls, sendAt: _time, composedBy: _author, raw, review, ...rest } = draft
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
    ...(raw && isEmpty(change) && { raw }),
    files: change.attachments ? filesAfter(draft.files, change.attachments, files) : draft.files,
    bytes: 0,
    updatedAt: now,
  }
  return weighed({ draft: after, words })
}

const isEmpty = (change: DraftChange): boolean => Object.values(change).every((given) => given === undefined)

/** The verdict of the guard was about the draft before the change. */
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
export function sizeOf({ draft, words }: StoredDraft): number {
  const bytes = draft.files.reduce((sum, file) => sum + file.bytes, 0)
  return (bytes * 4) / 3 + words.text.length + (words.html?.length ?? 0)
}

/** Validates all fields of a draft or change. @throws ServiceError `invalid_request`, `payload_too_large` */
export function checkDraft(change: DraftChange, limits: SendLimits): void {
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
export async function answerTo(
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

export function unknownFile(): ServiceError {
  return invalidRequest(
    'The draft has no such attachment.',
    'Name attachments that stay by the ids of GET /v1/drafts/{id}, each once, and give new ones with their content.',
    [{ field: 'attachments', problem: 'It names a file that is not in the draft, or one twice.' }],
  )
}
