/**
 * The engine on one machine: LMDB, one file, one B-tree. The rows of a partition are adjacent under `<partition> 0x00 <key>`; its version is under
 * `<partition>` alone, right before them, so that a commit touches neighbouring pages. Partition names have no NUL, so the two kinds of keys never
 * collide.
 * A partition without rows leaves nothing behind, not even its name and version: names contain addresses and ids, and most partitions live for a day.
 * Versions come from one counter of the whole store, so none is repeated.
 * Durability: with `overlappingSync` off nothing is visible to anyone before fdatasync, and the promise of a transaction resolves after it. Waiting
 * commits share one fdatasync. Each is a child transaction: a throw or a changed version undoes that commit alone.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { open, type RootDatabase, type Transaction } from 'lmdb'
import { z } from 'zod'
import { messageOf } from '../../../lib/thrown.js'
import { createCommitListeners } from '../../commit-listeners.js'
import type { Engine, Range, Reader } from '../../engine.js'
import { StorageError } from '../../errors.js'
import { asBuffer, checkKey, checkPartition } from '../../keys.js'
import { createRoom, neededFor, type FileUse } from './lmdb-room.js'

export interface LmdbOptions {
  /** Folder of the database; created (mode 0700) when missing. Several processes may open it at once. */
  path: string
  /** Opens an existing database for reading only. */
  readOnly?: boolean
}

export interface LmdbEngine extends Engine {
  /**
   * Writes a snapshot of all partitions as a separate database, `data.mdb` without free pages, into an existing empty folder. It runs in a thread of
   * the library; commits don't wait for it, and later ones are not in it.
   *
   * @throws StorageError when it can't be written (disk full); the caller removes the remains then
   */
  copy(folder: string): Promise<void>
  /**
   * Number of entries that the database counts, and that a walk over all keys finds, in one snapshot: they differ only if the database is damaged.
   * Blocks the thread during the walk.
   */
  countEntries(): { counted: number; walked: number }
}

/** True if the library reports a damaged database. Its codes are those of lmdb.h, from MDB_KEYEXIST on. */
export function isDatabaseError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'number' &&
    error.code < -30_700 &&
    error.code > -30_900
  )
}

type Db = RootDatabase<Uint8Array, Buffer>

/** Reads with one see one snapshot, whatever is committed meanwhile. */
interface Moment {
  transaction: Transaction
}

/** @throws Error when it can't be created or is no LMDB database */
export function openLmdb({ path, readOnly = false }: LmdbOptions): LmdbEngine {
  if (!readOnly) mkdirSync(path, { recursive: true, mode: 0o700 })
  const db = open<Uint8Array, Buffer>({
    path,
    readOnly,
    noSubdir: false,
    encoding: 'binary',
    encoder: COPIED,
    keyEncoding: 'binary',
    maxReaders: 1024,
    overlappingSync: false,
    // Each commit is atomic as a child transaction, so a turn of the event loop need not be one as well. With it the library would keep a promise out
    // of reach, whose rejection after a failed commit (disk full) would end the process.
    eventTurnBatching: false,
  })
  const listeners = createCommitListeners()
  let closed = false

  const assertOpen = (): void => {
    if (closed) throw new Error('The store is closed')
  }

  const prefixOf = rememberingPrefix()
  const room = createRoom(join(path, 'data.mdb'), () => useOf(db))

  function numberNow(key: Buffer): bigint {
    assertOpen()
    const transaction = db.useReadTransaction()
    try {
      return numberAt(db, key, { transaction })
    } finally {
      transaction.done()
    }
  }

  return {
    wholeStore: true,

    async read(fn) {
      assertOpen()
      const transaction = db.useReadTransaction()
      try {
        return await fn(readerAt(db, prefixOf, { transaction }))
      } finally {
        transaction.done()
      }
    },

    versions: (partitions) => partitions.map((partition) => numberNow(versionKey(partition))),

    newest: () => numberNow(LAST_VERSION),

    async commit(checks, ops) {
      assertOpen()
      // Keys are checked and built before the transaction, so that errors in them don't reach it.
      const wanted = checks.map(({ partition, expect }) => ({ key: versionKey(partition), expect }))
      const writes = ops.map(({ partition, key, value }) => ({ key: rowKey(prefixOf(partition), key), value }))
      const mayEmpty = new Map<string, boolean>()
      for (const { partition, value } of ops)
        mayEmpty.set(partition, value === null && mayEmpty.get(partition) !== false)
      const need = neededFor(writes.map(({ value }) => value))
      let took = false
      let version = 0n
      let done: boolean
      try {
        done = await db.childTransaction(() => {
          if (wanted.some(({ key, expect }) => numberAt(db, key) !== expect)) return false
          if (writes.length === 0) return true
          room.take(need)
          took = true
          const last = numberAt(db, LAST_VERSION)
          version = (last < FIRST_VERSION ? FIRST_VERSION : last) + 1n
          const stamp = eightBytes(version)
          db.putSync(LAST_VERSION, stamp)
          for (const { key, value } of writes) {
            if (value === null) db.removeSync(key)
            else db.putSync(key, value)
          }
          for (const [partition, onlyDeletes] of mayEmpty) {
            if (onlyDeletes && isEmpty(db, rowPrefix(partition))) db.removeSync(versionKey(partition))
            else db.putSync(versionKey(partition), stamp)
          }
          return true
        })
      } catch (error) {
        throw new StorageError(`Could not write to ${path}: ${await reason(error)}`, { cause: error })
      } finally {
        if (took) room.ended(need)
      }
      if (!done) return 'conflict'
      const moved = new Map<string, bigint>()
      for (const partition of mayEmpty.keys()) {
        moved.set(partition, version)
        listeners.tell(partition, version)
      }
      return moved
    },

    async fate() {
      throw new Error('No response to a commit is lost within one process')
    },

    onCommit: (fn) => listeners.add(fn),

    async copy(folder) {
      assertOpen()
      try {
        await db.backup(folder, true)
      } catch (error) {
        throw new StorageError(`Could not copy the store of ${path} to ${folder}: ${messageOf(error)}`, {
          cause: error,
        })
      }
    },

    countEntries() {
      assertOpen()
      let walked = 0
      for (const _ of db.getKeys({})) walked++
      // In the same turn, so in the same snapshot as the keys.
      const { entryCount } = statsSchema.parse(db.getStats())
      return { counted: entryCount, walked }
    },

    async close() {
      if (closed) return
      closed = true
      await db.close()
    },
  }
}

function numberAt(db: Db, key: Buffer, moment?: Moment): bigint {
  const bytes = db.get(key, moment)
  return bytes === undefined ? 0n : asBuffer(bytes).readBigUInt64BE()
}

function isEmpty(db: Db, prefix: Buffer): boolean {
  for (const _ of db.getKeys({ start: prefix, end: endOfRows(prefix), limit: 1 })) return false
  return true
}

function readerAt(db: Db, prefixOf: (partition: string) => Buffer, moment: Moment): Reader {
  return {
    version: (partition) => numberAt(db, versionKey(partition), moment),

    versions: (partitions) => partitions.map((partition) => numberAt(db, versionKey(partition), moment)),

    getMany(partition, keys) {
      const prefix = prefixOf(partition)
      return keys.map((key) => db.get(rowKey(prefix, key), moment))
    },

    range(partition, { gte, lt, limit, reverse = false }: Range) {
      const prefix = prefixOf(partition)
      const low = rowKey(prefix, gte)
      const high = rowKey(prefix, lt)
      const rows: [Uint8Array, Uint8Array][] = []
      if (limit <= 0 || Buffer.compare(low, high) >= 0) return rows
      // In reverse the range starts at `lt`, which is exclusive, and ends at `gte`, which is inclusive.
      const bounds = reverse
        ? { start: high, exclusiveStart: true, end: low, inclusiveEnd: true }
        : { start: low, end: high }
      for (const row of db.getRange({ ...bounds, ...moment, limit, reverse })) {
        rows.push([row.key.subarray(prefix.length), row.value])
      }
      return rows
    },

    partitions(after, limit) {
      const names: string[] = []
      // Skips the row without a partition, then the rows of each partition.
      let from = after === '' ? Buffer.of(1) : endOfRows(rowPrefix(after))
      while (names.length < limit) {
        const [first] = db.getKeys({ start: from, ...moment, limit: 1 })
        if (first === undefined) break
        const end = first.indexOf(0)
        const name = first.toString('utf8', 0, end === -1 ? first.length : end)
        names.push(name)
        from = endOfRows(rowPrefix(name))
      }
      return names
    },
  }
}

const treeSchema = z.object({ treeBranchPageCount: z.int(), treeLeafPageCount: z.int(), overflowPages: z.int() })
const statsSchema = treeSchema.extend({
  entryCount: z.int(),
  pageSize: z.int(),
  lastPageNumber: z.int(),
  free: treeSchema,
})

/** The first two pages lead to the others. */
const META_PAGES = 2

const pagesOf = (tree: z.infer<typeof treeSchema>): number =>
  tree.treeBranchPageCount + tree.treeLeafPageCount + tree.overflowPages

/** As of the last commit that is on the disk. */
function useOf(db: Db): FileUse {
  const stats = statsSchema.parse(db.getStats())
  const pages = stats.lastPageNumber + 1
  const unused = pages - META_PAGES - pagesOf(stats) - pagesOf(stats.free)
  return { endBytes: pages * stats.pageSize, freeBytes: unused * stats.pageSize }
}

/**
 * Copies of values. The library returns its own buffer, which the next read overwrites and whose `length` it sets to the value's. A copy in Node's
 * pool of small buffers takes half the time of the library's separate allocation.
 */
const COPIED = {
  encode: (value: Uint8Array): Uint8Array => value,
  decode: (bytes: Uint8Array): Buffer => {
    const copy = Buffer.allocUnsafe(bytes.length)
    copy.set(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length))
    return copy
  },
}

function versionKey(partition: string): Buffer {
  checkPartition(partition)
  return Buffer.from(partition)
}

function rowPrefix(partition: string): Buffer {
  checkPartition(partition)
  return Buffer.from(`${partition}\0`)
}

/** Caches the prefix of rows, since consecutive operations are mostly on one partition. */
function rememberingPrefix(): (partition: string) => Buffer {
  let last: { partition: string; prefix: Buffer } | undefined
  return (partition) => {
    if (last?.partition !== partition) last = { partition, prefix: rowPrefix(partition) }
    return last.prefix
  }
}

/** Key of the newest version of any partition. No partition has this name. */
const LAST_VERSION = Buffer.of(0)
/** Greater than all versions of a store from when each partition counted its own. */
const FIRST_VERSION = 1n << 40n

/** End of a partition's rows: after the NUL of the prefix no octet is greater than 0xFF. */
function endOfRows(prefix: Buffer): Buffer {
  return Buffer.concat([prefix.subarray(0, -1), Buffer.of(1)])
}

function eightBytes(number: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(number)
  return bytes
}

function rowKey(prefix: Buffer, key: Uint8Array): Buffer {
  checkKey(key)
  const row = Buffer.allocUnsafe(prefix.length + key.length)
  row.set(prefix)
  row.set(key, prefix.length)
  return row
}

/** The library rejects with "Commit failed" and a second promise that rejects with the cause; unhandled, that would end the process. */
async function reason(error: unknown): Promise<string> {
  if (error instanceof Error && 'commitError' in error) {
    try {
      await error.commitError
    } catch (cause) {
      // A short write is reported as EIO whatever its reason, usually a full disk.
      return `${messageOf(cause)}; the disk is full or failing`
    }
  }
  return messageOf(error)
}
