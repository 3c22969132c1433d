/** Takes scheduled mail of a human back into a draft, in one commit: the message is gone, as if it had never been sent, and the draft has all of it. */
import type { Note } from '../../audit/types.js'
import type { Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import type { ParseLimits } from '../../mime/types.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Blobs, Store, Transaction, View } from '../../store/types.js'
import { mustReadDraft, putDraft, readDraft, toDraft, type DraftRecord } from '../draft.js'
import { labelsFor } from '../decisions/release.js'
import { mailboxPartition } from '../keys.js'
import type { MailWork } from '../mail-work/mail-work.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { mustReadStored, readState } from '../message-rows.js'
import type { MessageState, StoredMessage } from '../message.js'
import type { Draft } from '../objects/draft-object.js'
import type { RawStore } from '../raw.js'
import { changeMailbox } from '../record.js'
import { letGo, purge } from '../retention/purge.js'
import { moveToTrash } from '../retention/trash.js'
import { SCHEDULED_KIND } from '../tasks.js'
import { mustReadThread } from '../threads/thread-rows.js'
import { messageWithId } from '../threads/threading.js'
import { cancelled, REQUESTED } from '../sending/cancel.js'
import { dropBlobs, previewOf, putFiles, takeIn, weighed, type NewFile } from '../sending/draft-room.js'
import type { Departures } from '../sending/in-delivery.js'
import type { SendAttachment } from '../sending/requests.js'

export interface RecallDeps {
  store: Store
  blobs: Pick<Blobs, 'put' | 'delete'>
  raws: RawStore
  queue: Pick<WorkQueue, 'finish'>
  clock: Clock
  departures: Pick<Departures, 'keep'>
  work: Pick<MailWork, 'files' | 'texts'>
  parseLimits: ParseLimits
}

export function createRecall(deps: RecallDeps) {
  const { store, blobs, raws, queue, clock, departures } = deps

  /** Parts of the draft that the message's row does not have: long texts and files are in the raw message. */
  async function restOf(mailboxId: string, { state, content }: StoredMessage) {
    const isShort = content.truncated !== true
    if (isShort && content.parts.length === 0) return { words: content, attachments: [] }
    const raw = await raws.read(mailboxId, state)
    const asker = { owner: mailboxId }
    const words = isShort ? content : await deps.work.texts(raw, deps.parseLimits, asker)
    const found = await deps.work.files(raw, content.parts, deps.parseLimits, asker)
    return { words, attachments: attachmentsOf(content, found) }
  }

  function attachmentsOf(content: StoredMessage['content'], found: ReadonlyMap<number, Buffer>): SendAttachment[] {
    return content.attachments.flatMap(({ filename, content_type: contentType, content_id: id }, i) => {
      const file = found.get(content.parts[i] ?? -1)
      return file ? [{ filename, contentType, content: file, contentId: id ?? undefined }] : []
    })
  }

  return {
    /**
     * @returns the draft, which has an id of its own; the same one when it is called again
     * @throws ServiceError `not_found`, `too_late` once the message is not scheduled any more, or if no human wrote it
     */
    async recall(mailboxId: string, messageId: string, note?: Pick<Note, 'write'>): Promise<Draft> {
      const draftId = draftOf(messageId)
      const found = await store.read(mailboxPartition(mailboxId), async (view) => {
        if (await readDraft(view, draftId)) return undefined
        const stored = await mustReadStored(view, messageId)
        refuseUnlessScheduled(stored.state)
        return stored
      })
      if (!found) return readShown(store, mailboxId, draftId)
      const { words, attachments } = await restOf(mailboxId, found)
      const files = await takeIn(blobs, mailboxId, attachments, clock.now())
      const written = files.map(({ file }) => file)
      const purged = await departures.keep(messageId, () =>
        changeMailbox(store, mailboxId, async (tx, mailbox) => {
          if (await readDraft(tx, draftId)) return undefined
          const stored = await mustReadStored(tx, messageId)
          refuseUnlessScheduled(stored.state)
          const draft = weighed({
            draft: await draftFrom(tx, stored, files, clock.now()),
            words: { text: words.text, html: words.html },
          })
          const gone = await removed(tx, mailbox, stored)
          mailbox.usedBytes += draft.draft.bytes
          mailbox.draftCount = (mailbox.draftCount ?? 0) + 1
          putDraft(tx, draft)
          putFiles(tx, files)
          note?.write(tx)
          return gone
        }),
      )
      if (purged) await letGo({ blobs }, mailboxId, purged)
      else await dropBlobs(blobs, mailboxId, written)
      return readShown(store, mailboxId, draftId)
    },
  }

  /** Cancels the message and deletes it for good, within the commit. */
  async function removed(tx: Transaction, mailbox: MailboxRecord, { state, content }: StoredMessage) {
    const now = clock.now()
    const after = await cancelled(tx, mailbox, state, REQUESTED, now)
    queue.finish(tx, SCHEDULED_KIND, state.id)
    const thread = await mustReadThread(tx, state.threadId, 'message')
    await moveToTrash(tx, mailbox, thread, [{ state: after, content }], now)
    const trashed = await readState(tx, state.id)
    return purge(tx, mailbox, trashed ? [trashed] : [], now)
  }
}

const draftOf = (messageId: string): string => `drf_${messageId.slice('msg_'.length)}`

const readShown = (store: Store, mailboxId: string, draftId: string): Promise<Draft> =>
  store.read(mailboxPartition(mailboxId), async (view) => {
    const { draft, words } = await mustReadDraft(view, draftId)
    return toDraft(mailboxId, draft, words)
  })

/** @throws ServiceError `too_late` */
function refuseUnlessScheduled({ status, composedBy }: MessageState): void {
  if (status === 'scheduled' && composedBy === 'human') return
  throw new ServiceError(
    'too_late',
    'It is too late: the message is on its way, or was withdrawn.',
    'Go back to see what became of it.',
  )
}

/** The text has its signature by now, and the author is who would have sent it. */
async function draftFrom(tx: Transaction, stored: StoredMessage, files: NewFile[], now: number): Promise<DraftRecord> {
  const { state, content } = stored
  const answers = await answersOf(tx, stored)
  return {
    id: draftOf(state.id),
    revision: 1,
    to: content.to,
    cc: content.cc,
    bcc: content.bcc,
    replyTo: content.reply_to,
    subject: content.subject,
    preview: previewOf(content.text),
    labels: state.labels.filter((label) => !labelsFor(state.status).includes(label)),
    ...(state.requireTls && { requireTls: true as const }),
    ...(content.from && { from: content.from }),
    signed: true,
    composedBy: 'human',
    ...(answers && { answers }),
    files: files.map(({ file }) => file),
    bytes: 0,
    createdAt: now,
    updatedAt: now,
  }
}

async function answersOf(view: View, { state, content }: StoredMessage): Promise<DraftRecord['answers']> {
  const { in_reply_to: inReplyTo, references } = content
  if (inReplyTo === null) return undefined
  const thread = await mustReadThread(view, state.threadId, 'message')
  const messageId = (await messageWithId(view, thread, inReplyTo))?.id ?? null
  return { messageId, threadId: state.threadId, inReplyTo, references }
}
