/**
 * Mail from elsewhere, brought in by a mail program (APPEND, RFC 9051 §6.3.12) or from files. One commit stores message, thread and event `message.imported`, which wakes
 * nobody who did not name it.
 */
import type { Clock } from '../../lib/clock.js'
import { invalidRequest, type ServiceError } from '../../lib/errors.js'
import { newId } from '../../lib/ids.js'
import type { Asker } from '../../lib/thread-pool.js'
import type { ParseLimits } from '../../mime/types.js'
import { readValue } from '../../store/values.js'
import type { Blobs, Store, Transaction, View } from '../../store/types.js'
import { insertMessage } from '../delivery/insert.js'
import { appendEvent } from '../events.js'
import { changeOfFlags } from '../folders/flag-change.js'
import type { FolderKey } from '../folders/folder.js'
import type { Folders } from '../folders/folders.js'
import {
  draftUidKey,
  type DraftUid,
  type FolderRow,
  type FolderUid,
  readFolderRows,
  uidsKey,
  unpackUids,
} from '../folders/index-rows.js'
import type { IndexWriter } from '../folders/index-writer.js'
import { enterNew, finishNew, openCurrent, syncStep } from '../folders/sync.js'
import { foldersPartition, mailboxPartition, RAW_INLINE_BYTES } from '../keys.js'
import { changed } from '../labels.js'
import type { MailWork } from '../mail-work/mail-work.js'
import type { MailboxRecord } from '../mailbox-record.js'
import type { MessageState } from '../message.js'
import { notEnoughRoom, roomLeft } from '../quota.js'
import type { RawStore } from '../raw.js'
import { changeLabels } from '../reading/label-changes.js'
import type { RecentBodies } from '../recent-bodies.js'
import { changeMailbox, changeWithin, readMailbox } from '../record.js'
import { moveToTrash } from '../retention/trash.js'
import type { SendLimits } from '../sending/send-deps.js'
import { mustReadThread } from '../threads/thread-rows.js'
import { onceKey, rememberImport } from './import-once.js'
import { checkFolder, directionIn, importedContent, importedState } from './imported.js'
import { insertDraft, prepareDraft } from './imported-draft.js'
import { readMessage, type GivenMessage, type ReadMessage } from './read-message.js'
import { sentMessage } from './sent-copy.js'

/** Messages of one commit: each makes at most two events, and a sync of the folders takes more than these. */
export const MAX_AT_ONCE = 128

export interface ImportingDeps {
  store: Store
  blobs: Pick<Blobs, 'put' | 'delete'>
  raws: Pick<RawStore, 'write'>
  bodies: RecentBodies
  clock: Clock
  limits: SendLimits
  work: Pick<MailWork, 'parse' | 'files' | 'texts'>
  parseLimits: ParseLimits
  folders: Pick<Folders, 'sync'>
  /** @throws ServiceError `unavailable` while daemons of an older version, which cannot read its events, work on the store */
  mayImport: () => Promise<void>
}

/** Where a message is, as UIDPLUS tells it (RFC 4315 §3). */
export interface Appended {
  validity: number
  uid: number
}

/** A stored message. */
interface Kept {
  id: string
  place: number
  /** Of a new one whose only event is that of its place. */
  state?: MessageState | undefined
}

/** What became of one message: it was stored, it is there already and its blob is not used, or it is a draft. */
type Stored = (Kept & { isNew: true }) | (Kept & { isNew: false; unused: string | undefined }) | { draftId: string }

/** A message ready to be stored; a large one is on disk, and swept if unused. */
type Put = (tx: Transaction, mailbox: MailboxRecord) => Promise<Stored>

export type Importing = ReturnType<typeof createImporting>

export function createImporting(deps: ImportingDeps) {
  const { store, blobs, raws, bodies, clock, limits } = deps
  const reading = { work: deps.work, parseLimits: deps.parseLimits, maxBytes: limits.messageBytes }

  /** Checked again in the commit. This early check keeps large messages for full mailboxes from filling the disk. */
  async function requireRoom(mailboxId: string, bytes: number): Promise<void> {
    if (bytes <= RAW_INLINE_BYTES) return
    const mailbox = await readMailbox(store, mailboxId)
    if (mailbox && roomLeft(mailbox, limits) < bytes) throw notEnoughRoom(mailbox, limits)
  }

  async function prepare(mailboxId: string, folder: FolderKey, read: ReadMessage, asker: Asker): Promise<Put> {
    const now = clock.now()
    if (folder === 'drafts') {
      const draft = await prepareDraft({ ...deps, limits }, mailboxId, read, now, asker)
      return async (tx, mailbox) => {
        await insertDraft(tx, mailbox, draft, clock.now(), limits)
        return { draftId: draft.id }
      }
    }
    const id = newId('msg', now)
    const content = importedContent(read, now)
    const { place, inline } = await raws.write(mailboxId, id, read.raw)
    return async (tx, mailbox) => {
      const sent = folder === 'sent' ? await sentMessage(tx, content.message_id, clock.now()) : undefined
      const unused = place.rawIn === 'blob' ? id : undefined
      if (sent) return { place: await flagged(tx, mailbox, sent, read.given), id: sent.id, unused, isNew: false }
      const direction = directionIn(folder, content, mailbox)
      const state = await insertMessage(
        tx,
        mailbox,
        {
          state: { ...importedState(id, folder, read, content, direction, clock.now()), ...place },
          content,
          raw: inline,
        },
        limits,
        (state) => withFlags(state, folder, read.given, clock.now()),
      )
      const { threadId, labels, unread } = state
      appendEvent(mailbox, clock.now(), 'message.imported', {
        ...{ message_id: id, thread_id: threadId, direction, labels, unread },
      })
      if (folder === 'trash') {
        const thread = await mustReadThread(tx, threadId, 'message')
        await moveToTrash(tx, mailbox, thread, [{ state, content }], clock.now())
      }
      tx.afterCommit(() => bodies.add(mailboxId, state.seq, { createdAt: state.createdAt, content }))
      return { place: state.seq, id, isNew: true, state: folder === 'trash' ? undefined : state }
    }
  }

  /** The message that was sent is the one in Sent: it gets the flags of its copy. */
  async function flagged(
    tx: Transaction,
    mailbox: MailboxRecord,
    sent: MessageState,
    { flags, keywords }: GivenMessage,
  ): Promise<number> {
    const change = changeOfFlags(sent, 'sent', { mode: 'add', flags, keywords })
    const thread = await mustReadThread(tx, sent.threadId, 'message')
    await changeLabels(tx, mailbox, thread, [sent], change, clock.now())
    return sent.seq
  }

  /** One commit with the messages and the folder index. @returns undefined if nothing was stored: the index lacks what the mailbox has */
  const commit = (
    mailboxId: string,
    folder: FolderKey,
    prepared: readonly Put[],
    when: 'only if the index is current' | 'always',
  ): Promise<{ stored: Stored[]; uids: Appended[] } | undefined> =>
    store.write([mailboxPartition(mailboxId), foldersPartition(mailboxId)], async (tx) => {
      const index = tx.in(foldersPartition(mailboxId))
      const done = await changeWithin(tx, async (_tx, mailbox) => {
        const writer = await openCurrent(index, mailbox, clock.now())
        if (!writer && when !== 'always') return undefined
        const { seq } = mailbox
        const stored: Stored[] = []
        for (const put of prepared) stored.push(await put(tx, mailbox))
        const states = stored.flatMap((one) => ('isNew' in one && one.isNew && one.state ? one.state : []))
        const isAll = states.length === stored.length && mailbox.seq === seq + states.length
        return { stored, uids: writer && isAll ? await enterAll(writer, mailbox, folder, states) : undefined }
      })
      if (!done) return undefined
      const { stored, uids } = done
      if (uids) return { stored, uids }
      while ((await syncStep(index, mailboxId, clock.now())) === 'more');
      return { stored, uids: await uidsOf(index, folder, stored) }
    })

  /** All that can be done before the commit, for which the caller calls the result. */
  async function prepareAll(
    mailboxId: string,
    folder: FolderKey,
    messages: readonly GivenMessage[],
    asker: Asker = { owner: mailboxId },
  ): Promise<() => Promise<Appended[]>> {
    await deps.mayImport()
    checkFolder(folder)
    if (messages.length > MAX_AT_ONCE) throw tooMany()
    const read: ReadMessage[] = []
    for (const message of messages) read.push(await readMessage(reading, message, asker))
    await requireRoom(
      mailboxId,
      read.reduce((sum, { raw }) => sum + raw.length, 0),
    )
    const prepared: Put[] = []
    for (const message of read) prepared.push(await prepare(mailboxId, folder, message, asker))
    return async () => {
      let done = await commit(mailboxId, folder, prepared, 'only if the index is current')
      if (!done) {
        await deps.folders.sync(mailboxId)
        done = await commit(mailboxId, folder, prepared, 'always')
      }
      if (!done) throw new Error('Messages were not stored, and nothing was in the way')
      for (const one of done.stored) await dropUnused(mailboxId, one)
      return done.uids
    }
  }

  const appendAll = async (...given: Parameters<typeof prepareAll>): Promise<Appended[]> =>
    (await prepareAll(...given))()

  /** The raw message of a copy that was not stored again. */
  async function dropUnused(mailboxId: string, stored: Stored): Promise<void> {
    if ('unused' in stored && stored.unused !== undefined) await blobs.delete(mailboxId, stored.unused)
  }

  return {
    /**
     * Stores messages in a folder, all or none (RFC 3502 §6.3.11). A large message that is not stored after all is swept from disk. Into Drafts they become drafts of the human;
     * into Sent the copy of what was sent a moment ago is not stored again.
     *
     * @returns their UIDs, in order
     * @throws ServiceError `invalid_request`, `payload_too_large`, `quota_exceeded`, `not_found` without the mailbox
     */
    appendAll,

    /**
     * `appendAll` in two parts: the first reads the messages, and the function it returns stores them. Those of several calls that are stored at the same time share a commit, and
     * none of them fails with another.
     */
    prepareAll,

    /** `appendAll` for one message. */
    async append(mailboxId: string, folder: FolderKey, message: GivenMessage, asker?: Asker): Promise<Appended> {
      const [appended] = await appendAll(mailboxId, folder, [message], asker)
      if (!appended) throw new Error('A message was appended, and is nowhere')
      return appended
    },

    /**
     * Stores a message of an import, once: the same octets in the same folder are not stored again within 30 days, unless the message was purged meanwhile. Costs
     * nothing in folders that no program looks at. Without a date of its own, that of its header counts.
     *
     * @returns false if it was there
     * @throws ServiceError as `appendAll`
     */
    async importOnce(mailboxId: string, folder: FolderKey, message: GivenMessage): Promise<boolean> {
      await deps.mayImport()
      checkFolder(folder)
      const asker = { owner: mailboxId }
      const found = await readMessage(reading, message, asker)
      const internalDateMs = message.internalDateMs ?? found.parsed.date ?? undefined
      const read = { ...found, given: { ...message, internalDateMs } }
      const once = await onceKey(read.raw, folder)
      if (await store.read(mailboxPartition(mailboxId), (view) => once.isThere(view))) return false
      await requireRoom(mailboxId, read.raw.length)
      const put = await prepare(mailboxId, folder, read, asker)
      const stored = await changeMailbox(store, mailboxId, async (tx, mailbox) => {
        if (await once.isThere(tx)) return undefined
        const stored = await put(tx, mailbox)
        rememberImport(tx, once, 'draftId' in stored ? stored.draftId : stored.id, clock.now())
        return stored
      })
      if (!stored) return false
      await dropUnused(mailboxId, stored)
      return 'draftId' in stored || stored.isNew
    },
  }
}

/** @throws ServiceError `invalid_request` for more keywords than a message may have labels */
function withFlags(
  state: MessageState,
  folder: FolderKey,
  { flags, keywords }: GivenMessage,
  now: number,
): MessageState {
  const after = changed(state, changeOfFlags(state, folder, { mode: 'replace', flags, keywords }), now)
  // What came as junk is not new mail when it is cleared.
  return folder === 'junk' ? { ...after, movedSeq: after.seq } : after
}

/** Enters new messages in the folder index. @returns their UIDs in the folder */
async function enterAll(
  writer: IndexWriter,
  mailbox: MailboxRecord,
  folder: FolderKey,
  states: readonly MessageState[],
): Promise<Appended[]> {
  const entered: (readonly FolderUid[])[] = []
  for (const state of states) entered.push(await enterNew(writer, state))
  await finishNew(writer, mailbox)
  const row = writer.folder(folder)
  return entered.map((uids) => appendedIn(row, row && uidIn(uids, row.number)))
}

/** @param index of the folders, brought up to the mailbox */
async function uidsOf(index: View, folder: FolderKey, stored: readonly Stored[]): Promise<Appended[]> {
  const row = (await readFolderRows(index)).find(({ key }) => key === folder)
  const uids: Appended[] = []
  for (const one of stored) {
    const uid =
      'draftId' in one
        ? (await readValue<DraftUid>(index, draftUidKey(one.draftId)))?.uid
        : row && (await uidAt(index, one.place, row.number))
    uids.push(appendedIn(row, uid))
  }
  return uids
}

/** @throws ServiceError `invalid_request` without the folder */
function appendedIn(row: FolderRow | undefined, uid: number | undefined): Appended {
  if (!row) throw tooManyFolders()
  if (uid === undefined) throw new Error('A message is not in the folder that it was appended to')
  return { validity: row.validity, uid }
}

async function uidAt(index: View, place: number, folder: number): Promise<number | undefined> {
  const uids = await index.get(uidsKey(place))
  return uids && uidIn(unpackUids(uids), folder)
}

const uidIn = (uids: readonly FolderUid[], folder: number): number | undefined =>
  uids.find(([number]) => number === folder)?.[1]

const tooMany = (): ServiceError =>
  invalidRequest(`At most ${MAX_AT_ONCE} messages can be stored at once.`, 'Store them with several commands.')

const tooManyFolders = (): ServiceError =>
  invalidRequest('The mailbox has as many folders as it can have.', 'Store the message in another folder.')
