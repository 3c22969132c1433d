/** Files of drafts, and the room that drafts take. */
import { ServiceError } from '../../lib/errors.js'
import { newId } from '../../lib/ids.js'
import { cut } from '../../lib/text.js'
import type { Blobs, Transaction } from '../../store/types.js'
import { filesOf, type DraftFile, type DraftRecord, type StoredDraft } from '../draft.js'
import { draftFileKey, EMPTY_VALUE, RAW_INLINE_BYTES } from '../keys.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { notEnoughRoom, roomLeft, type RoomLimits } from '../quota.js'
import { sha256InTurns } from '../raw.js'
import type { SendAttachment } from './requests.js'

export const MAX_DRAFTS = 200
const PREVIEW_CHARS = 200

export interface NewFile {
  file: DraftFile
  content: Buffer
}

/** Makes large files durable before the commit that references them. */
export async function takeIn(
  blobs: Pick<Blobs, 'put'>,
  mailboxId: string,
  attachments: readonly SendAttachment[],
  now: number,
): Promise<NewFile[]> {
  const files = attachments.map((attachment) => newFile(attachment, now))
  for (const { file, content } of files) {
    if (file.in !== 'blob') continue
    file.sha256 = await sha256InTurns(content)
    await blobs.put(mailboxId, file.id, content)
  }
  return files
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

export async function dropBlobs(
  blobs: Pick<Blobs, 'delete'>,
  mailboxId: string,
  files: readonly DraftFile[],
): Promise<void> {
  for (const file of files) if (file.in === 'blob') await blobs.delete(mailboxId, file.id)
}

/** One row each; for a blob the row says that a draft owns it. */
export function putFiles(tx: Transaction, files: readonly NewFile[]): void {
  for (const { file, content } of files) tx.put(draftFileKey(file.id), file.in === 'store' ? content : EMPTY_VALUE)
}

export const previewOf = (text: string): string => cut(text.replace(/\s+/gu, ' ').trim(), PREVIEW_CHARS)

/** The draft with what it counts for. A fixed overhead, so that many empty drafts are not free. */
export function weighed({ draft, words }: StoredDraft): StoredDraft {
  const empty: DraftRecord = { ...draft, bytes: 0 }
  const bytes = filesOf(empty).reduce((sum, file) => sum + file.bytes, 0) + bytesOf({ draft: empty, words })
  return { draft: { ...empty, bytes }, words }
}

function bytesOf({ draft, words }: StoredDraft): number {
  return Buffer.byteLength(JSON.stringify(draft)) + Buffer.byteLength(words.text) + Buffer.byteLength(words.html ?? '')
}

/** @throws ServiceError `quota_exceeded` */
export function takeRoom(mailbox: MailboxRecord, before: number, after: number, limits: RoomLimits): void {
  if (after - before > roomLeft(mailbox, limits)) throw notEnoughRoom(mailbox, limits)
  mailbox.usedBytes += after - before
}

/** @throws ServiceError `quota_exceeded` */
export function refuseTooMany({ draftCount = 0 }: MailboxRecord): void {
  if (draftCount < MAX_DRAFTS) return
  throw new ServiceError(
    'quota_exceeded',
    `The mailbox has ${MAX_DRAFTS} drafts, and can't have more.`,
    'Send some, or delete some with DELETE /v1/drafts/{id}; GET /v1/drafts lists them. A human decides on those that wait for approval.',
  )
}
