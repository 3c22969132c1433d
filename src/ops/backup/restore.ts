/**
 * Unpacks a backup into a new data folder.
 *
 * It unpacks everything into `<folder>/.restoring` and hashes it. Only if the manifest, which comes last, matches are the parts moved to their places, the
 * database last; then `.restoring` is removed, and while it exists no daemon starts on the folder. So an interrupted restore never looks complete, and the
 * same command starts again.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { pipeline } from 'node:stream/promises'
import { Duplex, PassThrough } from 'node:stream'
import { z } from 'zod'
import { createAudit } from '../../audit/audit.js'
import { asError, hasCode, messageOf } from '../../lib/thrown.js'
import { syncFolder } from '../../lib/files.js'
import { markRestored } from '../../mailbox/retention/continue-numbering.js'
import { openLmdb } from '../../store/engines/lmdb/lmdb.js'
import { SCHEMA_VERSION, UnfitFolderError } from '../../store/schema-version.js'
import { createStore } from '../../store/store.js'
import {
  BackupError,
  BLOB_LIST_FILE,
  FORMAT_VERSION,
  HEADER_FILE,
  headerSchema,
  MANIFEST_FILE,
  manifestSchema,
  STORE_FILE,
  type Header,
  type Manifest,
  type Part,
} from './format.js'
import { isSealed, unseal, type BackupKey } from './encryption.js'
import { readTar, TarError, type TarEntry } from './tar.js'

/** In a data folder that is being restored; a daemon refuses to start while it is there. */
const RESTORING_FOLDER = '.restoring'
/** Folder for the settings of the backup, for the operator to check. */
export const RESTORED_CONFIG = 'config.restored'
/** Contents of a folder after a restore; the database comes last. */
const PLACES = ['blobs', 'secrets', 'dkim', 'certificates', RESTORED_CONFIG, 'store'] as const

const FILE =
  /^(store\/data\.mdb|blobs\.sha256|blobs\/[A-Za-z0-9][\w-]{0,99}\/[A-Za-z0-9][\w-]{0,99}|(secrets|(?:dkim|certificates)\/[A-Za-z0-9][\w.-]{0,254}|config)\/[A-Za-z0-9_][\w.-]{0,254})$/
const MAX_JSON_BYTES = 16 * 1024 * 1024
/** Files that wait for their bytes to be on the disk. */
const MAX_SYNCING = 16

export interface RestoreOptions {
  file: string
  /** The new data folder: missing, empty, or one that an earlier restore did not come to the end of. Locked by the caller. */
  dir: string
  /** Asked for when the backup is encrypted. */
  key: () => Promise<BackupKey | undefined>
  /** The operator's user on the machine, for the audit log; null where that is not known. */
  by: string | null
  /** The time of the restore, in milliseconds since the epoch. */
  at: number
  onProgress?: (progress: { bytesDone: number; bytesTotal: number }) => void
}

/**
 * @returns when all is on the disk
 * @throws BackupError that says what is wrong; no part has its place then
 */
export async function restoreBackup(options: RestoreOptions): Promise<Manifest> {
  const { dir } = options
  await checkFolder(dir)
  const staging = join(dir, RESTORING_FOLDER)
  await clear(dir)
  await mkdir(staging, { recursive: true, mode: 0o700 })
  await syncFolder(dir)
  try {
    const manifest = await unpack(options, staging)
    await mark(join(staging, 'store'), options, manifest)
    for (const place of PLACES) {
      await mkdir(join(staging, place), { recursive: true, mode: 0o700 })
      if (place === RESTORED_CONFIG && manifest.config_dir === null) continue
      await rename(join(staging, place), join(dir, place))
      await syncFolder(dir)
    }
    await rm(staging, { recursive: true })
    await syncFolder(dir)
    return manifest
  } catch (error) {
    // Also what has its place already; the marker goes last.
    await clear(dir)
    throw inWords(error, options.file)
  }
}

/** @throws UnfitFolderError if a restore of this data folder is incomplete */
export async function refuseHalfRestored(dataDir: string): Promise<void> {
  if (!(await readdir(dataDir)).includes(RESTORING_FOLDER)) return
  throw new UnfitFolderError(
    `a restore into the data folder ${dataDir} did not come to its end. Run the same "restante restore FILE --to ${dataDir}" again; nothing was changed`,
  )
}

/** @throws BackupError when something is in the folder that no restore put there */
async function checkFolder(dir: string): Promise<void> {
  const names = (await readdir(dir)).filter((name) => !name.startsWith('lock'))
  if (names.length === 0) return
  const ours: readonly string[] = [RESTORING_FOLDER, ...PLACES]
  if (names.includes(RESTORING_FOLDER) && names.every((name) => ours.includes(name))) return
  throw new BackupError(
    `${dir} is not empty: it holds ${names.slice(0, 3).join(', ')}${names.length > 3 ? ' and more' : ''}. Name a folder that is empty or missing; nothing was changed`,
  )
}

async function clear(dir: string): Promise<void> {
  if (!(await readdir(dir)).includes(RESTORING_FOLDER)) return
  for (const place of PLACES) await rm(join(dir, place), { recursive: true, force: true })
  await rm(join(dir, RESTORING_FOLDER), { recursive: true, force: true })
}

/** Writes into the database that it was restored, for the first start on it and for the audit log, which ends where the backup was made. */
async function mark(folder: string, { file, by, at: asked }: RestoreOptions, { created_at }: Manifest): Promise<void> {
  const at = Math.max(asked, Date.parse(created_at))
  const store = createStore(openLmdb({ path: folder }))
  const log = { info: () => undefined, error: () => undefined }
  const audit = createAudit({ store, clock: { now: () => at }, retentionMs: Infinity, log })
  try {
    await markRestored(store, at)
    await audit.record({
      action: 'backup.restored',
      actor: { type: 'operator', id: null, name: by },
      subject: { name: basename(file) },
      reason: `the backup of ${created_at}`,
    })
  } finally {
    await store.close()
  }
  await syncFolder(folder)
}

/** Everything of the backup in the staging folder, checked. */
async function unpack(options: RestoreOptions, staging: string): Promise<Manifest> {
  const bytes = await openBackup(options)
  const syncing = new Set<Promise<void>>()
  const parts: Part[] = []
  const blobs = { count: 0, bytes: 0, lines: createHash('sha256') }
  const folders = new Set<string>()
  let header: Header | undefined
  let manifest: Manifest | undefined
  for await (const entry of readTar(bytes)) {
    const { name } = entry
    if (manifest) throw new BackupError(`The backup has ${name} behind its manifest`)
    if (!header) {
      if (name !== HEADER_FILE) throw new BackupError('This is no backup of Restante')
      header = parse(headerSchema, await collect(entry, parts), name)
      checkVersions(header)
    } else if (name === MANIFEST_FILE) {
      manifest = parse(manifestSchema, await collect(entry, []), name)
    } else {
      if (!FILE.test(name) || name.includes('..'))
        throw new BackupError(`The backup holds ${name}, which no backup has`)
      const path = join(staging, name.startsWith('config/') ? name.replace('config', RESTORED_CONFIG) : name)
      if (!folders.has(dirname(path))) {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        folders.add(dirname(path))
      }
      const sha256 = await unpackFile(entry, path, syncing)
      if (name.startsWith('blobs/')) {
        blobs.count++
        blobs.bytes += entry.bytes
        blobs.lines.update(`${sha256}  ${name}\n`)
      } else {
        parts.push({ name, bytes: entry.bytes, sha256 })
      }
    }
  }
  await Promise.all(syncing)
  if (!manifest || !header) throw new BackupError('The backup was cut off: it has no manifest')
  check(manifest, parts, { ...blobs, sha256: blobs.lines.digest('hex') })
  for (const folder of folders) await syncFolder(folder)
  return manifest
}

/** The tar within, whatever it is wrapped in. */
async function openBackup({ file, key, onProgress }: RestoreOptions): Promise<AsyncIterable<Buffer>> {
  const handle = await open(file, 'r')
  const bytesTotal = (await handle.stat()).size
  const beginning = Buffer.alloc(16)
  await handle.read(beginning, 0, 16, 0)
  await handle.close()
  const sealed = isSealed(beginning)
  if (!sealed && !(beginning[0] === 0x1f && beginning[1] === 0x8b))
    throw new BackupError(`${file} is no backup of Restante`)
  const known = sealed ? await key() : undefined
  if (sealed && !known)
    throw new BackupError(`${file} is encrypted. Name the file of its key with --key FILE, or in backup.key_file`)
  let bytesDone = 0
  const counted = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of source) {
      bytesDone += piece.length
      onProgress?.({ bytesDone, bytesTotal })
      yield piece
    }
  }
  const output = new PassThrough()
  const source = Duplex.from(counted(createReadStream(file)))
  const running = known
    ? pipeline(source, Duplex.from(unseal(known)), createGunzip(), output)
    : pipeline(source, createGunzip(), output)
  // An error ends the output with it, where it is thrown to whoever reads.
  running.catch((error: unknown) => output.destroy(asError(error)))
  return output
}

function checkVersions({ format_version, schema_version, restante_version }: Header): void {
  if (format_version <= FORMAT_VERSION && schema_version <= SCHEMA_VERSION) return
  throw new BackupError(
    `The backup was made by Restante ${restante_version} in a form that this version does not know (format ${format_version}, data ${schema_version}; here ${FORMAT_VERSION} and ${SCHEMA_VERSION}). Restore it with Restante ${restante_version} or later`,
  )
}

/** @throws BackupError for unexpected, missing or changed parts */
function check(manifest: Manifest, parts: Part[], blobs: { count: number; bytes: number; sha256: string }): void {
  const found = new Map(parts.map((part) => [part.name, part]))
  for (const { name, bytes, sha256 } of manifest.parts) {
    const part = found.get(name)
    if (!part) throw new BackupError(`The backup lacks ${name}`)
    if (part.bytes !== bytes || part.sha256 !== sha256) throw new BackupError(`${name} is damaged in the backup`)
    found.delete(name)
  }
  const [unknown] = found.keys()
  if (unknown !== undefined) throw new BackupError(`The backup holds ${unknown}, which its manifest does not name`)
  const list = manifest.parts.find(({ name }) => name === BLOB_LIST_FILE)
  if (!list || !manifest.parts.some(({ name }) => name === STORE_FILE))
    throw new BackupError('The manifest of the backup names no database')
  const { count, bytes } = manifest.blobs
  if (blobs.count !== count || blobs.bytes !== bytes || blobs.sha256 !== list.sha256)
    throw new BackupError(
      `A file of a message is damaged in the backup, or missing: sha256sum -c ${BLOB_LIST_FILE} in the unpacked backup says which`,
    )
}

async function collect(entry: TarEntry, parts: Part[]): Promise<Buffer> {
  if (entry.bytes > MAX_JSON_BYTES) throw new BackupError(`${entry.name} of the backup is larger than it can be`)
  const pieces: Buffer[] = []
  for await (const piece of entry.content) pieces.push(piece)
  const content = Buffer.concat(pieces)
  const sha256 = createHash('sha256').update(content).digest('hex')
  parts.push({ name: entry.name, bytes: entry.bytes, sha256 })
  return content
}

function parse<T>(schema: z.ZodType<T>, content: Buffer, name: string): T {
  let value: unknown
  try {
    value = JSON.parse(content.toString('utf8'))
  } catch (error) {
    throw new BackupError(`${name} of the backup can't be read`, error)
  }
  const read = schema.safeParse(value)
  if (read.success) return read.data
  throw new BackupError(`${name} of the backup is not as it should be: ${z.prettifyError(read.error)}`)
}

/** @returns the hash of what was written; that it is on the disk is `syncing`'s to wait for */
async function unpackFile(entry: TarEntry, path: string, syncing: Set<Promise<void>>): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const piece of entry.content) {
      hash.update(piece)
      for (let at = 0; at < piece.length;) at += (await file.write(piece, at)).bytesWritten
    }
  } catch (error) {
    await file.close()
    throw error
  }
  const synced = file.sync().finally(() => file.close())
  // Told of where it is awaited.
  synced.catch(() => undefined)
  syncing.add(synced)
  if (syncing.size >= MAX_SYNCING) {
    await Promise.all(syncing)
    syncing.clear()
  }
  return hash.digest('hex')
}

function inWords(error: unknown, file: string): unknown {
  if (error instanceof BackupError) return error
  if (error instanceof TarError) return new BackupError(`${file} is damaged: ${error.message}`, error)
  if (hasCode(error, 'Z_BUF_ERROR')) return new BackupError('The backup was cut off: its end is missing', error)
  if (hasCode(error, 'Z_DATA_ERROR')) return new BackupError(`${file} is damaged`, error)
  if (hasCode(error, 'ENOSPC')) return new BackupError('The disk is full. Nothing was restored', error)
  return new BackupError(`Could not restore ${file}: ${messageOf(error)}`, error)
}
