/**
 * Files beside the store, for what is too large to ride in a commit: `<dir>/<owner>/<id>`. A blob never changes. It appears whole or
 * not at all (written aside, synced, renamed), and when `put` or `link` has resolved it survives a power cut, so that a commit
 * may name it.
 */
import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, open, opendir, rename, rmdir, stat, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../lib/caught.js'
import { DAY, HOUR, type Clock } from '../lib/clock.js'
import { syncFolder, writeSynced } from '../lib/files.js'
import { blobPath, isName, TRASH, trashName } from './blob-files.js'
import { DamagedBlobError } from './errors.js'
import type { Blobs, WrittenBlob } from './types.js'

/** Between writing a blob and committing what names it; what is older and unnamed is an orphan. */
const ORPHAN_AGE_MS = HOUR
const TRASH_AGE_MS = 7 * DAY
const WRITING = '.writing'

export interface BlobsOptions {
  /** The folder of all blobs, made (mode 0700) when it is missing. Must be one file system. */
  dir: string
  clock: Clock
  /** How long what was deleted stays in the trash; 7 days when not given. */
  trashMs?: number
  /** Told of each file that was asked for and is not what was written. */
  onDamaged?: (error: DamagedBlobError) => void
}

export async function openBlobs({ dir, clock, trashMs = TRASH_AGE_MS, onDamaged }: BlobsOptions): Promise<Blobs> {
  for (const folder of [dir, join(dir, WRITING), join(dir, TRASH)])
    await mkdir(folder, { recursive: true, mode: 0o700 })

  const pathOf = (owner: string, id: string): string => blobPath(dir, owner, id)
  let keepers = 0

  /** Lets `place` put a file into the owner's folder, and makes that durable. */
  const enter = async (owner: string, place: () => Promise<void>): Promise<void> => {
    const folder = join(dir, owner)
    for (let tries = 1; ; tries++) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      try {
        await place()
        await syncFolder(folder)
        break
      } catch (error) {
        // A sweep may have removed the folder as empty in between.
        if (!hasCode(error, 'ENOENT') || tries === 3) throw error
      }
    }
    // Always, not only when this call made the folder: whoever made it may not have come to its own sync yet.
    await syncFolder(dir)
  }

  const openIfThere = async (owner: string, id: string): Promise<FileHandle | undefined> => {
    try {
      return await open(pathOf(owner, id))
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined
      throw error
    }
  }

  const damageOf =
    (owner: string, id: string): DamageOf =>
    (what) => {
      const error = new DamagedBlobError(owner, id, what)
      onDamaged?.(error)
      return error
    }

  const toTrash = (owner: string, id: string): Promise<boolean> =>
    unlessGone(rename(pathOf(owner, id), join(dir, TRASH, trashName(clock.now(), owner, id))))

  const emptyTrash = async (now: number): Promise<number> => {
    let removed = 0
    for await (const { name } of await opendir(join(dir, TRASH))) {
      if (keepers > 0) break
      if (Number.parseInt(name, 10) > now - trashMs) continue
      if (await unlessGone(unlink(join(dir, TRASH, name)))) removed++
    }
    return removed
  }

  return {
    async put(owner, id, data) {
      const path = pathOf(owner, id)
      const aside = join(dir, WRITING, randomUUID())
      try {
        await writeSynced(aside, data)
        await enter(owner, () => rename(aside, path))
      } catch (error) {
        await unlessGone(unlink(aside))
        throw new Error(`Could not write blob ${owner}/${id}`, { cause: error })
      }
    },

    async link(from, to) {
      const source = pathOf(from.owner, from.id)
      const target = pathOf(to.owner, to.id)
      await enter(to.owner, async () => {
        try {
          await link(source, target)
        } catch (error) {
          if (hasCode(error, 'ENOENT') && (await changedAt(source)) === Infinity)
            throw noBlob(from.owner, from.id, error)
          // Linked before, by a try that was cut off.
          if (hasCode(error, 'EEXIST') && (await stat(source)).ino === (await stat(target)).ino) return
          throw error
        }
      })
    },

    async get(owner, id, wrote) {
      const file = await openIfThere(owner, id)
      if (!file) throw noBlob(owner, id)
      try {
        return await readWhole(file, damageOf(owner, id), wrote)
      } finally {
        await file.close()
      }
    },

    async stream(owner, id, wrote) {
      const file = await openIfThere(owner, id)
      if (!file) return undefined
      try {
        if (wrote) await compare(file, damageOf(owner, id), wrote)
      } catch (error) {
        await file.close()
        throw error
      }
      return file.createReadStream({ start: 0 })
    },

    // Not synced: a blob that a power cut brings back is an orphan, and swept.
    async delete(owner, id) {
      await toTrash(owner, id)
    },

    emptyTrash,

    keepTrash() {
      let keeps = true
      keepers++
      return () => {
        if (keeps) keepers--
        keeps = false
      }
    },

    async countTrash() {
      let count = 0
      for await (const _ of await opendir(join(dir, TRASH))) count++
      return count
    },

    async sweep(now, isReferenced) {
      const found = { orphans: 0, removed: 0 }
      for await (const folder of await opendir(dir)) {
        if (!folder.isDirectory() || !isName(folder.name)) continue
        let left = 0
        for await (const file of await opendir(join(dir, folder.name))) {
          left++
          const { name: id } = file
          // The change time, not the modification time: a fresh link to an old file is fresh.
          if (!isName(id) || (await changedAt(pathOf(folder.name, id))) > now - ORPHAN_AGE_MS) continue
          if (await isReferenced(folder.name, id)) continue
          if (await toTrash(folder.name, id)) found.orphans++
          left--
        }
        if (left === 0) await removeIfEmpty(join(dir, folder.name))
      }
      found.removed = await emptyTrash(now)
      for await (const { name } of await opendir(join(dir, WRITING))) {
        const path = join(dir, WRITING, name)
        if ((await changedAt(path)) <= now - ORPHAN_AGE_MS) await unlessGone(unlink(path))
      }
      return found
    },
  }
}

type DamageOf = (what: string) => DamagedBlobError

/** Read and hashed between two turns of the event loop: about a millisecond. */
const PIECE_BYTES = 1024 * 1024

async function readWhole(file: FileHandle, damage: DamageOf, wrote: WrittenBlob | undefined): Promise<Buffer> {
  const { size } = await file.stat()
  if (wrote) checkSize(size, damage, wrote)
  const bytes = Buffer.allocUnsafeSlow(size)
  const hash = wrote?.sha256 === undefined ? undefined : createHash('sha256')
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(bytes, at, Math.min(PIECE_BYTES, size - at), at)
    if (bytesRead === 0) throw damage('it became shorter while it was read')
    hash?.update(bytes.subarray(at, at + bytesRead))
    at += bytesRead
  }
  if (hash && hash.digest('hex') !== wrote?.sha256) throw damage(OTHER_BYTES)
  return bytes
}

/** Reads all of it and keeps nothing: what is handed out afterwards comes from the page cache. */
async function compare(file: FileHandle, damage: DamageOf, wrote: WrittenBlob): Promise<void> {
  const { size } = await file.stat()
  checkSize(size, damage, wrote)
  if (wrote.sha256 === undefined) return
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size))
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(piece, 0, piece.length, at)
    if (bytesRead === 0) throw damage('it became shorter while it was read')
    hash.update(piece.subarray(0, bytesRead))
    at += bytesRead
  }
  if (hash.digest('hex') !== wrote.sha256) throw damage(OTHER_BYTES)
}

const OTHER_BYTES = 'it has other bytes than were written'

function checkSize(size: number, damage: DamageOf, { bytes }: WrittenBlob): void {
  if (size !== bytes) throw damage(`it has ${size} bytes, and ${bytes} were written`)
}

/** When the file's content or its links last changed, in milliseconds; of one that is gone: just now. */
async function changedAt(path: string): Promise<number> {
  try {
    return (await stat(path)).ctimeMs
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return Infinity
    throw error
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder)
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'ENOENT')) throw error
  }
}

/** Whether it was there. */
async function unlessGone(change: Promise<void>): Promise<boolean> {
  try {
    await change
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}

function noBlob(owner: string, id: string, cause?: unknown): Error {
  return new Error(`There is no blob ${owner}/${id}`, { cause })
}
