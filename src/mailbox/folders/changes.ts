/**
 * What mail programs change in a folder: flags, copies, moves, expunges. Each commit changes the mailbox as the API would, with the same events, and brings the
 * folder index up to it. Of many messages it takes several, in order.
 */
import { setImmediate as tick } from 'node:timers/promises'
import type { Clock } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import type { Blobs, Store, Transaction, View } from '../../store/types.js'
import { dropDraft, filesOf, putDraft, readDraft } from '../draft.js'
import { foldersPartition, mailboxPartition } from '../keys.js'
import { checkLabelsToSend, type MessageChange } from '../labels.js'
import type { MailboxRecord } from '../mailbox-record.js'
import type { MessageState } from '../message.js'
import { readContentOf } from '../message-rows.js'
import { changeLabels } from '../reading/label-changes.js'
import { changeWithin } from '../record.js'
import { letGo, purge } from '../retention/purge.js'
import { isOnItsWay, moveToTrash, restore } from '../retention/trash.js'
import { mustReadThread } from '../threads/thread-rows.js'
import { markDraft } from './draft-sync.js'
import { entriesAt, type Found, findIn } from './find-entries.js'
import { changeOfFlags, type FlagChange } from './flag-change.js'
import { DELETED } from './flags.js'
import { type FolderKey, foldersOf, leavingOf, transferOf, type Transfer } from './folder.js'
import { type FolderRow, folderRowKey, readFolderRows, readIndex, uidsKey, unpackUids } from './index-rows.js'
import { IndexWriter } from './index-writer.js'
import { syncStep, type SyncFolders } from './sync.js'
import type { FolderViews } from './view.js'
import { decode } from '../../store/keys.js'

/** Messages of one commit: each makes at most two events, and a sync takes more than these. */
const STEP = 128

export interface FolderChangesDeps {
  store: Store
  blobs: Pick<Blobs, 'delete'>
  clock: Clock
  sync: SyncFolders
  views: FolderViews
}

/** Of a message in a folder, before and after a change of its flags. */
export interface Modseqs {
  before: number
  after: number
}

interface Work {
  /** Of the mailbox. */
  tx: Transaction
  /** Of the folder index. */
  index: Transaction
  mailbox: MailboxRecord
  folder: FolderRow
  now: number
}

export function createFolderChanges(deps: FolderChangesDeps) {
  const { store, clock, sync, views } = deps

  /** One commit: `fn` changes the mailbox, and the index follows. @param then reads what the index has after it */
  async function commit<T>(
    mailboxId: string,
    number: number,
    fn: (work: Work) => Promise<T>,
    then?: (index: View) => Promise<void>,
  ): Promise<T> {
    // The index is current but for what happens in between, which takes one step.
    await sync.sync(mailboxId)
    const partitions = [mailboxPartition(mailboxId), foldersPartition(mailboxId)]
    return store.write(partitions, async (tx) => {
      const index = tx.in(foldersPartition(mailboxId))
      const now = clock.now()
      const upToDate = async (): Promise<void> => {
        while ((await syncStep(index, mailboxId, now)) === 'more');
      }
      await upToDate()
      const row = await index.get(folderRowKey(number))
      if (!row) throw noSuchFolder()
      const result = await changeWithin(tx, (_tx, mailbox) =>
        fn({ tx, index, mailbox, folder: decode<FolderRow>(row), now }),
      )
      await upToDate()
      await then?.(index)
      return result
    })
  }

  async function inSteps(uids: readonly number[], work: (step: readonly number[]) => Promise<void>): Promise<void> {
    for (let at = 0; at < uids.length; at += STEP) {
      await work(uids.slice(at, at + STEP))
      await tick()
    }
  }

  return {
    /**
     * Changes flags. UIDs that are not there are passed over.
     *
     * @param unchangedSince leaves alone what has a higher modseq (RFC 7162 §3.1.3)
     * @returns the UIDs left alone, and the modseqs of all before and after the change
     * @throws ServiceError `not_found` without such a folder; `invalid_request` for a flag that cannot be set
     */
    async flag(
      mailboxId: string,
      folder: number,
      uids: readonly number[],
      change: FlagChange,
      unchangedSince = Infinity,
    ): Promise<{ left: number[]; modseqs: Map<number, Modseqs> }> {
      const left: number[] = []
      const modseqs = new Map<number, Modseqs>()
      await sync.sync(mailboxId)
      const drafts = (await views.view(mailboxId, folder))?.drafts
      await inSteps(uids, async (step) => {
        const skipped = await commit(
          mailboxId,
          folder,
          async (work) => {
            const skipped: number[] = []
            for (const { entry, state } of await find(work, step)) {
              const { uid, modseq } = entry
              modseqs.set(uid, { before: modseq, after: modseq })
              if (modseq > unchangedSince) skipped.push(uid)
              else if (state) await relabel(work, state, changeOfFlags(state, work.folder.key, change))
              else await flagDraft(work, drafts?.get(uid), change)
            }
            return skipped
          },
          async (index) => {
            for (const { uid, modseq } of await entriesAt(index, folder, step)) {
              const known = modseqs.get(uid)
              if (known) known.after = modseq
            }
          },
        )
        left.push(...skipped)
      })
      return { left, modseqs }
    },

    /**
     * Copies or moves messages to another folder, all or none.
     *
     * @returns UIDs there and here, in the order of those here, for messages that are there now
     * @throws ServiceError `not_found` without such a folder; `invalid_request` where a message cannot be there; `message_on_its_way`
     */
    async transfer(
      mailboxId: string,
      from: number,
      uids: readonly number[],
      to: FolderKey,
      leaves: boolean,
    ): Promise<{ validity: number; uids: [from: number, to: number][] }> {
      await check(mailboxId, from, uids, to, leaves)
      const pairs: [number, number][] = []
      let validity = 0
      await inSteps(uids, async (step) => {
        const places = await commit(mailboxId, from, async (work) => {
          const found = await find(work, step)
          for (const { state } of found) {
            const transfer = state && transferOf(state, work.folder.key, to, leaves)
            if (transfer) await carryOut(work, state, transfer)
          }
          return found.map(({ entry }) => ({ uid: entry.uid, place: entry.place }))
        })
        const there = await uidsThere(mailboxId, places, to)
        validity = there.validity
        pairs.push(...there.pairs)
      })
      return { validity, uids: pairs }
    },

    /** Changes the labels of all messages of a folder. */
    async relabelAll(mailboxId: string, folder: number, change: MessageChange): Promise<void> {
      await sync.sync(mailboxId)
      const view = await views.view(mailboxId, folder)
      await inSteps([...(view?.uids ?? [])], (step) =>
        commit(mailboxId, folder, async (work) => {
          for (const { state } of await find(work, step)) if (state) await relabel(work, state, change)
        }),
      )
    },

    /**
     * Removes what is marked as deleted: from Trash for good, from elsewhere into Trash, unless it is in other folders too: then it stays in these.
     *
     * @param among only these UIDs
     * @returns the UIDs that stay, as they are still being sent
     */
    async expunge(mailboxId: string, folder: number, among?: ReadonlySet<number>): Promise<number[]> {
      await sync.sync(mailboxId)
      const view = await views.view(mailboxId, folder)
      if (!view) throw noSuchFolder()
      const marked: number[] = []
      for (const { uid, flags } of view.entries())
        if ((flags & DELETED) !== 0 && (among?.has(uid) ?? true)) marked.push(uid)
      const stay: number[] = []
      await inSteps(marked, async (step) => {
        const { kept, files } = await commit(mailboxId, folder, async (work) => expungeSome(work, view.drafts, step))
        stay.push(...kept)
        await letGo(deps, mailboxId, { count: 0, files })
      })
      return stay
    },
  }

  /** Nothing is moved if one cannot be. */
  async function check(
    mailboxId: string,
    from: number,
    uids: readonly number[],
    to: FolderKey,
    leaves: boolean,
  ): Promise<void> {
    await sync.sync(mailboxId)
    await inSteps(uids, (step) =>
      store.read(mailboxPartition(mailboxId), async (tx) => {
        const index = tx.in(foldersPartition(mailboxId))
        const row = await index.get(folderRowKey(from))
        if (!row) throw noSuchFolder()
        const { key: here, number } = decode<FolderRow>(row)
        for (const { state } of await findIn({ tx, index, number }, step)) {
          if (!state || !transferOf(state, here, to, leaves)) throw cannotBeThere(to)
          if (to === 'trash' && isOnItsWay(state)) throw stillNeeded()
        }
      }),
    )
  }

  async function uidsThere(
    mailboxId: string,
    places: readonly { uid: number; place: number }[],
    to: FolderKey,
  ): Promise<{ validity: number; pairs: [number, number][] }> {
    return store.read(foldersPartition(mailboxId), async (view) => {
      const folder = (await readFolderRows(view)).find(({ key }) => key === to)
      const rows = await view.getMany(places.map(({ place }) => uidsKey(place)))
      const pairs: [number, number][] = []
      for (const [i, { uid }] of places.entries()) {
        const row = rows[i]
        const there = row && unpackUids(row).find(([number]) => number === folder?.number)
        if (there) pairs.push([uid, there[1]])
      }
      return { validity: folder?.validity ?? 0, pairs }
    })
  }
}

async function find({ tx, index, folder }: Work, uids: readonly number[]): Promise<Found[]> {
  return findIn({ tx, index, number: folder.number }, uids)
}

async function relabel({ tx, mailbox, now }: Work, state: MessageState, change: MessageChange): Promise<MessageState> {
  const thread = await mustReadThread(tx, state.threadId, 'message')
  return (await changeLabels(tx, mailbox, thread, [state], change, now)).states[0] ?? state
}

async function carryOut(work: Work, state: MessageState, transfer: Transfer): Promise<void> {
  const { tx, mailbox, now } = work
  if (!transfer.delete && !transfer.restore) {
    await relabel(work, state, transfer)
    return
  }
  const thread = await mustReadThread(tx, state.threadId, 'message')
  const content = await readContentOf(tx, state)
  if (!content) throw new Error(`Message ${state.id} has lost its content`)
  if (transfer.delete) {
    if (!state.trashed) await moveToTrash(tx, mailbox, thread, [{ state, content }], now)
    return
  }
  const [restored = state] = (await restore(tx, mailbox, thread, [{ state, content }], now)).states
  await relabel(work, restored, transfer)
}

async function expungeSome(
  work: Work,
  drafts: ReadonlyMap<number, string>,
  uids: readonly number[],
): Promise<{ kept: number[]; files: string[] }> {
  const { tx, mailbox, folder, now } = work
  const kept: number[] = []
  const files: string[] = []
  for (const { entry, state } of await find(work, uids)) {
    if ((entry.flags & DELETED) === 0) continue
    if (!state) {
      const stored = await readDraft(tx, drafts.get(entry.uid) ?? '')
      if (!stored) continue
      dropDraft(tx, mailbox, stored.draft)
      files.push(
        ...filesOf(stored.draft)
          .filter((file) => file.in === 'blob')
          .map(({ id }) => id),
      )
    } else if (state.trashed) files.push(...(await purge(tx, mailbox, [state], now)).files)
    // One that is in Archive for want of other folders is in none of these.
    else if (foldersOf(state).length > 1 && foldersOf(state).includes(folder.key))
      await relabel(work, state, leavingOf(folder.key))
    else if (isOnItsWay(state)) kept.push(entry.uid)
    else await carryOut(work, state, { delete: true })
  }
  return { kept, files }
}

/** Flags and keywords are labels of the draft, whose revision stays: what would be sent is the same. `\Seen` and `\Draft` are always set. */
async function flagDraft({ tx, index, now }: Work, draftId: string | undefined, change: FlagChange): Promise<void> {
  const stored = draftId === undefined ? undefined : await readDraft(tx, draftId)
  if (!stored || draftId === undefined) return
  const { draft } = stored
  const { addLabels = [], removeLabels = [] } = changeOfFlags(draft, 'drafts', change)
  const labels = [...new Set([...draft.labels, ...addLabels])].filter((label) => !removeLabels.includes(label))
  if (labels.join(' ') !== draft.labels.join(' ')) {
    checkLabelsToSend(labels)
    putDraft(tx, { ...stored, draft: { ...draft, labels } })
  }
  const row = await readIndex(index)
  if (!row || (change.mode !== 'replace' && (change.flags & DELETED) === 0)) return
  const writer = await IndexWriter.open(index, row, now)
  await markDraft(writer, index, draftId, change.mode !== 'remove' && (change.flags & DELETED) !== 0)
  await writer.finish()
}

export function noSuchFolder(): ServiceError {
  return new ServiceError('not_found', 'There is no such folder.', 'List the folders of the mailbox.')
}

/** Of the folders that do not take every message. */
const CANNOT_BE_THERE: Partial<Record<FolderKey, string>> = {
  drafts: 'Drafts has only what is still being written: a message that was sent or received cannot become a draft.',
  sent: 'Sent has only what this mailbox sent.',
  junk: 'What this mailbox sent is never junk.',
}

const INSTEAD: Partial<Record<FolderKey, string>> = {
  drafts:
    'To write with it, forward it or edit it as new, and save that as a draft. To put it away, choose another folder.',
  sent: 'Move it to Archive, or to a folder of your own.',
  junk: 'Move it to Trash or Archive, or to a folder of your own.',
}

function cannotBeThere(folder: FolderKey): ServiceError {
  return new ServiceError(
    'invalid_request',
    CANNOT_BE_THERE[folder] ?? 'The message cannot be in this folder.',
    INSTEAD[folder] ?? 'Choose another folder.',
  )
}

function stillNeeded(): ServiceError {
  return new ServiceError(
    'message_on_its_way',
    'A message that is still being sent cannot be deleted.',
    'Wait until it has arrived or failed, or cancel it.',
  )
}
