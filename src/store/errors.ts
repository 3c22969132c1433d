/** Errors of the disk below the store: writes that fail, and damaged data. */
import { causesOf, hasCode } from '../lib/thrown.js'

/** A commit or a file could not be written; the store is unchanged. The cause is the system's error. */
export class StorageError extends Error {
  override name = 'StorageError'
}

/** The database of a shared store is away, or another daemon works on it; nothing was changed. */
export class UnreachableStoreError extends StorageError {
  override name = 'UnreachableStoreError'
}

/** True if an error, or one of its causes, comes from a database that is away. */
export function isUnreachable(error: unknown): boolean {
  return causesOf(error).some((each) => each instanceof UnreachableStoreError)
}

/** The response to a commit was lost. `Engine.fate` finds out if it happened. */
export class FateUnknownError extends Error {
  constructor(options?: { cause?: unknown }) {
    super('The response to a commit was lost', options)
    this.name = 'FateUnknownError'
  }
}

/** Full, over quota, or mounted read-only after a failure. */
const DISK_CODES = ['ENOSPC', 'EDQUOT', 'EROFS']

/** True if an error, or one of its causes, comes from a disk that refuses writes. */
export function isStorageError(error: unknown): boolean {
  return causesOf(error).some((each) => each instanceof StorageError || DISK_CODES.some((code) => hasCode(each, code)))
}

/** A blob whose bytes differ from those written: cut, changed, or rotten. Only a backup has the original. */
export class DamagedBlobError extends Error {
  constructor(
    readonly owner: string,
    readonly id: string,
    what: string,
  ) {
    super(
      `The file of blob ${owner}/${id} is damaged: ${what}. "restante verify" lists damaged files; restore them from a backup`,
    )
    this.name = 'DamagedBlobError'
  }
}

/** A sweep of blobs that would have removed too much. The message has the reason. */
export class SweepStoppedError extends Error {
  constructor(why: string) {
    super(
      `${why}. No file was moved, and the trash is kept. "restante verify" lists what it finds; restore a backup of the store, or if these files are not needed, remove their folders below blobs/ by hand`,
    )
    this.name = 'SweepStoppedError'
  }
}
