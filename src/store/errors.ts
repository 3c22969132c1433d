/** What the disk does to the store: it takes nothing now, or it no longer has what was written. */
import { causesOf, hasCode } from '../lib/thrown.js'

/** A commit or a file could not be written; the store is as it was before. Thrown with the system's error as its cause. */
export class StorageError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'StorageError'
  }
}

/** The answer to a commit was lost on its way. `Engine.fate` says what became of it. */
export class FateUnknownError extends Error {
  constructor(options?: { cause?: unknown }) {
    super('The answer to a commit was lost', options)
    this.name = 'FateUnknownError'
  }
}

/** Full, over its quota, or mounted read-only since it failed. */
const DISK_CODES = ['ENOSPC', 'EDQUOT', 'EROFS']

/** Whether an error, or one that it was caused by, comes from a disk that takes nothing. */
export function isStorageError(error: unknown): boolean {
  return causesOf(error).some((each) => each instanceof StorageError || DISK_CODES.some((code) => hasCode(each, code)))
}

/** A blob whose bytes are not those that were written: cut, changed, or rotten. Only a backup has it as it was. */
export class DamagedBlobError extends Error {
  constructor(
    readonly owner: string,
    readonly id: string,
    what: string,
  ) {
    super(
      `The file of blob ${owner}/${id} is damaged: ${what}. "restante verify" lists what is damaged; restore it from a backup`,
    )
    this.name = 'DamagedBlobError'
  }
}

/** A sweep of blobs that would have taken too much. The message says why. */
export class SweepStoppedError extends Error {
  constructor(why: string) {
    super(
      `${why}. No file was moved, and nothing leaves the trash. "restante verify" lists what it finds; restore a backup of the store, or if these files are not wanted any more, remove their folders below blobs/ by hand`,
    )
    this.name = 'SweepStoppedError'
  }
}
