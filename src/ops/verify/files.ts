/** Checks the files of messages and drafts: presence, size and hash. */
import { createHash } from 'node:crypto'
import { messageOf } from '../../lib/thrown.js'
import { HOUR } from '../../lib/clock.js'
import { isBlobReferenced } from '../../lifecycle/export/pieces.js'
import { areTooMany } from '../../store/blobs/census.js'
import { StorageError } from '../../store/errors.js'
import type { Blobs, Store, StoredBlob } from '../../store/types.js'
import type { Report } from './families/types.js'

export interface WantedFile {
  bytes: number
  sha256?: string | undefined
}

/** The part of the blobs that is needed for checking them. */
export type ReadableBlobs = Pick<Blobs, 'read' | 'size' | 'list'>

export interface FilesDeps {
  blobs: ReadableBlobs
  quick: boolean
  /** Called with the bytes read. */
  onRead?: ((bytes: number) => void) | undefined
}

/** @returns true if its contents were compared */
export async function verifyFile(
  { blobs, quick, onRead }: FilesDeps,
  { owner, id }: { owner: string; id: string },
  wanted: WantedFile,
  what: string,
  report: Report,
): Promise<boolean> {
  const size = await blobs.size(owner, id)
  if (size === undefined) report('file-missing', owner, `${what}: ${id}`)
  else if (size !== wanted.bytes) report('file-size', owner, `${what}: ${id} has ${size} bytes, not ${wanted.bytes}`)
  if (size !== wanted.bytes || quick) return false
  try {
    const blob = await blobs.read(owner, id)
    // Removed since; the next check of its message shows that.
    if (!blob) return false
    const hash = await hashOf(blob, onRead)
    if (wanted.sha256 !== undefined && hash !== wanted.sha256)
      report('file-hash', owner, `${what}: the bytes of ${id} differ from those written`)
    return wanted.sha256 !== undefined
  } catch (error) {
    // Says nothing of the blob: the server of the bucket does not answer.
    if (error instanceof StorageError) throw error
    report('file-hash', owner, `${what}: ${id} cannot be read: ${messageOf(error)}`)
    return false
  }
}

async function hashOf({ content }: StoredBlob, onRead: FilesDeps['onRead']): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of content) {
    if (!(piece instanceof Uint8Array)) throw new TypeError('a stream without an encoding gives octets')
    hash.update(piece)
    onRead?.(piece.length)
  }
  return hash.digest('hex')
}

/**
 * Finds files without a record that are older than an hour. If they are most of all files, or there is no mailbox at all, the store is wrong, and none of them
 * is removed.
 */
export async function findOrphans(
  { store, blobs, now, mailboxes }: { store: Store; blobs: ReadableBlobs; now: number; mailboxes: number },
  report: Report,
): Promise<void> {
  const orphans: { owner: string; id: string }[] = []
  let unnamed = 0
  let files = 0
  for await (const { owner, id, changedAt } of blobs.list()) {
    files++
    if (changedAt > now - HOUR || (await isNamed(store, owner, id))) continue
    unnamed++
    if (orphans.length < MAX_LISTED) orphans.push({ owner, id })
  }
  if (unnamed > 0 && (mailboxes === 0 || areTooMany({ orphans: unnamed, files })))
    report(
      'store-lost',
      'blobs',
      mailboxes === 0
        ? `${unnamed} of ${files} files, and no mailbox in the store: it is not the store that they belong to`
        : `${unnamed} of ${files} files: the store is older than they are, or another one`,
    )
  else for (const { owner, id } of orphans) report('file-orphan', owner, id)
}

const MAX_LISTED = 20_000

/** True also if the message is unreadable, so that its file is not removed. */
async function isNamed(store: Store, owner: string, id: string): Promise<boolean> {
  try {
    return await isBlobReferenced(store, owner, id)
  } catch (error) {
    if (error instanceof SyntaxError) return true
    throw error
  }
}
