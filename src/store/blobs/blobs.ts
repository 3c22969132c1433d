/**
 * Files beside the store, for values too large for a commit: `<dir>/<owner>/<id>`. A blob never changes. It appears whole or not at all (written
 * aside, synced, renamed), and once `put` or `link` has resolved it survives a power cut, so that a commit may reference it.
 */
import { randomUUID } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { link, mkdir, open, opendir, rename, rmdir, stat, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/thrown.js'
import type { Clock } from '../../lib/clock.js'
import { ifExists, syncFolder, writeSynced } from '../../lib/files.js'
import { blobPath, isName, readTrashName, TRASH, trashName } from './blob-files.js'
import { ORPHAN_AGE_MS } from './census.js'
import { damageOf, noBlob, type DamageOf } from './damage.js'
import { compare, readStart, readWhole, stored } from './open-file.js'
import { SweptBlobs, type SweeperOptions } from './sweeper.js'
import type { DamagedBlobError } from '../errors.js'
import type { Blobs, ListedBlob, StoredBlob, WrittenBlob } from '../types.js'

const WRITING = '.writing'

export interface BlobsOptions extends SweeperOptions {
  /** The folder of all blobs, created (mode 0700) when missing. Must be one file system. */
  dir: string
  clock: Clock
  /** Called for each requested file that differs from what was written. */
  onDamaged?: (error: DamagedBlobError) => void
}

export async function openBlobs(options: BlobsOptions): Promise<Blobs> {
  const { dir } = options
  for (const folder of [dir, join(dir, WRITING), join(dir, TRASH)])
    await mkdir(folder, { recursive: true, mode: 0o700 })
  return new BlobFolder(options)
}

/** The folder as it is, for reading: nothing is created, and a missing folder has no blobs. */
export function readBlobs(dir: string, clock: Clock): Pick<Blobs, 'read' | 'size' | 'list'> {
  return new BlobFolder({ dir, clock })
}

/** An existing folder of blobs. */
class BlobFolder extends SweptBlobs implements Blobs {
  readonly #options: BlobsOptions
  readonly #dir: string

  constructor(options: BlobsOptions) {
    super(options)
    this.#options = options
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
        if (hasCode(error, 'ENOENT') && (await this.size(from.owner, from.id)) === undefined)
          throw noBlob(from.owner, from.id, error)
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

  async head(owner: string, id: string, max: number, wrote?: Pick<WrittenBlob, 'bytes'>): Promise<Buffer> {
    const file = await this.#openIfThere(owner, id)
    if (!file) throw noBlob(owner, id)
    try {
      return await readStart(file, max, this.#damageOf(owner, id), wrote)
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

  async read(owner: string, id: string): Promise<StoredBlob | undefined> {
    return stored(this.#openIfThere(owner, id))
  }

  async size(owner: string, id: string): Promise<number | undefined> {
    return (await ifExists(stat(this.#pathOf(owner, id))))?.size
  }

  override async *list(): AsyncGenerator<ListedBlob> {
    for await (const owner of this.#owners())
      for await (const { name: id } of await entriesOf(join(this.#dir, owner)))
        if (isName(id)) yield { owner, id, ...(await timesOf(this.#pathOf(owner, id))) }
  }

  // Not synced: a blob that a power cut brings back is an orphan, and swept.
  async delete(owner: string, id: string): Promise<void> {
    await this.moveToTrash(owner, id)
  }

  async discard(owner: string, id: string): Promise<void> {
    await unlessGone(unlink(this.#pathOf(owner, id)))
  }

  protected override moveToTrash(owner: string, id: string): Promise<boolean> {
    const name = trashName(this.#options.clock.now(), owner, id)
    return unlessGone(rename(this.#pathOf(owner, id), join(this.#dir, TRASH, name)))
  }

  protected override async *listTrash(): AsyncGenerator<string> {
    for await (const { name } of await opendir(join(this.#dir, TRASH))) yield name
  }

  protected override removeFromTrash(name: string): Promise<boolean> {
    return unlessGone(unlink(join(this.#dir, TRASH, name)))
  }

  async findInTrash(wanted: ReadonlySet<string>): ReturnType<Blobs['findInTrash']> {
    const found: Awaited<ReturnType<Blobs['findInTrash']>> = new Map()
    for await (const name of this.listTrash()) {
      const { blob } = readTrashName(name)
      if (wanted.has(blob)) found.set(blob, () => stored(ifExists(open(join(this.#dir, TRASH, name)))))
    }
    return found
  }

  protected override async tidy(now: number): Promise<void> {
    for await (const owner of this.#owners()) await removeIfEmpty(join(this.#dir, owner))
    for await (const { name } of await opendir(join(this.#dir, WRITING))) {
      const path = join(this.#dir, WRITING, name)
      if ((await timesOf(path)).changedAt <= now - ORPHAN_AGE_MS) await unlessGone(unlink(path))
    }
  }

  async *#owners(): AsyncGenerator<string> {
    for await (const entry of await entriesOf(this.#dir))
      if (entry.isDirectory() && isName(entry.name)) yield entry.name
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
    return damageOf(owner, id, this.#options.onDamaged)
  }
}

async function entriesOf(dir: string): Promise<AsyncIterable<Dirent> | Iterable<Dirent>> {
  return (await ifExists(opendir(dir))) ?? []
}

/** The change time is that of a link; the modification time that of the bytes. */
async function timesOf(path: string): Promise<{ changedAt: number; writtenAt: number }> {
  const found = await ifExists(stat(path))
  return { changedAt: found?.ctimeMs ?? Infinity, writtenAt: found?.mtimeMs ?? Infinity }
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
