/** A stored draft. Its text is apart from the record that lists need; its files are rows, or blobs if large. All of it counts against the quota. */
import { timestamp } from '../lib/clock.js'
import { ServiceError } from '../lib/errors.js'
import { idBytes, isId, newId } from '../lib/ids.js'
import { asBuffer, decode, encode } from '../store/keys.js'
import type { Transaction, View } from '../store/types.js'
import { draftFileKey, draftKey, draftsMarkKey, draftWordsKey } from './keys.js'
import type { Draft, DraftSummary, ShownReview } from './objects/draft-object.js'
import type { AskedDsn } from '../mime/dsn-request.js'
import type { Address } from '../mime/types.js'
import { shownAddress } from './message.js'
import type { MailboxRecord } from './mailbox-record.js'
import type { Decision, GuardReason } from '../guard/types.js'

export interface DraftFile {
  /** att_…; names its row or blob. */
  id: string
  filename: string
  contentType: string
  contentId?: string
  bytes: number
  in: 'store' | 'blob'
  /** SHA-256 of a blob, hexadecimal. Missing in old drafts. */
  sha256?: string
}

/** The key or connection that sends. */
export interface Requester {
  type: 'key' | 'connection'
  id: string
}

/** The human's decision on a draft that an agent wants to send. Times are milliseconds since the epoch. */
export interface DraftReview {
  status: 'waiting' | 'returned'
  askedAt: number
  /** When it is returned if nobody has decided. */
  expiresAt: number
  /** Null if unknown. */
  by: Requester | null
  /** The decision of the guard when it was asked. Missing once the draft has changed. */
  guard?: { decision: Decision; reasons: GuardReason[] }
  /** When a letter told the human. */
  toldAt?: number
  /** For `returned`: why, and the human's note. */
  reason?: 'sent_back' | 'expired'
  note?: string
}

/** Times are milliseconds since the epoch. */
export interface DraftRecord {
  id: string
  /** Incremented by every change, so that exactly what was read is sent. */
  revision: number
  to: Address[]
  cc: Address[]
  bcc: Address[]
  replyTo: Address[]
  subject: string
  preview: string
  labels: string[]
  requireTls?: true
  anyTls?: true
  sendAt?: number
  /** Notices of its delivery that the program asked for which sent it for approval. */
  dsn?: AskedDsn
  /** As the send that asked for approval determined it. Missing: the mailbox's first address. */
  from?: Address
  /** The text is complete: no signature is added. */
  signed?: true
  /** Missing: the agent. */
  composedBy?: 'human'
  /** Names the form by which a human saved it last: the same form sent again changes nothing. */
  savedBy?: string
  review?: DraftReview
  /** Reply information; missing for new mail. Kept here in case the original is deleted; `messageId` is null if it was by then. */
  answers?: { messageId: string | null; threadId: string; inReplyTo: string | null; references: string[] }
  files: DraftFile[]
  /** As a mail program wrote it, or sent it for approval, until the draft changes: programs get it back octet for octet. */
  raw?: DraftFile
  /** Bytes counted against the quota. */
  bytes: number
  createdAt: number
  updatedAt: number
}

export interface DraftWords {
  text: string
  html: string | null
}

/** All that a draft keeps in rows and blobs. */
export const filesOf = ({ files, raw }: Pick<DraftRecord, 'files' | 'raw'>): DraftFile[] =>
  raw ? [...files, raw] : files

/**
 * The message that a program sent for approval, which goes as it is. What a human's program keeps as a draft is composed, since it has notes of the program in its
 * header.
 */
export const submittedFile = ({ raw, review }: Pick<DraftRecord, 'raw' | 'review'>): DraftFile | undefined =>
  review ? raw : undefined

export function toSummary(mailboxId: string, draft: DraftRecord): DraftSummary {
  return {
    id: draft.id,
    object: 'draft',
    mailbox_id: mailboxId,
    thread_id: draft.answers?.threadId ?? null,
    in_reply_to: draft.answers?.messageId ?? null,
    to: draft.to.map(shownAddress),
    cc: draft.cc.map(shownAddress),
    bcc: draft.bcc.map(shownAddress),
    reply_to: draft.replyTo.map(shownAddress),
    from: draft.from ? shownAddress(draft.from) : null,
    subject: draft.subject,
    preview: draft.preview,
    labels: draft.labels,
    attachments: draft.files.map((file) => ({
      id: file.id,
      object: 'attachment' as const,
      filename: file.filename,
      content_type: file.contentType,
      size_bytes: file.bytes,
      content_id: file.contentId ?? null,
    })),
    require_tls: draft.requireTls ?? false,
    send_at: draft.sendAt === undefined ? null : timestamp(draft.sendAt),
    revision: draft.revision,
    composed_by: draft.composedBy ?? 'agent',
    review: draft.review ? shownReview(draft.review) : null,
    size_bytes: draft.bytes,
    created_at: timestamp(draft.createdAt),
    updated_at: timestamp(draft.updatedAt),
  }
}

export function shownReview({ status, askedAt, expiresAt, by, reason, note }: DraftReview): ShownReview {
  return {
    status,
    asked_at: timestamp(askedAt),
    expires_at: status === 'waiting' ? timestamp(expiresAt) : null,
    requested_by: by && { type: by.type, key_id: by.id },
    reason: reason ?? null,
    note: note ?? null,
  }
}

export function toDraft(mailboxId: string, draft: DraftRecord, { text, html }: DraftWords): Draft {
  return { ...toSummary(mailboxId, draft), text, html }
}

export interface StoredDraft {
  draft: DraftRecord
  words: DraftWords
}

export async function readDraft(view: View, draftId: string): Promise<StoredDraft | undefined> {
  if (!isId('drf', draftId)) return undefined
  const [draft, words] = await view.getMany([draftKey(draftId), draftWordsKey(draftId)])
  return draft && words && { draft: decode<DraftRecord>(draft), words: decode<DraftWords>(words) }
}

/** @throws ServiceError `not_found` */
export async function mustReadDraft(view: View, draftId: string): Promise<StoredDraft> {
  const stored = await readDraft(view, draftId)
  if (!stored) throw noSuchDraft()
  return stored
}

export function noSuchDraft(): ServiceError {
  return new ServiceError(
    'not_found',
    'There is no such draft. One that was sent or deleted is gone.',
    'List drafts with GET /v1/drafts; a sent one is among the messages.',
  )
}

/** True for a draft that a human writes: its words are theirs, and it does not wait for a decision. Agents may read it, and no more. */
export const isOfHuman = ({ composedBy, review }: DraftRecord): boolean => composedBy === 'human' && !review

/** An agent can't know whether the human has finished it. */
export function draftOfHuman(): ServiceError {
  return new ServiceError(
    'draft_of_human',
    'This draft is written by the human: only they change, send or delete it, on the pages of their inbox.',
    'Read it with GET /v1/drafts/{id}, and make a draft of your own with POST /v1/drafts.',
  )
}

/** Somebody else changed the draft since it was read. */
export class DraftChangedError extends ServiceError {
  constructor() {
    super(
      'unavailable',
      'The draft was changed meanwhile, so nothing was done.',
      'Look at it as it is now (GET /v1/drafts/{id}), and try again.',
      { retryAfterSeconds: 1 },
    )
  }
}

/** Changes with every change of a draft, for those who follow them; '' if there never was one. */
export async function readDraftsMark(view: View): Promise<string> {
  const mark = await view.get(draftsMarkKey)
  return mark ? asBuffer(mark).toString('hex') : ''
}

const newMark = (): Uint8Array => idBytes(newId('drf'))

/** Writes a draft and its text; files are written by the caller. */
export function putDraft(tx: Transaction, { draft, words }: StoredDraft): void {
  tx.put(draftsMarkKey, newMark())
  tx.put(draftKey(draft.id), encode(draft))
  tx.put(draftWordsKey(draft.id), encode(words))
}

/** Deletes a draft with its files and frees its quota. The caller deletes blobs after the commit. */
export function dropDraft(tx: Transaction, mailbox: MailboxRecord, draft: DraftRecord): void {
  tx.put(draftsMarkKey, newMark())
  tx.delete(draftKey(draft.id))
  tx.delete(draftWordsKey(draft.id))
  for (const { id } of filesOf(draft)) tx.delete(draftFileKey(id))
  mailbox.usedBytes -= draft.bytes
  mailbox.draftCount = Math.max(0, (mailbox.draftCount ?? 0) - 1)
}
