/**
 * Drafts that a human writes on the pages of their inbox. A form names its draft before anything is stored, so that a form that is sent twice makes one draft
 * and one message: the draft keeps the name of the form that saved it last, and the answer of its send is kept under the draft's id.
 */
import type { Note } from '../../audit/types.js'
import { SECOND, type Clock } from '../../lib/clock.js'
import { invalidRequest, ServiceError } from '../../lib/errors.js'
import { addressKey, parseAddress } from '../../mime/address.js'
import type { WorkQueue } from '../../queue/types.js'
import type { Blobs, Store, Transaction } from '../../store/types.js'
import { isOwnAddress } from '../addresses.js'
import {
  DraftChangedError,
  dropDraft,
  filesOf,
  isOfHuman,
  mustReadDraft,
  noSuchDraft,
  putDraft,
  readDraft,
  toDraft,
  type DraftRecord,
  type StoredDraft,
} from '../draft.js'
import { draftFileKey, mailboxPartition } from '../keys.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { mustReadUntrashed } from '../message-rows.js'
import type { StoredMessage } from '../message.js'
import type { Draft } from '../objects/draft-object.js'
import { changeMailbox, requireMailbox } from '../record.js'
import { dropBlobs, putFiles, refuseTooMany, takeIn, takeRoom } from '../sending/draft-room.js'
import { earlierAnswer, retryOf, type Retry } from '../sending/retries/idempotency.js'
import { forwardMail, replyMail, type Outgoing } from '../sending/outgoing.js'
import type { Accepted, DryRun, SendOptions, Waiting } from '../sending/requests.js'
import { tooLarge } from '../sending/send-checks.js'
import type { SendLimits } from '../sending/send-deps.js'
import { endReview } from '../sending/review-tasks.js'
import { answerTo, changed, checkDraft, emptyDraft, sizeOf, unknownFile, type DraftChange } from './change.js'

/** How long a message that a human sends can be taken back. */
export const UNDO_MS = 10 * SECOND

export interface WritingDeps {
  store: Store
  blobs: Pick<Blobs, 'put' | 'delete'>
  queue: Pick<WorkQueue, 'finish'>
  clock: Clock
  limits: SendLimits
  sendDraft: (mailboxId: string, draftId: string, options: SendOptions) => Promise<Accepted | DryRun | Waiting>
}

/** The message that a draft answers, or the one that it forwards. */
export type About = { reply: string; isToAll: boolean } | { forward: string }

export interface Written {
  /** Revision of the draft that the form shows; 0 for a draft that is not stored yet. */
  revision: number
  /** Names the form. */
  form: string
  change: DraftChange
  /** Address that it goes from; as before by default. */
  from?: string | undefined
  /** Counts for the first save. */
  about?: About | undefined
}

export interface Sending {
  revision: number
  /** Even if the guard would hold or block it. */
  isAnyway: boolean
  requestId: string
  note?: Pick<Note, 'write'> | undefined
}

/** `sent`: the draft became this message by now. */
export type Saved = { draft: Draft } | { sent: Accepted }

/** `doubt`: nothing was sent, since the guard would hold or block it. */
export type Sent = { sent: Accepted } | { doubt: DryRun }

export function createWriting(deps: WritingDeps) {
  const { store, blobs, queue, clock, limits, sendDraft } = deps

  async function earlierSend(mailboxId: string, draftId: string): Promise<Accepted | undefined> {
    const retry = await sendOf(draftId)
    return store.read(mailboxPartition(mailboxId), (view) => earlierAnswer<Accepted>(view, retry, clock.now()))
  }

  async function trySend(
    mailboxId: string,
    draftId: string,
    { revision, isAnyway, requestId, note }: Sending,
  ): Promise<Sent> {
    const approved = { revision, isOwn: true as const }
    if (!isAnyway) {
      const doubt = await sendDraft(mailboxId, draftId, { approved, dryRun: true })
      if ('dry_run' in doubt && doubt.decision !== 'send') return { doubt }
    }
    const options = { approved, requestId, note, undoMs: UNDO_MS, idempotencyKey: keyOf(draftId) }
    const sent = await sendDraft(mailboxId, draftId, options)
    if ('dry_run' in sent || 'object' in sent) throw new Error('a draft of a human was not sent')
    return { sent }
  }

  return {
    /**
     * The beginning of a reply or forward. Its files are those of the original; a reply has none.
     *
     * @throws ServiceError `not_found`, `invalid_request` if there is nobody to answer
     */
    start: (mailboxId: string, about: About): Promise<Start> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const mailbox = await requireMailbox(view)
        const original = await mustReadUntrashed(view, 'reply' in about ? about.reply : about.forward)
        const mail = await mailAbout(mailbox, original, about)
        const files = 'reply' in about ? [] : original.content.attachments
        return { ...mail, files: files.map(({ id, filename }) => ({ id, filename })) }
      }),

    /** A draft to go on with. `isSigned`: its text has the signature. @throws ServiceError `not_found` */
    open: (mailboxId: string, draftId: string): Promise<{ draft: Draft; isSigned: boolean }> =>
      store.read(mailboxPartition(mailboxId), async (view) => {
        const { draft, words } = await mustReadDraft(view, draftId)
        return { draft: toDraft(mailboxId, draft, words), isSigned: draft.signed ?? false }
      }),

    /**
     * Saves what a form has; the first save makes the draft. The same form sent again changes nothing.
     *
     * @throws ServiceError `not_found` if it was deleted meanwhile, `unavailable` if another form changed it, `quota_exceeded`, `payload_too_large`,
     * `invalid_request`
     */
    async save(mailboxId: string, draftId: string, { revision, form, change, from, about }: Written): Promise<Saved> {
      checkDraft(change, limits)
      const given = change.attachments ?? []
      const files = await takeIn(
        blobs,
        mailboxId,
        given.flatMap((one) => ('id' in one ? [] : [one])),
        clock.now(),
      )
      const written = files.map(({ file }) => file)
      const retry = await sendOf(draftId)
      const { saved, unused } = await changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const now = clock.now()
        const sent = await earlierAnswer<Accepted>(tx, retry, now)
        if (sent) return { saved: { sent }, unused: written }
        const before = await readDraft(tx, draftId)
        if (before?.draft.savedBy === form) return { saved: shown(mailboxId, before), unused: written }
        if (!before && (revision !== 0 || given.length !== files.length))
          throw revision === 0 ? unknownFile() : noSuchDraft()
        if (before && !isOfHuman(before.draft)) throw noSuchDraft()
        if (before && before.draft.revision !== revision) throw new DraftChangedError()
        if (!before) refuseTooMany(mailbox)
        const base = before ?? (await begun(tx, mailbox, { draftId, about, now }))
        const authored = { ...base, draft: withAuthor(base.draft, mailbox, from) }
        const after = changed(authored, change, files, { now, isHuman: true })
        after.draft.savedBy = form
        if (sizeOf(after) > limits.messageBytes) throw tooLarge(limits)
        takeRoom(mailbox, base.draft.bytes, after.draft.bytes, limits)
        if (!before) mailbox.draftCount = (mailbox.draftCount ?? 0) + 1
        const gone = filesOf(base.draft).filter(({ id }) => !filesOf(after.draft).some((file) => file.id === id))
        for (const { id } of gone) tx.delete(draftFileKey(id))
        putDraft(tx, after)
        putFiles(tx, files)
        return { saved: shown(mailboxId, after), unused: gone }
      })
      await dropBlobs(blobs, mailboxId, unused)
      return saved
    },

    /**
     * Sends the draft once, with all checks of a send but approval: its human is who would approve. Mail without a time of its own waits `UNDO_MS`. Where the
     * guard would hold or block it, it is sent only if the human wants it anyway.
     *
     * @throws ServiceError `not_found`, `unavailable` if it is another revision by now, and whatever a send throws
     */
    async send(mailboxId: string, draftId: string, how: Sending): Promise<Sent> {
      try {
        return await trySend(mailboxId, draftId, how)
      } catch (error) {
        // The same form, sent twice: the other one has sent it while this one was composing.
        const sent = error instanceof ServiceError ? await earlierSend(mailboxId, draftId) : undefined
        if (sent) return { sent }
        throw error
      }
    },

    /** Deletes the draft; nothing happens if it is gone. @throws ServiceError `unavailable` if it is another revision than the form shows */
    async discard(mailboxId: string, draftId: string, revision: number): Promise<void> {
      const files = await changeMailbox(store, mailboxId, async (tx, mailbox) => {
        const { draft } = (await readDraft(tx, draftId)) ?? {}
        if (!draft || !isOfHuman(draft)) return []
        if (draft.revision !== revision) throw new DraftChangedError()
        dropDraft(tx, mailbox, draft)
        endReview(queue, tx, draft)
        return filesOf(draft)
      })
      await dropBlobs(blobs, mailboxId, files)
    },
  }
}

export interface Start extends Pick<Outgoing, 'to' | 'cc' | 'subject' | 'text' | 'author'> {
  files: { id: string; filename: string }[]
}

/** Keys of callers have at most 255 characters: none of them is this one. */
const keyOf = (draftId: string): string => draftId.padStart(256)
const sendOf = (draftId: string): Promise<Retry> => retryOf(keyOf(draftId), ['draft', draftId])

const shown = (mailboxId: string, { draft, words }: StoredDraft): { draft: Draft } => ({
  draft: toDraft(mailboxId, draft, words),
})

async function mailAbout(mailbox: MailboxRecord, original: StoredMessage, about: About): Promise<Outgoing> {
  if ('forward' in about) {
    const request = { to: [], cc: [], bcc: [], text: '', includeAttachments: false }
    return forwardMail(original, async () => new Map(), request)
  }
  const isSelf = ({ address }: { address: string }): boolean => isOwnAddress(mailbox, address)
  return replyMail(
    original,
    { text: '', html: null, attachments: [], all: about.isToAll },
    isSelf,
    ({ address }) => isSelf({ address }) && !isOwnAddress({ address: mailbox.address }, address),
  )
}

/** One that it has already may be no address of the mailbox any more: its send tells. @throws ServiceError `invalid_request` for a foreign address */
function withAuthor(draft: DraftRecord, mailbox: MailboxRecord, address: string | undefined): DraftRecord {
  const isSame = (a: string, b: string): boolean => addressKey(a) === addressKey(b)
  if (address === undefined || isSame(address, draft.from?.address ?? mailbox.address)) return draft
  const own = parseAddress(address)
  if (!own || !isOwnAddress(mailbox, own.address))
    throw invalidRequest(
      "That is none of this mailbox's addresses.",
      `Choose ${mailbox.address} or one of its aliases.`,
      [{ field: 'From', problem: "Not one of the mailbox's own addresses" }],
    )
  const { from: _before, raw: _raw, ...rest } = draft
  return isSame(address, mailbox.address)
    ? rest
    : { ...rest, from: { address: own.address, name: mailbox.displayName } }
}

/** A new draft with what the original determines. */
async function begun(
  tx: Transaction,
  mailbox: MailboxRecord,
  { draftId, about, now }: { draftId: string; about: About | undefined; now: number },
): Promise<StoredDraft> {
  if (!about) return emptyDraft(draftId, now)
  if ('reply' in about) {
    const answer = await answerTo(tx, mailbox, about.reply, { replyAll: about.isToAll })
    const { author } = await mailAbout(mailbox, await mustReadUntrashed(tx, about.reply), about)
    const from = author && { address: author.address, name: mailbox.displayName }
    return emptyDraft(draftId, now, { ...answer, ...(from && { from }) })
  }
  const { requireTls } = await mailAbout(mailbox, await mustReadUntrashed(tx, about.forward), about)
  return emptyDraft(draftId, now, requireTls ? { requireTls: true } : {})
}
