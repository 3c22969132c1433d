/** Whether the store can still be read while the daemon runs: its file may be removed, cut or overwritten under it, and mail that is taken then is lost. */
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
 * To be made once the store is open and has its first row.
 *
 * @returns looks at the file's first pages and at one row; what is wrong, in words, or undefined. Two reads of the file, and one of the store
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
      // What is read beyond the end would end the process.
      if (file.sizeBytes < longest) return `${path} was cut short, from ${longest} to ${file.sizeBytes} bytes`
      longest = file.sizeBytes
      if (!(await readSchema(store))) return `${path} has lost its first row`
      return undefined
    } catch (error) {
      return `${path} can not be read: ${messageOf(error)}`
    }
  }
}
