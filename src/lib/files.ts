/** Files that are on the disk when the promise resolves. */
import { mkdir, open, rename, rm, unlink } from 'node:fs/promises'
import { dirname } from 'node:path'

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

/** Makes a folder that only its owner may enter, with those above it, unless it is there. */
export async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let above = dirname(path); ; above = dirname(above)) {
    await syncFolder(above)
    if (above === dirname(first)) return
  }
}
