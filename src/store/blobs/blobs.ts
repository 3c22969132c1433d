/**
 * Files beside the store, for values too large for a commit: `<dir>/<owner>/<id>`. A blob never changes. It appears whole or not at all (written
 * aside, synced, renamed), and once `put` or `link` has resolved it survives a power cut, so that a commit may reference it.
 */
import { createHash, randomUUID } from 'node:crypto'
import { link, mkdir, open, opendir, rename, rmdir, stat, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/thrown.js'
import { DAY, type Clock } from '../../lib/clock.js'
import { ifExists, syncFolder, writeSynced } from '../../lib/files.js'
import { blobPath, shareOf, TRASH, trashName } from './blob-files.js'
import { changedAt, doubtOf, ORPHAN_AGE_MS, takeCensus } from './census.js'
import { DamagedBlobError, SweepStoppedError } from '../errors.js'
import type { Blobs, IsReferenced, Swept, WrittenBlob } from '../types.js'

const TRASH_AGE_MS = 7 * DAY
const WRITING = '.writing'

export interface BlobsOptions {
  /** The folder of all blobs, created (mode 0700) when missing. Must be one file system. */
  dir: string
  clock: Clock
  /** Time that deleted blobs stay in the trash; 7 days by default. */
  trashMs?: number
  /** Called for each requested file that differs from what was written. */
  onDamaged?: (error: DamagedBlobError) => void
  /** Called after each sweep; `stopped` is true if the store looks wrong. */
  onSweep?: (stopped: boolean) => void
}

export async function openBlobs(options: BlobsOptions): Promise<Blobs> {
  const { dir } = options
  for (const folder of [dir, join(dir, WRITING), join(dir, TRASH)])
    await mkdir(folder, { recursive: true, mode: 0o700 })
  return new BlobFolder(options)
}

/** An existing folder of blobs. */
class BlobFolder implements Blobs {
  readonly #options: BlobsOptions
  readonly #trashMs: number
  readonly #dir: string
  #keepers = 0
  /** The reason why the last sweep removed nothing. The trash is kept then, since its files may be needed. */
  #stopped: string | undefined

  constructor(options: BlobsOptions) {
    this.#options = options
    this.#trashMs = options.trashMs ?? TRASH_AGE_MS
    this.#dir = options.dir
  }

  async put(owner: string, id: string, data: Uint8Array): Promise<void> {
    const path = this.#pathOf(owner, id)
    const aside = join(this.#dir, WRITING, randomUUID())
    try {
      await writeSynced(aside, data)
      await this.#enter(owner, () => rename(aside, path))
    } catch (error) {
      await unlessGone(unlink(aside))
      throw new Error(`Could not write blob ${owner}/${id}`, { cause: error })
    }
  }

  async link(from: { owner: string; id: string }, to: { owner: string; id: string }): Promise<void> {
    const source = this.#pathOf(from.owner, from.id)
    const target = this.#pathOf(to.owner, to.id)
    await this.#enter(to.owner, async () => {
      try {
        await link(source, target)
      } catch (error) {
        if (hasCode(error, 'ENOENT') && (await changedAt(source)) === Infinity) throw noBlob(from.owner, from.id, error)
        // Linked before, by an interrupted attempt.
        if (hasCode(error, 'EEXIST') && (await stat(source)).ino === (await stat(target)).ino) return
        throw error
      }
    })
  }

  async get(owner: string, id: string, wrote?: WrittenBlob): Promise<Buffer> {
    const file = await this.#openIfThere(owner, id)
    if (!file) throw noBlob(owner, id)
    try {
      return await readWhole(file, this.#damageOf(owner, id), wrote)
    } finally {
      await file.close()
    }
  }

  async stream(owner: string, id: string, wrote?: WrittenBlob): ReturnType<Blobs['stream']> {
    const file = await this.#openIfThere(owner, id)
    if (!file) return undefined
    try {
      if (wrote) await compare(file, this.#damageOf(owner, id), wrote)
    } catch (error) {
      await file.close()
      throw error
    }
    return file.createReadStream({ start: 0 })
  }

  // Not synced: a blob that a power cut brings back is an orphan, and swept.
  async delete(owner: string, id: string): Promise<void> {
    await this.#toTrash(owner, id)
  }

  async emptyTrash(now: number): Promise<number> {
    let removed = 0
    for await (const { name } of await opendir(join(this.#dir, TRASH))) {
      if (this.#keepers > 0 || this.#stopped !== undefined) break
      if (Number.parseInt(name, 10) > now - this.#trashMs) continue
      if (await unlessGone(unlink(join(this.#dir, TRASH, name)))) removed++
    }
    return removed
  }

  keepTrash(): () => void {
    let keeps = true
    this.#keepers++
    return () => {
      if (keeps) this.#keepers--
      keeps = false
    }
  }

  async countTrash(): Promise<number> {
    let count = 0
    for await (const _ of await opendir(join(this.#dir, TRASH))) count++
    return count
  }

  async sweep(now: number, isReferenced: IsReferenced, storeBornAt?: number): Promise<Swept> {
    const census = await takeCensus(this.#dir, {
      now,
      isReferenced,
      storeBornAt: storeBornAt ?? Number.NEGATIVE_INFINITY,
    })
    this.#stopped = doubtOf(census)
    this.#options.onSweep?.(this.#stopped !== undefined)
    if (this.#stopped !== undefined) throw new SweepStoppedError(this.#stopped)
    const found: Swept = { orphans: 0, removed: 0 }
    for (const { owner, id } of census.listed.slice(0, shareOf(census.files))) {
      if (await this.#toTrash(owner, id)) found.orphans++
      await removeIfEmpty(join(this.#dir, owner))
    }
    if (census.orphans > census.listed.length || census.listed.length > shareOf(census.files))
      found.left = census.orphans - found.orphans
    for (const owner of census.empty) await removeIfEmpty(join(this.#dir, owner))
    found.removed = await this.emptyTrash(now)
    for await (const { name } of await opendir(join(this.#dir, WRITING))) {
      const path = join(this.#dir, WRITING, name)
      if ((await changedAt(path)) <= now - ORPHAN_AGE_MS) await unlessGone(unlink(path))
    }
    return found
  }

  #pathOf(owner: string, id: string): string {
    return blobPath(this.#dir, owner, id)
  }

  /** Runs `place`, which puts a file into the owner's folder, and syncs the folder. */
  async #enter(owner: string, place: () => Promise<void>): Promise<void> {
    const folder = join(this.#dir, owner)
    for (let tries = 1; ; tries++) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      try {
        await place()
        await syncFolder(folder)
        break
      } catch (error) {
        // A sweep may have removed the empty folder in between.
        if (!hasCode(error, 'ENOENT') || tries === 3) throw error
      }
    }
    // Always, not only when this call created the folder: another call that did may not have synced it yet.
    await syncFolder(this.#dir)
  }

  #openIfThere(owner: string, id: string): Promise<FileHandle | undefined> {
    return ifExists(open(this.#pathOf(owner, id)))
  }

  #damageOf(owner: string, id: string): DamageOf {
    return (what) => {
      const error = new DamagedBlobError(owner, id, what)
      this.#options.onDamaged?.(error)
      return error
    }
  }

  #toTrash(owner: string, id: string): Promise<boolean> {
    return unlessGone(
      rename(this.#pathOf(owner, id), join(this.#dir, TRASH, trashName(this.#options.clock.now(), owner, id))),
    )
  }
}

type DamageOf = (what: string) => DamagedBlobError

/** Read and hashed in one turn of the event loop: about a millisecond. */
const PIECE_BYTES = 1024 * 1024

async function readWhole(file: FileHandle, damage: DamageOf, wrote: WrittenBlob | undefined): Promise<Buffer> {
  const { size } = await file.stat()
  if (wrote) checkSize(size, damage, wrote)
  const bytes = Buffer.allocUnsafeSlow(size)
  const hash = wrote?.sha256 === undefined ? undefined : createHash('sha256')
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(bytes, at, Math.min(PIECE_BYTES, size - at), at)
    if (bytesRead === 0) throw damage('it became shorter while being read')
    hash?.update(bytes.subarray(at, at + bytesRead))
    at += bytesRead
  }
  if (hash && hash.digest('hex') !== wrote?.sha256) throw damage(OTHER_BYTES)
  return bytes
}

/** Reads and compares the whole file and keeps nothing: later reads come from the page cache. */
async function compare(file: FileHandle, damage: DamageOf, wrote: WrittenBlob): Promise<void> {
  const { size } = await file.stat()
  checkSize(size, damage, wrote)
  if (wrote.sha256 === undefined) return
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(Math.min(PIECE_BYTES, size))
  for (let at = 0; at < size;) {
    const { bytesRead } = await file.read(piece, 0, piece.length, at)
    if (bytesRead === 0) throw damage('it became shorter while being read')
    hash.update(piece.subarray(0, bytesRead))
    at += bytesRead
  }
  if (hash.digest('hex') !== wrote.sha256) throw damage(OTHER_BYTES)
}

const OTHER_BYTES = 'its bytes differ from those that were written'

function checkSize(size: number, damage: DamageOf, { bytes }: WrittenBlob): void {
  if (size !== bytes) throw damage(`it has ${size} bytes instead of ${bytes}`)
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder)
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'ENOENT')) throw error
  }
}

/** Ignores a missing file. @returns true if it existed */
async function unlessGone(change: Promise<void>): Promise<boolean> {
  return (await ifExists(change.then(() => true))) ?? false
}

function noBlob(owner: string, id: string, cause?: unknown): Error {
  return new Error(`There is no blob ${owner}/${id}`, { cause })
}
