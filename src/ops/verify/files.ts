/** Checks the files of messages and drafts: presence, size and hash. */
import { createHash } from 'node:crypto'
import { createReadStream, type Dirent } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ifExists } from '../../lib/files.js'
import { hasCode, messageOf } from '../../lib/thrown.js'
import { HOUR } from '../../lib/clock.js'
import { isRawReferenced } from '../../mailbox/raw.js'
import { areTooMany, blobPath, isName } from '../../store/blobs/blob-files.js'
import type { Store } from '../../store/types.js'
import type { Report } from './families/types.js'

export interface WantedFile {
  bytes: number
  sha256?: string | undefined
}

export interface FilesDeps {
  blobsDir: string
  quick: boolean
  /** Called with the bytes read. */
  onRead?: ((bytes: number) => void) | undefined
}

/** @returns true if its contents were compared */
export async function verifyFile(
  { blobsDir, quick, onRead }: FilesDeps,
  { owner, id }: { owner: string; id: string },
  wanted: WantedFile,
  what: string,
  report: Report,
): Promise<boolean> {
  const path = blobPath(blobsDir, owner, id)
  const size = (await ifExists(stat(path)))?.size
  if (size === undefined) report('file-missing', owner, `${what}: ${id}`)
  else if (size !== wanted.bytes) report('file-size', owner, `${what}: ${id} has ${size} bytes, not ${wanted.bytes}`)
  if (size !== wanted.bytes || quick) return false
  try {
    const hash = await hashOf(path, onRead)
    if (wanted.sha256 !== undefined && hash !== wanted.sha256)
      report('file-hash', owner, `${what}: the bytes of ${id} differ from those written`)
    return wanted.sha256 !== undefined
  } catch (error) {
    // Removed since; the next check of its message shows that.
    if (hasCode(error, 'ENOENT')) return false
    report('file-hash', owner, `${what}: ${id} cannot be read: ${messageOf(error)}`)
    return false
  }
}

async function hashOf(path: string, onRead: FilesDeps['onRead']): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
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
  { store, blobsDir, now, mailboxes }: { store: Store; blobsDir: string; now: number; mailboxes: number },
  report: Report,
): Promise<void> {
  const orphans: { owner: string; id: string }[] = []
  let unnamed = 0
  let files = 0
  for await (const folder of await openFolder(blobsDir)) {
    if (!folder.isDirectory() || !isName(folder.name)) continue
    for await (const { name } of await openFolder(join(blobsDir, folder.name))) {
      if (!isName(name)) continue
      files++
      if (await isNamed(store, folder.name, name)) continue
      const changed = (await ifExists(stat(blobPath(blobsDir, folder.name, name))))?.ctimeMs ?? Infinity
      if (changed > now - HOUR) continue
      unnamed++
      if (orphans.length < MAX_LISTED) orphans.push({ owner: folder.name, id: name })
    }
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
    return await isRawReferenced(store, owner, id)
  } catch (error) {
    if (error instanceof SyntaxError) return true
    throw error
  }
}

async function openFolder(dir: string): Promise<AsyncIterable<Dirent> | Iterable<Dirent>> {
  return (await ifExists(opendir(dir))) ?? []
}
