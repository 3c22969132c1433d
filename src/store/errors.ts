/** The fault of the disk: nothing can be stored now, and what was asked for may be asked for again. */
import { hasCode } from '../lib/caught.js'

/** A commit or a file could not be written; the store is as it was before. Thrown with the system's error as its cause. */
export class StorageError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'StorageError'
  }
}

/** Full, over its quota, or mounted read-only since it failed. */
const DISK_CODES = ['ENOSPC', 'EDQUOT', 'EROFS']

/** Whether an error comes from a disk that takes nothing, told by the store or by the system itself. */
export function isStorageError(error: unknown): boolean {
  return error instanceof StorageError || DISK_CODES.some((code) => hasCode(error, code))
}
