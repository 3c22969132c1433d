/**
 * Files beside the store, for what is too large to ride in a commit: `<dir>/<owner>/<id>`. A blob never changes. It appears whole or
 * not at all (written aside, synced, renamed), and when `put` or `link` has resolved it survives a power cut, so that a commit
 * may name it.
 */
import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, open, opendir, rename, rmdir, stat, unlink } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/thrown.js'
import { DAY, HOUR, type Clock } from '../../lib/clock.js'
import { syncFolder, writeSynced } from '../../lib/files.js'
import { areTooMany, blobPath, isName, shareOf, TRASH, trashName } from './blob-files.js'
import { DamagedBlobError, SweepStoppedError } from '../errors.js'
import type { Blobs, IsReferenced, Swept, WrittenBlob } from '../types.js'

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
  /** Told after each sweep whether it stopped because the store looks wrong. */
  onSweep?: (stopped: boolean) => void
}

export async function openBlobs({
  dir,
  clock,
  trashMs = TRASH_AGE_MS,
  onDamaged,
  onSweep,
}: BlobsOptions): Promise<Blobs> {
  for (const folder of [dir, join(dir, WRITING), join(dir, TRASH)])
    await mkdir(folder, { recursive: true, mode: 0o700 })

  const pathOf = (owner: string, id: string): string => blobPath(dir, owner, id)
  let keepers = 0
  /** Why the last sweep took nothing. What is in the trash may be wanted back then. */
  let stopped: string | undefined

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

  /** What is there, and what of it nobody names. Nothing is changed. */
  const takeCensus = async (now: number, isReferenced: IsReferenced, storeBornAt: number): Promise<Census> => {
    const census: Census = { files: 0, orphans: 0, older: 0, listed: [], empty: [] }
    for await (const folder of await opendir(dir)) {
      if (!folder.isDirectory() || !isName(folder.name)) continue
      let names = 0
      for await (const { name: id } of await opendir(join(dir, folder.name))) {
        names++
        if (!isName(id)) continue
        census.files++
        // The change time, not the modification time: a fresh link to an old file is fresh.
        const { changed, written } = await timesOf(pathOf(folder.name, id))
        if (changed > now - ORPHAN_AGE_MS || (await isReferenced(folder.name, id))) continue
        census.orphans++
        if (written < storeBornAt - CLOCK_SLACK_MS) census.older++
        if (census.listed.length < MAX_LISTED) census.listed.push({ owner: folder.name, id })
      }
      if (names === 0) census.empty.push(folder.name)
    }
    return census
  }

  const emptyTrash = async (now: number): Promise<number> => {
    let removed = 0
    for await (const { name } of await opendir(join(dir, TRASH))) {
      if (keepers > 0 || stopped !== undefined) break
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

    async sweep(now, isReferenced, storeBornAt) {
      const census = await takeCensus(now, isReferenced, storeBornAt ?? Number.NEGATIVE_INFINITY)
      stopped = doubtOf(census)
      onSweep?.(stopped !== undefined)
      if (stopped !== undefined) throw new SweepStoppedError(stopped)
      const found: Swept = { orphans: 0, removed: 0 }
      for (const { owner, id } of census.listed.slice(0, shareOf(census.files))) {
        if (await toTrash(owner, id)) found.orphans++
        await removeIfEmpty(join(dir, owner))
      }
      if (census.orphans > census.listed.length || census.listed.length > shareOf(census.files))
        found.left = census.orphans - found.orphans
      for (const owner of census.empty) await removeIfEmpty(join(dir, owner))
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

/** Orphans that one sweep remembers; the next one finds the others. */
const MAX_LISTED = 10_000
/** The clock of a machine may have been set between the making of the store and of a file. */
const CLOCK_SLACK_MS = DAY

interface Census {
  files: number
  orphans: number
  /** Of them, written before there was a store. */
  older: number
  listed: { owner: string; id: string }[]
  /** Folders without a file. */
  empty: string[]
}

/** Why rather the store is wrong than the files that it does not name. */
function doubtOf(census: Census): string | undefined {
  const { files, orphans, older } = census
  if (older > 0)
    return `${older} of ${orphans} files that no message names were written before this store was made: it is not the one that they belong to`
  if (areTooMany(census))
    return `no message names ${orphans} of ${files} files: the store is older than they are, or another one`
  return undefined
}

/** When the file's content or its links last changed, in milliseconds; of one that is gone: just now. */
async function changedAt(path: string): Promise<number> {
  return (await timesOf(path)).changed
}

async function timesOf(path: string): Promise<{ changed: number; written: number }> {
  try {
    const { ctimeMs, mtimeMs } = await stat(path)
    return { changed: ctimeMs, written: mtimeMs }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { changed: Infinity, written: Infinity }
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
