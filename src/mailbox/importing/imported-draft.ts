/**
 * A draft of a mail program as a draft of the service: a human writes it, and goes on with it in their program or on the pages of their inbox. The message itself stays
 * with the draft until something else changes it, as programs keep more in it than a draft has.
 */
import { invalidRequest } from '../../lib/errors.js'
import { newId } from '../../lib/ids.js'
import type { Asker } from '../../lib/thread-pool.js'
import { parseAddress } from '../../mime/address.js'
import type { Address, ParseLimits } from '../../mime/types.js'
import type { Blobs, Transaction, View } from '../../store/types.js'
import { isOwnAddress } from '../addresses.js'
import { putDraft, type DraftRecord, type StoredDraft } from '../draft.js'
import { changeOfFlags } from '../folders/flag-change.js'
import { checkLabelsToSend } from '../labels.js'
import type { MailWork } from '../mail-work/mail-work.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { contentOf, type MessageContent } from '../message.js'
import { previewOf, putFiles, refuseTooMany, takeIn, takeRoom, weighed, type NewFile } from '../sending/draft-room.js'
import type { SendLimits } from '../sending/send-deps.js'
import { messageWithId, threadOfMessageId } from '../threads/threading.js'
import type { ReadMessage } from './read-message.js'

export interface ImportedDraftDeps {
  blobs: Pick<Blobs, 'put'>
  work: Pick<MailWork, 'files' | 'texts'>
  parseLimits: ParseLimits
  limits: SendLimits
}

export interface PreparedDraft {
  id: string
  content: MessageContent
  words: StoredDraft['words']
  files: NewFile[]
  raw: NewFile | undefined
  /** Of its flags and keywords. */
  labels: string[]
}

/** Large files are on disk then. @throws ServiceError `invalid_request` for more files than a message may have */
export async function prepareDraft(
  { blobs, work, parseLimits, limits }: ImportedDraftDeps,
  mailboxId: string,
  { parsed, raw, given }: ReadMessage,
  now: number,
  asker: Asker,
): Promise<PreparedDraft> {
  const content = contentOf(parsed, now)
  const { attachments, parts } = content
  if (parts.length > limits.attachmentsPerMessage)
    throw invalidRequest(
      `The draft has ${parts.length} attachments; a message may have ${limits.attachmentsPerMessage}.`,
      'Take some off.',
    )
  const words = content.truncated ? await work.texts(raw, parseLimits, asker) : content
  const found = parts.length === 0 ? new Map<number, Buffer>() : await work.files(raw, parts, parseLimits, asker)
  const attached = attachments.flatMap(({ filename, content_type: contentType, content_id: contentId }, i) => {
    const file = found.get(parts[i] ?? -1)
    return file ? [{ filename, contentType, content: file, contentId: contentId ?? undefined }] : []
  })
  const whole = { filename: 'message.eml', contentType: 'message/rfc822', content: raw, contentId: undefined }
  const taken = await takeIn(blobs, mailboxId, [...attached, whole], now)
  return {
    id: newId('drf', now),
    content,
    words: { text: words.text, html: words.html },
    files: taken.slice(0, -1),
    raw: taken.at(-1),
    labels: changeOfFlags({ labels: [] }, 'drafts', { ...given, mode: 'replace' }).addLabels ?? [],
  }
}

/** Within a commit of the mailbox. @throws ServiceError `quota_exceeded` */
export async function insertDraft(
  tx: Transaction,
  mailbox: MailboxRecord,
  { id, content, words, files, raw, labels }: PreparedDraft,
  now: number,
  limits: SendLimits,
): Promise<void> {
  refuseTooMany(mailbox)
  checkLabelsToSend(labels)
  const { from, to, cc, bcc, reply_to: replyTo, subject } = content
  const answers = await answersOf(tx, content)
  const draft: DraftRecord = {
    id,
    revision: 1,
    to: sound(to),
    cc: sound(cc),
    bcc: sound(bcc),
    replyTo: sound(replyTo),
    subject,
    preview: previewOf(words.text),
    labels,
    ...(from && isOwnAddress(mailbox, from.address) && { from }),
    // What a program wrote has the signature that it wants.
    signed: true,
    composedBy: 'human',
    ...(answers && { answers }),
    files: files.map(({ file }) => file),
    ...(raw && { raw: raw.file }),
    bytes: 0,
    createdAt: now,
    updatedAt: now,
  }
  const stored = weighed({ draft, words })
  takeRoom(mailbox, 0, stored.draft.bytes, limits)
  mailbox.draftCount = (mailbox.draftCount ?? 0) + 1
  putDraft(tx, stored)
  putFiles(tx, raw ? [...files, raw] : files)
}

/** Addresses that mail can be sent to: a draft may have half of one. */
const sound = (addresses: readonly Address[]): Address[] =>
  addresses.flatMap(({ address, name }) => {
    const parsed = parseAddress(address)
    return parsed ? [{ address: parsed.address, name }] : []
  })

async function answersOf(
  view: View,
  { in_reply_to: inReplyTo, references }: MessageContent,
): Promise<DraftRecord['answers']> {
  const thread = inReplyTo === null ? undefined : await threadOfMessageId(view, inReplyTo)
  if (!thread || inReplyTo === null) return undefined
  const answered = await messageWithId(view, thread, inReplyTo)
  return { messageId: answered?.id ?? null, threadId: thread.id, inReplyTo, references }
}
