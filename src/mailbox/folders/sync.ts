/**
 * Brings the folder index up to the mailbox: by its events, or where they are no longer kept, and for the first time, by comparing all messages with it. Each
 * step is one commit of bounded size.
 */
import { setImmediate as tick } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.js'
import { createSerial } from '../../lib/serial.js'
import { prefixRange } from '../../store/keys.js'
import type { Store, Transaction, View } from '../../store/types.js'
import { readEventsAfter } from '../event-rows.js'
import { nextSeq } from '../events.js'
import { foldersPartition, mailboxPartition, messageKey, messagesRange, seqOf } from '../keys.js'
import type { MailboxRecord } from '../mailbox-record.js'
import { requireMailbox } from '../mailbox-rows.js'
import { readDraftsMark } from '../draft.js'
import type { MessageState } from '../message.js'
import { placeOf, readStates, unpackMessage } from '../message-rows.js'
import { clearRange } from '../record.js'
import { DELETED, flagsOfLabels, keywordOf, keywordOfStatus, SEEN } from './flags.js'
import { type DraftSizes, enterDrafts, NO_SIZES, sizesOfNewDrafts } from './draft-sync.js'
import { type FolderKey, foldersOf, SYSTEM_FOLDERS } from './folder.js'
import {
  FOLDER_INDEX_VERSION,
  type FolderRow,
  type FolderUid,
  type IndexRow,
  newFolder,
  nextValidity,
  putFolderRow,
  placeInKey,
  readFolderRows,
  readIndex,
  readNames,
  uidsKey,
  uidsRange,
} from './index-rows.js'
import { type EntryContent, IndexWriter } from './index-writer.js'

/** Max events, and messages, of one commit. */
const STEP = 512
/** Max mailboxes of which is known that they are up to date. */
const MAX_WHOLE = 10_000

export type SyncFolders = ReturnType<typeof createFolderSync>

export interface FolderSyncDeps {
  store: Store
  clock: Clock
  /** A draft as a message. */
  draftRaw: (mailboxId: string, draftId: string) => Promise<Buffer>
}

export function createFolderSync({ store, clock, draftRaw }: FolderSyncDeps) {
  const line = createSerial()
  /** The newest commit of the store at which an index was found to have all of its mailbox; the one that was found last is last. */
  const whole = new Map<string, bigint>()

  function found(mailboxId: string, newest: bigint | undefined): void {
    if (newest === undefined) return
    whole.delete(mailboxId)
    whole.set(mailboxId, newest)
    for (const oldest of whole.keys()) {
      if (whole.size <= MAX_WHOLE) break
      whole.delete(oldest)
    }
  }

  const step = (mailboxId: string, sizes: DraftSizes): Promise<SyncState> =>
    store.write([foldersPartition(mailboxId), mailboxPartition(mailboxId)], (tx) =>
      syncStep(tx, mailboxId, clock.now(), sizes),
    )

  async function sync(mailboxId: string): Promise<void> {
    let [sizes, sizedAt] = [NO_SIZES, '']
    for (;;) {
      // In this order: a commit between the two is seen the next time.
      const newest = store.newest()
      const { index, drafts, isOld } = await store.read(mailboxPartition(mailboxId), async (view) => {
        const mailbox = await requireMailbox(view)
        const index = await readIndex(view.in(foldersPartition(mailboxId)))
        const drafts = await readDraftsMark(view)
        return { index, drafts, isOld: !index || !isCurrent(index, mailbox, drafts) }
      })
      if (!isOld) {
        found(mailboxId, newest)
        return
      }
      if (index && index.version !== FOLDER_INDEX_VERSION) await dropIndex(store, mailboxId)
      if (index?.drafts !== drafts && sizedAt !== drafts) {
        sizes = await sizesOfNewDrafts(store, mailboxId, draftRaw)
        sizedAt = drafts
      }
      if ((await step(mailboxId, sizes)) === 'whole') return
      await tick()
    }
  }

  return {
    /** Until the index has all that the mailbox has at the call: at once where nothing was committed since it had, and a read if it has. @throws ServiceError `not_found` */
    async sync(mailboxId: string): Promise<void> {
      const newest = store.newest()
      if (newest !== undefined && whole.get(mailboxId) === newest) return
      await line.run(mailboxId, () => sync(mailboxId))
    },
  }
}

const isCurrent = (index: IndexRow, mailbox: MailboxRecord, drafts: string): boolean =>
  index.version === FOLDER_INDEX_VERSION &&
  !index.build &&
  index.seq === mailbox.seq &&
  index.jumpedTo === jumpOf(mailbox) &&
  index.drafts === drafts

const jumpOf = ({ jumps = [] }: MailboxRecord): number => jumps.at(-1)?.to ?? 0

/** `more`: another step may follow. `lacks sizes`: drafts are left out whose size is not known within the transaction. */
type SyncState = 'more' | 'whole' | 'lacks sizes'

/**
 * One step, within a transaction of the index that may read the mailbox.
 *
 * @param sizes of drafts that are composed
 */
export async function syncStep(
  tx: Transaction,
  mailboxId: string,
  now: number,
  sizes: DraftSizes = NO_SIZES,
): Promise<SyncState> {
  const view = tx.in(mailboxPartition(mailboxId))
  const mailbox = await requireMailbox(view)
  const found = await readIndex(tx)
  const drafts = await readDraftsMark(view)
  const isThere = found?.version === FOLDER_INDEX_VERSION
  if (isThere && isCurrent(found, mailbox, drafts)) return 'whole'
  const { index, folders } = isThere ? { index: found, folders: await readFolderRows(tx) } : startIndex(tx, found, now)
  const writer = new IndexWriter(tx, index, folders, now)
  if (!isThere) {
    index.build = { next: 0, target: mailbox.seq }
    for (const [folder, { created }] of await readNames(tx)) if (created) await writer.need(folder as FolderKey)
  }
  if (index.jumpedTo !== jumpOf(mailbox)) {
    if (isThere) writer.revalidate()
    index.jumpedTo = jumpOf(mailbox)
  }
  const more = index.build ? await compare(writer, tx, view, index.build) : await follow(writer, view, mailbox)
  let lacksSizes = false
  if (!more && index.drafts !== drafts) {
    lacksSizes = !(await enterDrafts(writer, tx, view, sizes))
    if (!lacksSizes) index.drafts = drafts
  }
  await writer.finish()
  return more ? 'more' : lacksSizes ? 'lacks sizes' : 'whole'
}

/**
 * The index for a transaction that stores new messages and enters them itself, which spares reading them back; `finishNew` writes it. Undefined if the index
 * lacks something that the mailbox has.
 */
export async function openCurrent(
  tx: Transaction,
  mailbox: MailboxRecord,
  now: number,
): Promise<IndexWriter | undefined> {
  const index = await readIndex(tx)
  const drafts = await readDraftsMark(tx.in(mailboxPartition(mailbox.id)))
  return index && isCurrent(index, mailbox, drafts) ? IndexWriter.open(tx, index, now) : undefined
}

/** Enters a message that the transaction stored and announced by the one event of its place. @returns its UIDs by folder */
export const enterNew = (writer: IndexWriter, state: MessageState): Promise<readonly FolderUid[]> =>
  enter(writer, state.seq, state, state.seq)

/** @param mailbox with all events of the transaction, each of which is that of an entered message */
export async function finishNew(writer: IndexWriter, mailbox: MailboxRecord): Promise<void> {
  writer.index.seq = mailbox.seq
  await writer.finish()
}

/** Enters what the next events tell. */
async function follow(writer: IndexWriter, view: View, mailbox: MailboxRecord): Promise<boolean> {
  const { index } = writer
  const { events, more } = await readEventsAfter(view, mailbox.id, index.seq, STEP)
  const first = events[0]
  if (first?.seq !== nextSeq(mailbox, index.seq)) {
    // Those in between are no longer kept, or it goes on after a restore without any.
    if (!first && nextSeq(mailbox, index.seq) === mailbox.seq + 1) {
      index.seq = mailbox.seq
      return false
    }
    index.build = { next: 0, target: mailbox.seq }
    return true
  }
  // The last event of each message, by the order of these.
  const last = new Map<string, { seq: number; place: number | undefined }>()
  for (const { seq, data } of events) {
    const { message_id: id, message_seq: place } = data
    if (typeof id !== 'string') continue
    last.delete(id)
    last.set(id, { seq, place: typeof place === 'number' ? place : undefined })
  }
  const changed: { place: number; seq: number }[] = []
  for (const [id, { seq, place }] of last) {
    const at = place ?? (await placeOf(view, id))
    // One that was purged is told by the event of its purge, which has its place.
    if (at !== undefined) changed.push({ place: at, seq })
  }
  const states = new Map(
    (
      await readStates(
        view,
        changed.map(({ place }) => place),
      )
    ).map((state) => [state.seq, state]),
  )
  for (const { place, seq } of changed) await enter(writer, place, states.get(place), seq)
  index.seq = events.at(-1)?.seq ?? index.seq
  return more
}

/** Compares some messages with the index, from `build.next` on. */
async function compare(
  writer: IndexWriter,
  tx: Transaction,
  view: View,
  build: NonNullable<IndexRow['build']>,
): Promise<boolean> {
  const { index } = writer
  const rows = await view.range({ gte: messageKey(build.next), lt: messagesRange.lt, limit: STEP })
  const last = rows.at(-1)
  const end = last && rows.length === STEP ? seqOf(last[0]) + 1 : undefined
  const states = new Map<number, MessageState>()
  for (const [row, value] of rows) states.set(seqOf(row), unpackMessage(value))
  const lt = end === undefined ? uidsRange.lt : uidsKey(end)
  const known = await tx.range({ gte: uidsKey(build.next), lt, limit: STEP })
  // Where the index has more than the mailbox, it goes only as far as both were read.
  const lastKnown = known.at(-1)
  const stop = lastKnown && known.length === STEP ? placeInKey(lastKnown[0]) + 1 : end
  const places = new Set([...states.keys(), ...known.map(([row]) => placeInKey(row))])
  for (const place of [...places].sort((a, b) => a - b))
    if (stop === undefined || place < stop) await enter(writer, place, states.get(place), build.target)
  if (stop !== undefined) {
    index.build = { ...build, next: stop }
    return true
  }
  delete index.build
  index.seq = build.target
  // What happened meanwhile, and the drafts.
  return true
}

async function enter(
  writer: IndexWriter,
  place: number,
  state: MessageState | undefined,
  modseq: number,
): Promise<readonly FolderUid[]> {
  if (!state) return writer.place(place, new Map(), modseq)
  const common = contentOf(writer, state)
  const contentIn = (folder: FolderKey): EntryContent => {
    const deleted = state.deletedIn?.includes(folder) ? DELETED : 0
    return { ...common, flags: common.flags | deleted }
  }
  const folders = new Map(foldersOf(state).map((folder) => [folder, contentIn(folder)]))
  return writer.place(place, folders, modseq, contentIn('archive'))
}

function contentOf(writer: IndexWriter, state: MessageState): EntryContent {
  const { labels, unread, status, rawBytes, createdAt, seq } = state
  const keywords = labels.map(keywordOf).filter((name) => name !== undefined)
  const ofStatus = keywordOfStatus(status)
  return {
    size: rawBytes,
    date: Math.floor((state.internalDate ?? createdAt) / 1000),
    flags: (unread ? 0 : SEEN) | flagsOfLabels(labels),
    keywords: writer.keywordBits(ofStatus === undefined ? keywords : [...keywords, ofStatus]),
    place: seq,
  }
}

/** Removes an index of another form, but not the names of folders. */
async function dropIndex(store: Store, mailboxId: string): Promise<void> {
  const partition = foldersPartition(mailboxId)
  for (const range of [
    prefixRange('uids'),
    prefixRange('page'),
    prefixRange('vanished'),
    prefixRange('folder'),
    prefixRange('draft-uid'),
  ])
    await clearRange(store, partition, range)
}

/** An index of nothing yet, with the system folders. @param now milliseconds since the epoch */
function startIndex(
  tx: Transaction,
  before: IndexRow | undefined,
  now: number,
): { index: IndexRow; folders: FolderRow[] } {
  const validity = nextValidity(before?.validity ?? 0, now)
  const folders = SYSTEM_FOLDERS.map((folderKey, i) => newFolder(i + 1, folderKey, validity))
  for (const folder of folders) putFolderRow(tx, folder)
  const index: IndexRow = {
    version: FOLDER_INDEX_VERSION,
    seq: 0,
    jumpedTo: 0,
    validity,
    nextFolder: folders.length + 1,
    keywords: [],
    drafts: '',
  }
  return { index, folders }
}
