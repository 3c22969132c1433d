/**
 * Files beside the store, for what is too large to ride in a commit: `<dir>/<owner>/<id>`. A blob never changes. It appears whole or
 * not at all (written aside, synced, renamed), and when `put` or `link` has resolved it survives a power cut, so that a commit
 * may name it.
 */
import { randomUUID } from 'node:crypto'
import { link, mkdir, open, opendir, readFile, rename, rmdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../lib/caught.js'
import { DAY, HOUR, type Clock } from '../lib/clock.js'
import { syncFolder, writeSynced } from '../lib/files.js'
import { blobPath, isName, TRASH, trashName } from './blob-files.js'
import type { Blobs } from './types.js'

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
}

export async function openBlobs({ dir, clock, trashMs = TRASH_AGE_MS }: BlobsOptions): Promise<Blobs> {
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

    async get(owner, id) {
      try {
        return await readFile(pathOf(owner, id))
      } catch (error) {
        throw hasCode(error, 'ENOENT') ? noBlob(owner, id, error) : error
      }
    },

    async stream(owner, id) {
      try {
        return (await open(pathOf(owner, id))).createReadStream()
      } catch (error) {
        if (hasCode(error, 'ENOENT')) return undefined
        throw error
      }
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

function noBlob(owner: string, id: string, cause: unknown): Error {
  return new Error(`There is no blob ${owner}/${id}`, { cause })
}
