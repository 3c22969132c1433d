/**
 * Room in the file of an LMDB database beyond its last page. The library asks the disk for room page by page while it commits, and where there is
 * none it writes a message longer than its buffer (mdb_page_flush in 3.5.6), which can end the process. So the room is made before the pages are
 * put: octets of zero at the end of the file, on the disk as any others. Where the disk has no more, a commit is refused before it begins.
 * A side effect: fdatasync seldom has a new length of the file to write.
 */
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs'
import { hasCode, messageOf } from '../../../lib/thrown.js'

/** Use of the file as of the last commit on disk. */
export interface FileUse {
  /** End of the last page that was ever used. */
  endBytes: number
  /** Octets of pages before that end that nothing refers to; the library takes them first, where enough are adjacent. */
  freeBytes: number
}

export interface Room {
  /**
   * Takes room for a commit. Within its write transaction: then no other process adds to the file.
   *
   * @throws Error when the disk is full; its cause is the system's
   */
  take(need: Need): void
  /** A commit that took it has ended, well or not: what it used is in `use` from now on. */
  ended(need: Need): void
}

/** The file grows by this much, or by more when a commit needs more: one write of half a millisecond. */
const STEP = 1024 * 1024
/** Only commits that delete something, and so make room, may take the last of it. */
const RESERVE = 256 * 1024
/** Free pages needed in a full file, as a multiple of the commit: readers still hold some, and large values need adjacent ones. */
const FREE_TIMES = 4

const PAGE_BYTES = 4_096
const ZEROS = Buffer.alloc(STEP)

/** Upper estimate of a commit's growth of the file. */
export interface Need {
  bytes: number
  deletes: boolean
}

/**
 * Values in whole pages, a page of the tree for each, and the path to them; of deletions many are in one page. Rare splits high up may add to it.
 *
 * @param values of the rows; null deletes
 */
export function neededFor(values: readonly (Uint8Array | null)[]): Need {
  let pages = 4
  let deletes = false
  for (const value of values) {
    pages += value === null ? 1 / 8 : 1 + Math.ceil(value.length / PAGE_BYTES)
    deletes ||= value === null
  }
  return { bytes: Math.ceil(pages) * PAGE_BYTES, deletes }
}

/** @param path of the file */
export function createRoom(path: string, use: () => FileUse): Room {
  /** Left for commits as far as is known; the truth is looked up when it runs out. */
  let left = 0
  let taken = 0

  function look(least: number): void {
    const now = use()
    const file = openSync(path, 'r+')
    try {
      let size = fstatSync(file).size
      const wanted = now.endBytes + taken + least
      try {
        // Up to a whole step, for the sake of the next commits.
        while (size < wanted) size += writeSync(file, ZEROS, 0, STEP - (size % STEP), size)
      } catch (error) {
        if (!isFull(error)) throw error
        size = fstatSync(file).size
        if (size < wanted && now.freeBytes < FREE_TIMES * (taken + least))
          throw new Error(`the disk is full (${messageOf(error)})`, { cause: error })
      }
      left = Math.max(size - now.endBytes - taken, least)
    } finally {
      closeSync(file)
    }
  }

  return {
    take({ bytes, deletes }) {
      const least = deletes ? bytes : bytes + RESERVE
      if (left < least) look(least)
      left -= bytes
      taken += bytes
    },
    ended({ bytes }) {
      taken -= bytes
    },
  }
}

function isFull(error: unknown): boolean {
  return hasCode(error, 'ENOSPC') || hasCode(error, 'EDQUOT') || hasCode(error, 'EFBIG')
}
