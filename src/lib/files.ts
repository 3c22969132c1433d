/** Files: durable when the promise resolves, or missing. */
import { mkdir, open, rename, rm, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from './thrown.js'

/** The result of an operation on a file or folder; undefined if that does not exist. @param codes further errors that mean the same */
export async function ifExists<T>(operation: Promise<T>, ...codes: string[]): Promise<T | undefined> {
  try {
    return await operation
  } catch (error) {
    if (['ENOENT', ...codes].some((code) => hasCode(error, code))) return undefined
    throw error
  }
}

/** Writes a new file that only its owner may read. @throws the file system's error; EEXIST when it exists */
export async function writeSynced(path: string, data: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(data)
    await file.sync()
  } catch (error) {
    // An incomplete file, on a full disk.
    await unlink(path)
    throw error
  } finally {
    await file.close()
  }
}

/**
 * Creates a folder that only its owner may enter, with missing parents; does nothing if it exists. Node's own function never ends where the file
 * system refuses a folder with ENOENT, as /proc does.
 *
 * @throws the file system's error
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeOne(path)
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error
    await makeFolder(dirname(path))
    await makeOne(path)
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return
    throw error
  }
  await syncFolder(dirname(path))
}

/** Makes the entries of a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Replaces a file: a crash leaves the old or the new one, whole. For one writer at a time. @throws the file system's error */
export async function replaceSynced(path: string, data: string | Uint8Array): Promise<void> {
  const draft = `${path}.draft`
  await rm(draft, { force: true })
  await writeSynced(draft, data)
  await rename(draft, path)
  await syncFolder(dirname(path))
}
