/**
 * Drafts in the folder index. A message of IMAP never changes, so a draft that was changed is a new message, and the old one has vanished. Changes of drafts
 * have no events: the folder counts its own modseq, from that of the index on.
 */
import { decode, encode } from '../../store/keys.js'
import { allIn } from '../../store/pages.js'
import type { Transaction, View } from '../../store/types.js'
import type { DraftRecord } from '../draft.js'
import { draftsRange } from '../keys.js'
import { DELETED, DRAFT, SEEN } from './flags.js'
import { draftUidKey, draftUidsRange, type DraftUid, textInKey } from './index-rows.js'
import type { IndexWriter } from './index-writer.js'

/** The newest drafts are shown. */
const MAX_DRAFTS = 1000

/** Compares all drafts with the index. @param view of the mailbox */
export async function enterDrafts(writer: IndexWriter, tx: Transaction, view: View): Promise<void> {
  const folder = writer.folder('drafts')
  if (!folder) throw new Error('The folder index has no drafts')
  const modseq = Math.max(writer.index.seq, folder.modseq ?? 0) + 1
  const rows = await view.range({ ...draftsRange, limit: MAX_DRAFTS, reverse: true })
  const drafts = new Map(rows.map(([, row]) => decode<DraftRecord>(row)).map((draft) => [draft.id, draft]))
  const known = new Map(
    (await allIn(tx, draftUidsRange)).map(([row, value]) => [textInKey(row), decode<DraftUid>(value)]),
  )
  let changes = false
  for (const [id, { uid, revision }] of known) {
    if (drafts.get(id)?.revision === revision) continue
    await writer.leave(folder, uid, modseq)
    tx.delete(draftUidKey(id))
    changes = true
  }
  for (const draft of [...drafts.values()].reverse()) {
    if (known.get(draft.id)?.revision === draft.revision) continue
    const content = {
      size: 0,
      date: Math.floor(draft.updatedAt / 1000),
      flags: DRAFT | SEEN,
      keywords: [0, 0] as const,
      place: 0,
    }
    const uid = await writer.enter(folder, content, modseq)
    tx.put(draftUidKey(draft.id), encode({ uid, revision: draft.revision } satisfies DraftUid))
    changes = true
  }
  if (changes) {
    folder.modseq = modseq
    writer.changed(folder)
  }
}

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
  const { uid, revision } = decode<DraftUid>(row)
  const modseq = Math.max(writer.index.seq, folder.modseq ?? 0) + 1
  const flags = DRAFT | SEEN | (deleted ? DELETED : 0)
  const known = await writer.entry(folder, uid)
  if (!known || known.flags === flags) return
  await writer.change(folder, uid, { ...known, flags }, modseq)
  tx.put(draftUidKey(draftId), encode({ uid, revision, ...(deleted && { deleted: true as const }) } satisfies DraftUid))
  folder.modseq = modseq
}
