/** Checks that the store is still readable while the daemon runs: if its file is removed, cut or overwritten, newly accepted mail would be lost. */
import { messageOf } from '../../lib/thrown.js'
import { storeFile } from './data-folder.js'
import { readMeta, withFile } from '../engines/lmdb/lmdb-file.js'
import { readSchema } from '../schema-version.js'
import type { Store } from '../types.js'

export interface StoreProbeDeps {
  dataDir: string
  store: Store
}

/**
 * Created once the store is open and has its first row.
 *
 * @returns a function that checks the file's first pages and one row, and returns the problem or undefined. Costs two reads of the file and one of
 *   the store
 */
export function createStoreProbe({ dataDir, store }: StoreProbeDeps): () => Promise<string | undefined> {
  const path = storeFile(dataDir)
  const look = () => withFile(path, readMeta)
  const opened = look()
  let longest = opened?.sizeBytes ?? 0
  return async () => {
    try {
      const file = look()
      if (!file) return `${path} is missing or empty`
      if (opened && file.inode !== opened.inode) return `${path} is another file than the one that was opened`
      // Reading beyond the end would end the process.
      if (file.sizeBytes < longest) return `${path} was cut short, from ${longest} to ${file.sizeBytes} bytes`
      longest = file.sizeBytes
      if (!(await readSchema(store))) return `${path} has lost its first row`
      return undefined
    } catch (error) {
      return `${path} cannot be read: ${messageOf(error)}`
    }
  }
}
