/** Files that are on the disk when the promise resolves. */
import { mkdir, open, rename, rm, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from './thrown.js'

/** Writes a new file that only its owner may read. @throws the file system's error; EEXIST when there is one */
export async function writeSynced(path: string, data: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(data)
    await file.sync()
  } catch (error) {
    // Half a file, on a full disk.
    await unlink(path)
    throw error
  } finally {
    await file.close()
  }
}

/**
 * Makes a folder that only its owner may enter, with those above it, unless it is there. What Node.js has for this never ends where the file system
 * takes no folder and says that something is missing, as /proc does.
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

/** Makes durable which names stand in a folder. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * Puts a file in the place of another that may be there: a crash leaves the old one or the new one, whole. For one writer at a time.
 *
 * @throws the file system's error
 */
export async function replaceSynced(path: string, data: string | Uint8Array): Promise<void> {
  const draft = `${path}.draft`
  await rm(draft, { force: true })
  await writeSynced(draft, data)
  await rename(draft, path)
  await syncFolder(dirname(path))
}
