/**
 * Drafts in the folder index. A message of IMAP never changes, so a draft that was changed is a new message, and the old one has vanished; its flags are labels, and
 * change in place. Changes of drafts have no events: the folder counts its own modseq, from that of the index on.
 */
import { ServiceError } from '../../lib/errors.js'
import { decode, encode } from '../../store/keys.js'
import { allIn } from '../../store/pages.js'
import type { Store, Transaction, View } from '../../store/types.js'
import type { DraftRecord } from '../draft.js'
import { draftsRange, foldersPartition, mailboxPartition } from '../keys.js'
import type { Entry } from './entries.js'
import { DELETED, DRAFT, flagsOfLabels, keywordOf, SEEN } from './flags.js'
import { draftUidKey, draftUidsRange, type DraftUid, textInKey } from './index-rows.js'
import type { EntryContent, IndexWriter } from './index-writer.js'

/** The newest drafts are shown. */
const MAX_DRAFTS = 1000

/** Bytes of drafts as messages, by id and revision. */
export type DraftSizes = ReadonlyMap<string, number>
export const NO_SIZES: DraftSizes = new Map()

const sizeKey = ({ id, revision }: Pick<DraftRecord, 'id' | 'revision'>): string => `${id} ${revision}`

const draftsOf = async (view: View): Promise<DraftRecord[]> =>
  (await view.range({ ...draftsRange, limit: MAX_DRAFTS, reverse: true })).map(([, row]) => decode<DraftRecord>(row))

const knownDrafts = async (index: View): Promise<Map<string, DraftUid>> =>
  new Map((await allIn(index, draftUidsRange)).map(([row, value]) => [textInKey(row), decode<DraftUid>(value)]))

/** Sizes of those that have to be composed: before a commit, each revision once. @param draftRaw a draft as a message */
export async function sizesOfNewDrafts(
  store: Store,
  mailboxId: string,
  draftRaw: (mailboxId: string, draftId: string) => Promise<Buffer>,
): Promise<DraftSizes> {
  const composed = await store.read(mailboxPartition(mailboxId), async (view) => {
    const known = await knownDrafts(view.in(foldersPartition(mailboxId)))
    return (await draftsOf(view)).filter((draft) => !draft.raw && known.get(draft.id)?.revision !== draft.revision)
  })
  const sizes = new Map<string, number>()
  for (const draft of composed) {
    try {
      sizes.set(sizeKey(draft), (await draftRaw(mailboxId, draft.id)).length)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      // It changed or went meanwhile, or a file is lost: then nobody can fetch it.
      sizes.set(sizeKey(draft), draft.bytes)
    }
  }
  return sizes
}

/**
 * Compares all drafts with the index.
 *
 * @param view of the mailbox
 * @returns false if drafts are left out, as their size is not known
 */
export async function enterDrafts(
  writer: IndexWriter,
  tx: Transaction,
  view: View,
  sizes: DraftSizes,
): Promise<boolean> {
  const folder = writer.folder('drafts')
  if (!folder) throw new Error('The folder index has no drafts')
  const modseq = Math.max(writer.index.seq, folder.modseq ?? 0) + 1
  const drafts = new Map((await draftsOf(view)).map((draft) => [draft.id, draft]))
  const known = await knownDrafts(tx)
  let isWhole = true
  let changes = false
  for (const [id, { uid, revision }] of known) {
    if (drafts.get(id)?.revision === revision) continue
    await writer.leave(folder, uid, modseq)
    tx.delete(draftUidKey(id))
    changes = true
  }
  for (const draft of [...drafts.values()].reverse()) {
    const before = known.get(draft.id)
    const entry = before?.revision === draft.revision ? await writer.entry(folder, before.uid) : undefined
    const size = entry?.size ?? draft.raw?.bytes ?? sizes.get(sizeKey(draft))
    if (size === undefined) {
      isWhole = false
      continue
    }
    const content = contentOf(writer, draft, size, entry)
    if (!entry) {
      const uid = await writer.enter(folder, content, modseq)
      tx.put(draftUidKey(draft.id), encode({ uid, revision: draft.revision } satisfies DraftUid))
    } else if (isSame(entry, content)) continue
    else await writer.change(folder, entry.uid, content, modseq)
    changes = true
  }
  if (changes) {
    folder.modseq = modseq
    writer.changed(folder)
  }
  return isWhole
}

function contentOf(writer: IndexWriter, draft: DraftRecord, size: number, before: Entry | undefined): EntryContent {
  return {
    size,
    date: before?.date ?? Math.floor(draft.updatedAt / 1000),
    flags: DRAFT | SEEN | flagsOfLabels(draft.labels) | ((before?.flags ?? 0) & DELETED),
    keywords: writer.keywordBits(draft.labels.map(keywordOf).filter((name) => name !== undefined)),
    place: 0,
  }
}

const isSame = (entry: Entry, { flags, keywords }: EntryContent): boolean =>
  entry.flags === flags && entry.keywords[0] === keywords[0] && entry.keywords[1] === keywords[1]

/** Sets or clears `\Deleted` of a draft. */
export async function markDraft(
  writer: IndexWriter,
  tx: Transaction,
  draftId: string,
  deleted: boolean,
): Promise<void> {
  const folder = writer.folder('drafts')
  const row = await tx.get(draftUidKey(draftId))
  if (!folder || !row) return
  const { uid } = decode<DraftUid>(row)
  const known = await writer.entry(folder, uid)
  const flags = ((known?.flags ?? 0) & ~DELETED) | (deleted ? DELETED : 0)
  if (!known || known.flags === flags) return
  const modseq = Math.max(writer.index.seq, folder.modseq ?? 0) + 1
  await writer.change(folder, uid, { ...known, flags }, modseq)
  folder.modseq = modseq
}
