/**
 * Walks the pages of an LMDB database without the library (lmdb-file.ts explains why): all of them for `verify`, the top of the trees at the start.
 * A page begins with its number (8 octets), the commit that wrote it (8), and its flags (2 at 18). A page of a tree continues with the ends of its
 * two halves (2 each at 20 and 22, counted from 24): from 24 on pointers (2 each, counted from 24 too) to entries, which fill it from its end. An
 * entry has sizes, flags and the length of its key in 8 octets, then key and value; in a branch the first 6 octets are the number of the page below.
 * A value that is too large for a page has pages of its own, of which the first has a header with their count (4 at 20).
 */
import { readSync } from 'node:fs'
import { DamagedStoreError, readMeta, withFile, type LmdbFile, type Tree } from './lmdb-file.js'

const HEADER_BYTES = 24
const ENTRY_BYTES = 8
const FLAG = { branch: 0x01, leaf: 0x02, overflow: 0x04 } as const
/** Flag of an entry whose value has its own pages. */
const BIG_VALUE = 0x01
/** The first two pages are the meta pages. */
const FIRST_PAGE = 2
/** For `checkTop`: the root and the level below it. */
const TOP_LEVELS = 2

/** Damage to the pages of a database. */
export interface PageFaults {
  /** Descriptions with page numbers; the first ones. */
  faults: string[]
  /** Number of further faults. */
  more: number
}

const MAX_FAULTS = 100
const PAGES_BETWEEN_REPORTS = 10_000

/**
 * Reads the meta pages, and checks the length of the file against them. Safe while others write to the file.
 *
 * @returns undefined when the file is missing or empty: the library makes a new database there
 * @throws DamagedStoreError
 */
export function readLmdbFile(path: string): LmdbFile | undefined {
  return withFile(path, (file) => {
    const meta = readMeta(file)
    if (!meta || meta.sizeBytes >= (meta.lastPage + 1) * meta.pageBytes) return meta
    // Pages at the end that were freed before they were ever written may be missing; only the trees know which.
    const { faults } = walk(file, meta, () => undefined)
    if (faults[0] === undefined) return meta
    throw new DamagedStoreError(
      `it was cut short: it has ${meta.sizeBytes} bytes, of up to ${(meta.lastPage + 1) * meta.pageBytes}, and pages are missing`,
    )
  })
}

/**
 * Reads every page of a database that nobody writes to, and compares the result with the counters in the database.
 *
 * @param onPages called now and then with the number of pages read
 * @throws DamagedStoreError when it can't even begin
 */
export function checkPages(path: string, onPages: (done: number, total: number) => void = () => undefined): PageFaults {
  const found = withFile(path, (file) => {
    const meta = readMeta(file)
    return meta && walk(file, meta, onPages)
  })
  return found ?? { faults: [], more: 0 }
}

/**
 * Checks the roots of the two trees and the pages below them, some hundred at most: every read depends on them. Nobody may write meanwhile.
 *
 * @throws DamagedStoreError
 */
export function checkTop(path: string): void {
  withFile(path, (file) => {
    const meta = readMeta(file)
    if (!meta) return
    const fail = (fault: string): never => {
      throw new DamagedStoreError(fault)
    }
    for (const tree of [meta.rows, meta.free])
      // Iterated for the faults that it reports.
      for (const _ of pagesOf(file, meta, tree, { levels: TOP_LEVELS, seen: new Set(), report: fail }));
  })
}

function walk(file: number, meta: LmdbFile, onPages: (done: number, total: number) => void): PageFaults {
  const found: PageFaults = { faults: [], more: 0 }
  const report = (fault: string): void => {
    if (found.faults.length < MAX_FAULTS) found.faults.push(fault)
    else found.more++
  }
  const seen = createPageSet(Math.floor(meta.sizeBytes / meta.pageBytes))
  let done = 0
  for (const [name, tree] of [
    ['rows', meta.rows],
    ['free pages', meta.free],
  ] as const) {
    const is = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 }
    for (const page of pagesOf(file, meta, tree, { levels: tree.depth, seen, report })) {
      is[`${page.kind}Pages`] += page.pages
      is.entries += page.entries
      if (++done % PAGES_BETWEEN_REPORTS === 0) onPages(done, meta.lastPage)
    }
    const { branchPages, leafPages, overflowPages, entries } = tree
    if (is.entries !== entries) report(`it counts ${entries} entries of its ${name}, but ${is.entries} can be reached`)
    else if (is.branchPages !== branchPages || is.leafPages !== leafPages || is.overflowPages !== overflowPages) {
      const inWords = (pages: typeof is): string => [pages.branchPages, pages.leafPages, pages.overflowPages].join(', ')
      report(`it counts ${inWords(tree)} pages of its ${name}, but ${inWords(is)} can be reached`)
    }
  }
  return found
}

/** A bit set of the pages within the file: 3 MB for a database of 100 GB. Pages beyond its end are never in it. */
function createPageSet(pages: number): WalkOptions['seen'] {
  const bits = new Uint8Array(Math.ceil(pages / 8))
  const at = (page: number): number => Math.floor(page / 8)
  return {
    has: (page) => ((bits[at(page)] ?? 0) & (1 << (page % 8))) !== 0,
    add(page) {
      if (page < pages) bits[at(page)] = (bits[at(page)] ?? 0) | (1 << (page % 8))
    },
  }
}

interface Page {
  kind: 'branch' | 'leaf' | 'overflow'
  /** Number of pages; 1 except for a large value. */
  pages: number
  /** Entries of a leaf. */
  entries: number
}

interface WalkOptions {
  /** Number of levels to walk. */
  levels: number
  seen: { has(page: number): boolean; add(page: number): void }
  report: (fault: string) => void
}

/** The pages of a tree, from its root. An invalid page is reported, and what is below it skipped. */
function* pagesOf(file: number, meta: LmdbFile, tree: Tree, { levels, seen, report }: WalkOptions): Generator<Page> {
  if (tree.root === undefined) return
  const bytes = Buffer.alloc(meta.pageBytes)
  const waiting = [{ number: tree.root, level: 1 }]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { number, level } = at
    const isLeaf = level === tree.depth
    if (seen.has(number)) {
      report(`page ${number} is referenced twice`)
      continue
    }
    seen.add(number)
    const entries = readTreePage(file, meta, number, isLeaf ? FLAG.leaf : FLAG.branch, bytes)
    if (typeof entries === 'string') {
      report(entries)
      continue
    }
    if (isLeaf) {
      yield { kind: 'leaf', pages: 1, entries: entries.length }
      yield* largeValues(file, meta, { number, bytes, entries }, report)
      continue
    }
    yield { kind: 'branch', pages: 1, entries: 0 }
    if (level === levels) continue
    for (const entry of entries) {
      const below = bytes.readUIntLE(entry, 6)
      if (isPage(meta, below)) waiting.push({ number: below, level: level + 1 })
      else report(`page ${number} refers to page ${below}, which does not exist`)
    }
  }
}

function* largeValues(
  file: number,
  meta: LmdbFile,
  { number, bytes, entries }: { number: number; bytes: Buffer; entries: number[] },
  report: (fault: string) => void,
): Generator<Page> {
  const header = Buffer.alloc(HEADER_BYTES)
  for (const entry of entries) {
    if ((bytes.readUInt16LE(entry + 4) & BIG_VALUE) === 0) continue
    const value = entry + ENTRY_BYTES + bytes.readUInt16LE(entry + 6)
    const first = value + 8 <= meta.pageBytes ? Number(bytes.readBigUInt64LE(value)) : 0
    const isThere =
      isPage(meta, first) && readSync(file, header, 0, HEADER_BYTES, first * meta.pageBytes) === HEADER_BYTES
    const pages = header.readUInt32LE(20)
    const holdsIt = HEADER_BYTES + valueBytes(bytes, entry) <= pages * meta.pageBytes
    if (!isThere || !isMarked(header, first, FLAG.overflow) || !holdsIt || !isPage(meta, first + pages - 1))
      report(`page ${first}, with a large value of page ${number}, is not what was written`)
    else if ((first + pages) * meta.pageBytes > meta.sizeBytes)
      report(`page ${first}, with a large value of page ${number}, is beyond the end of the file`)
    else yield { kind: 'overflow', pages, entries: 0 }
  }
}

/** @returns the offsets of its entries in `bytes`; a description of the damage when it is no page of a tree */
function readTreePage(
  file: number,
  { pageBytes }: LmdbFile,
  number: number,
  flag: number,
  bytes: Buffer,
): number[] | string {
  if (readSync(file, bytes, 0, pageBytes, number * pageBytes) < pageBytes)
    return `page ${number} is beyond the end of the file`
  const [lower, upper] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22)]
  const isWhole = lower % 2 === 0 && lower <= upper && upper <= pageBytes - HEADER_BYTES
  const entries: number[] = []
  if (isMarked(bytes, number, flag) && isWhole)
    for (let at = HEADER_BYTES; at < HEADER_BYTES + lower; at += 2) entries.push(bytes.readUInt16LE(at) + HEADER_BYTES)
  const fits = entries.every((entry) => {
    if (entry < upper + HEADER_BYTES || entry + ENTRY_BYTES > pageBytes) return false
    const isInPage = flag === FLAG.leaf && (bytes.readUInt16LE(entry + 4) & BIG_VALUE) === 0
    const end = entry + ENTRY_BYTES + bytes.readUInt16LE(entry + 6) + (isInPage ? valueBytes(bytes, entry) : 0)
    return end <= pageBytes
  })
  return entries.length > 0 && fits ? entries : `page ${number} is not what was written`
}

/** In a branch these octets are the page below. */
function valueBytes(bytes: Buffer, entry: number): number {
  return bytes.readUInt32LE(entry)
}

function isMarked(bytes: Buffer, number: number, flag: number): boolean {
  return Number(bytes.readBigUInt64LE(0)) === number && (bytes.readUInt16LE(18) & flag) !== 0
}

function isPage({ lastPage }: LmdbFile, number: number): boolean {
  return number >= FIRST_PAGE && number <= lastPage
}
