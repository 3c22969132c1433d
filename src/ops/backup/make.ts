/**
 * Makes a backup of a data folder that is in use.
 *
 * It is a snapshot: LMDB copies the database in one read transaction, so the copy has all commits up to a moment and nothing of later ones. Everything
 * acknowledged was durable before its response, so everything acknowledged before the backup is in it. Files are written before the commit of their record
 * and never change, so each file with a record in the copy existed at that moment. Files deleted later go to the trash, which is kept until the backup
 * ends, so each is found in its place or there. Secrets never change; a DKIM key that changes its state is renamed, and then its folder is read again.
 *
 * The database is copied to `<data_dir>/backup.work`, so nothing unencrypted is ever in the folder of backups. The backup has a temporary name until it is
 * complete and on the disk.
 */
import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { hasCode, messageOf } from '../../lib/thrown.js'
import { timestamp } from '../../lib/clock.js'
import { syncFolder } from '../../lib/files.js'
import { mailboxIds } from '../../mailbox/all-mailboxes.js'
import { openLmdb, type LmdbEngine } from '../../store/engines/lmdb/lmdb.js'
import { readSchema } from '../../store/schema-version.js'
import { createStore } from '../../store/store.js'
import type { Blobs } from '../../store/types.js'
import { blobPieces, contentOf } from './blob-pieces.js'
import { blobsOfMailbox, type BlobRef } from './blob-refs.js'
import {
  BackupError,
  BLOB_LIST_FILE,
  FORMAT_VERSION,
  HEADER_FILE,
  MANIFEST_FILE,
  partialOf,
  STORE_FILE,
  type Header,
  type Manifest,
  type Part,
} from './format.js'
import { checkRoom, watchRoom } from './free-space.js'
import { seal, type BackupKey } from './encryption.js'
import { readSmallFiles, type SmallFileSources } from './small-files.js'
import { TAR_END, tarHeader, tarPadding } from './tar.js'

/** In the data folder. Nobody else works there: who makes a backup has the folder's lock. */
export const WORK_FOLDER = 'backup.work'
/** Mail and JSON shrink by half at the lowest level; the higher ones take several times as long for a few percent. */
const GZIP_LEVEL = constants.Z_BEST_SPEED

export interface MakeDeps extends SmallFileSources {
  copyStore: LmdbEngine['copy']
  blobs: Pick<Blobs, 'keepTrash' | 'read' | 'findInTrash'>
  /** Undefined: it is not encrypted. */
  key: BackupKey | undefined
  /** For the manifest. */
  about: Pick<Manifest, 'restante_version' | 'domains' | 'files_elsewhere'>
  /** Space to keep free on the disk of the data folder. */
  minFreeBytes: number
  /** Bytes that can still be written in a folder; those of the file system when not given. */
  freeBytes?: ((dir: string) => Promise<number>) | undefined
}

export interface MakeOptions {
  /** Path of the backup. Must not be there. */
  file: string
  /** Milliseconds since the epoch. */
  at: number
  signal: AbortSignal
  onProgress?: (progress: { bytesDone: number; bytesTotal: number }) => void
}

export interface MadeBackup {
  file: string
  /** Size of the file. */
  bytes: number
  manifest: Manifest
}

/**
 * Memory is bounded, whatever the mailboxes hold.
 *
 * @returns when it is on the disk
 * @throws BackupError that says what is in the way, or the signal's reason; nothing is left of it then
 */
export async function makeBackup(deps: MakeDeps, options: MakeOptions): Promise<MadeBackup> {
  const { file } = options
  const work = join(deps.dataDir, WORK_FOLDER)
  const partial = partialOf(file)
  const letTrashGo = deps.blobs.keepTrash()
  try {
    if ((await sizeOf(file)) !== undefined)
      throw new BackupError(`${file} is there already. Name another file, or remove it`)
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    // Files of a process that died.
    await rm(work, { recursive: true, force: true })
    await rm(partial, { force: true })
    await mkdir(join(work, 'store'), { recursive: true, mode: 0o700 })
    const found = await copyAndLook(deps, options, work)
    const manifest = await write(deps, options, work, found)
    await rename(partial, file)
    await syncFolder(dirname(file))
    return { file, bytes: (await stat(file)).size, manifest }
  } catch (error) {
    options.signal.throwIfAborted()
    await removeIfThere(partial)
    throw inWords(error, file)
  } finally {
    letTrashGo()
    await rm(work, { recursive: true, force: true })
    if (options.signal.aborted) await removeIfThere(partial)
  }
}

interface Found {
  storeBytes: number
  schemaVersion: number
  mailboxes: number
  blobs: number
  blobBytes: number
}

/** Copies the database, and writes down which files it names. */
async function copyAndLook(deps: MakeDeps, { file, signal }: MakeOptions, work: string): Promise<Found> {
  const room = { dataDir: deps.dataDir, minFreeBytes: deps.minFreeBytes, freeBytes: deps.freeBytes }
  const live = (await sizeOf(join(deps.dataDir, 'store', 'data.mdb'))) ?? 0
  await checkRoom(room, deps.dataDir, live)
  await deps.copyStore(join(work, 'store'))
  signal.throwIfAborted()
  const store = createStore(openLmdb({ path: join(work, 'store'), readOnly: true }))
  const list = await open(join(work, 'blobs.list'), 'wx', 0o600)
  const found: Found = { storeBytes: 0, schemaVersion: 0, mailboxes: 0, blobs: 0, blobBytes: 0 }
  try {
    found.schemaVersion = (await readSchema(store))?.version ?? 0
    let lines = ''
    for await (const mailboxId of mailboxIds(store, signal)) {
      found.mailboxes++
      for await (const { owner, id, bytes } of blobsOfMailbox(store, mailboxId)) {
        found.blobs++
        found.blobBytes += bytes
        lines += `${owner} ${id} ${bytes}\n`
        if (lines.length < 64 * 1024) continue
        await list.write(lines)
        lines = ''
      }
    }
    await list.write(lines)
    signal.throwIfAborted()
  } finally {
    await list.close()
    await store.close()
  }
  found.storeBytes = (await sizeOf(join(work, 'store', 'data.mdb'))) ?? 0
  await checkRoom(room, dirname(file), Math.ceil(found.storeBytes / 2 + (found.blobBytes * 3) / 4))
  return found
}

/** Writes the backup under the name it has until it is whole. */
async function write(deps: MakeDeps, options: MakeOptions, work: string, found: Found): Promise<Manifest> {
  const { at, file } = options
  const bytesTotal = found.storeBytes + found.blobBytes
  const header: Header = {
    format_version: FORMAT_VERSION,
    schema_version: found.schemaVersion,
    restante_version: deps.about.restante_version,
    created_at: timestamp(at),
  }
  const parts: Part[] = []
  const blobs = { count: 0, bytes: 0, missing: 0 }
  let bytesDone = 0
  let manifest: Manifest | undefined

  async function* small(name: string, content: Buffer): AsyncGenerator<Buffer> {
    parts.push({ name, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') })
    yield Buffer.concat([tarHeader({ name, bytes: content.length }, at), content, tarPadding(content.length)])
  }
  async function* large(name: string, path: string): AsyncGenerator<Buffer> {
    const handle = await open(path, 'r')
    try {
      const bytes = (await handle.stat()).size
      const hash = createHash('sha256')
      yield tarHeader({ name, bytes }, at)
      yield* contentOf(handle, bytes, (piece) => hash.update(piece))
      yield tarPadding(bytes)
      parts.push({ name, bytes, sha256: hash.digest('hex') })
    } finally {
      await handle.close()
    }
  }
  async function* contents(sums: FileHandle): AsyncGenerator<Buffer> {
    yield* small(HEADER_FILE, jsonOf(header))
    yield* large(STORE_FILE, join(work, 'store', 'data.mdb'))
    const pieces = blobPieces(
      {
        blobs: deps.blobs,
        at,
        onBlob: async (line, bytes) => {
          blobs.count++
          blobs.bytes += bytes
          await sums.write(line)
        },
        onMissing: () => void blobs.missing++,
      },
      listed(join(work, 'blobs.list')),
    )
    yield* pieces
    yield* large(BLOB_LIST_FILE, join(work, BLOB_LIST_FILE))
    for (const { name, content } of await readSmallFiles(deps)) yield* small(name, content)
    manifest = {
      ...header,
      ...deps.about,
      data_dir: deps.dataDir,
      dkim_dir: deps.dkimDir,
      config_dir: deps.configDir ?? null,
      mailboxes: found.mailboxes,
      blobs,
      parts: [...parts],
    }
    yield* small(MANIFEST_FILE, jsonOf(manifest))
    yield TAR_END
  }
  async function* counted(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of source) {
      bytesDone += piece.length
      options.onProgress?.({ bytesDone: Math.min(bytesDone, bytesTotal), bytesTotal })
      yield piece
    }
  }

  const sums = await open(join(work, BLOB_LIST_FILE), 'wx', 0o600)
  try {
    const output = createWriteStream(partialOf(file), { flags: 'wx', mode: 0o600, flush: true })
    const source = Readable.from(counted(contents(sums)), { objectMode: false })
    const gzip = createGzip({ level: GZIP_LEVEL })
    const room = Duplex.from(watchRoom(deps))
    const { signal } = options
    if (deps.key) await pipeline(source, gzip, Duplex.from(seal(deps.key)), room, output, { signal })
    else await pipeline(source, gzip, room, output, { signal })
  } finally {
    await sums.close()
  }
  if (!manifest) throw new Error('The backup has no manifest')
  return manifest
}

async function* listed(path: string): AsyncGenerator<BlobRef> {
  const file = await open(path, 'r')
  try {
    for await (const line of file.readLines({ autoClose: false })) {
      const [owner = '', id = '', bytes] = line.split(' ')
      yield { owner, id, bytes: Number(bytes) }
    }
  } finally {
    await file.close()
  }
}

function jsonOf(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await rm(path)
  } catch (error) {
    // Also where its folder could not be made.
    if (!hasCode(error, 'ENOENT') && !hasCode(error, 'ENOTDIR')) throw error
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

const IN_WORDS: [code: string, words: string][] = [
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota of this user is used up'],
  ['EACCES', 'this user may not write there'],
  ['EPERM', 'this user may not write there'],
  ['ENOTDIR', 'a part of its path is a file'],
  ['EROFS', 'nothing can be written there'],
]

function inWords(error: unknown, file: string): unknown {
  if (error instanceof BackupError) return error
  const known = IN_WORDS.find(([code]) => hasCode(error, code))
  return new BackupError(`Could not write ${file}: ${known?.[1] ?? messageOf(error)}. Nothing is left of it`, error)
}
