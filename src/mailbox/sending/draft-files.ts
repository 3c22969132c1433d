import { buffer } from 'node:stream/consumers'
import { asBuffer } from '../../store/keys.js'
import type { Blobs, Store } from '../../store/types.js'
import type { DraftFile, DraftRecord } from '../draft.js'
import { draftFileKey, mailboxPartition } from '../keys.js'
import type { SendAttachment } from './requests.js'

export interface DraftFilesDeps {
  store: Store
  blobs: Pick<Blobs, 'stream'>
}

/** Files of a draft as attachments. Undefined if one is gone: the draft was changed or sent meanwhile. */
export async function readDraftFiles(
  deps: DraftFilesDeps,
  mailboxId: string,
  { files }: DraftRecord,
): Promise<SendAttachment[] | undefined> {
  const all: SendAttachment[] = []
  for (const file of files) {
    const content = await readDraftFile(deps, mailboxId, file)
    if (!content) return undefined
    all.push({ filename: file.filename, contentType: file.contentType, content, contentId: file.contentId })
  }
  return all
}

/** Undefined if it is gone. */
export async function readDraftFile(
  { store, blobs }: DraftFilesDeps,
  mailboxId: string,
  file: DraftFile,
): Promise<Buffer | undefined> {
  const row = await store.read(mailboxPartition(mailboxId), (view) => view.get(draftFileKey(file.id)))
  if (!row) return undefined
  if (file.in === 'store') return asBuffer(row)
  const stream = await blobs.stream(mailboxId, file.id, file)
  return stream && buffer(stream)
}
