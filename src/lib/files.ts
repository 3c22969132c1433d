/** Files that are on the disk when the promise resolves. */
import { open, unlink } from 'node:fs/promises'

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
