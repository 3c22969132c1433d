/**
 * Reads the file of an LMDB database without mapping it. The library maps the file and follows the numbers in it: a truncated or overwritten file
 * ends the process by SIGBUS or SIGSEGV, without a message. Here every number is checked before it is followed.
 * The format is LMDB's data version 2, little-endian on all supported platforms. A meta page has, by offsets from its start: magic (4 octets at 24),
 * version (4 at 28), two trees (48 each, at 48 the free pages, at 96 the rows), the last page (8 at 144), and the number of the commit (8 at 152).
 * Pages of the trees are in lmdb-pages.ts.
 * A commit writes new pages, then the older one of the two meta pages; so the newer meta page leads to everything.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { hasCode } from '../../../lib/thrown.js'

/** The file is not a whole database. The message describes the damage, without a final dot. */
export class DamagedStoreError extends Error {
  override name = 'DamagedStoreError'
}

/** A database as of its newest commit. */
export interface LmdbFile {
  sizeBytes: number
  pageBytes: number
  /** Number of the last page that was ever used. */
  lastPage: number
  /** Grows with every commit. */
  commit: number
  /** The tree of rows. */
  rows: Tree
  /** The tree of reusable pages. */
  free: Tree
  /** Identifies the file regardless of its name: a replacement has another inode. */
  inode: number
}

export interface Tree {
  /** Undefined when it has no entries. */
  root: number | undefined
  depth: number
  branchPages: number
  leafPages: number
  overflowPages: number
  entries: number
}

const MAGIC = 0xbeefc0de
const DATA_VERSION = 2
const META_BYTES = 168
const NO_PAGE = 0xffffffffffffffffn
const META_FLAG = 0x08
/** Max levels that the library can follow. */
const MAX_DEPTH = 32
/** While another process commits, a meta page may be read half old and half new. */
const META_TRIES = 5

/** Runs `read` over an open file. @returns undefined when there is none */
export function withFile<T>(path: string, read: (file: number) => T): T | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
  try {
    return read(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Reads the newer one of the two meta pages.
 *
 * @returns undefined for an empty file: the library makes a new database there
 * @throws DamagedStoreError when one of them is invalid
 */
export function readMeta(file: number): LmdbFile | undefined {
  for (let tries = 1; ; tries++) {
    try {
      return newest(file)
    } catch (error) {
      if (tries === META_TRIES || !(error instanceof DamagedStoreError)) throw error
    }
  }
}

function newest(file: number): LmdbFile | undefined {
  if (fstatSync(file).size === 0) return undefined
  const first = metaOf(file, 0, 0)
  const second = metaOf(file, 1, first.pageBytes)
  // Size after meta page: a commit extends the file before it writes its meta page.
  const { size, ino } = fstatSync(file)
  return { ...(second.commit > first.commit ? second : first), sizeBytes: size, inode: ino }
}

function metaOf(file: number, page: number, at: number): Omit<LmdbFile, 'sizeBytes' | 'inode'> {
  const bytes = Buffer.alloc(META_BYTES)
  if (readSync(file, bytes, 0, META_BYTES, at) < META_BYTES)
    throw new DamagedStoreError('it was cut short: its first two pages, which lead to all others, are incomplete')
  const wrong = (what: string): DamagedStoreError =>
    new DamagedStoreError(`its page ${page}, which leads to all others, is damaged: ${what}`)
  if (bytes.readUInt32LE(24) !== MAGIC || (bytes.readUInt16LE(18) & META_FLAG) === 0)
    throw wrong('it does not begin like a database')
  if (bytes.readUInt32LE(28) !== DATA_VERSION) throw wrong(`its version is ${bytes.readUInt32LE(28)}`)
  const pageBytes = bytes.readUInt32LE(48)
  if (pageBytes < 512 || pageBytes > 65_536 || (pageBytes & (pageBytes - 1)) !== 0 || (at !== 0 && at !== pageBytes))
    throw wrong(`pages of ${pageBytes} bytes`)
  const lastPage = numberAt(bytes, 144)
  const commit = numberAt(bytes, 152)
  const trees = { free: treeAt(bytes, 48, lastPage), rows: treeAt(bytes, 96, lastPage) }
  const { free, rows } = trees
  if (lastPage === undefined || lastPage < 1 || commit === undefined || free === undefined || rows === undefined)
    throw wrong('its page numbers are invalid')
  return { pageBytes, lastPage, commit, free, rows }
}

/** Undefined for numbers larger than any file. */
function numberAt(bytes: Buffer, at: number): number | undefined {
  const number = bytes.readBigUInt64LE(at)
  return number > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(number)
}

/** Undefined for a tree that no database of so many pages can have. */
function treeAt(bytes: Buffer, at: number, lastPage = 0): Tree | undefined {
  const depth = bytes.readUInt16LE(at + 6)
  const [branchPages, leafPages, overflowPages, entries] = [8, 16, 24, 32].map((each) => numberAt(bytes, at + each))
  const isEmpty = bytes.readBigUInt64LE(at + 40) === NO_PAGE
  const root = isEmpty ? undefined : numberAt(bytes, at + 40)
  if (branchPages === undefined || leafPages === undefined || overflowPages === undefined || entries === undefined)
    return undefined
  const pages = branchPages + leafPages + overflowPages
  const fits = isEmpty
    ? pages === 0 && entries === 0 && depth === 0
    : root !== undefined && root >= 2 && root <= lastPage && pages <= lastPage && depth >= 1 && depth <= MAX_DEPTH
  return fits ? { root, depth, branchPages, leafPages, overflowPages, entries } : undefined
}
