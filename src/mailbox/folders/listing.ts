/** The folders of a mailbox with their names and counts, kept in memory until the index changes: every SELECT and STATUS looks for its folder among them. */
import { createMemory } from '../../store/versioned-cache.js'
import type { Store, View } from '../../store/types.js'
import { foldersPartition } from '../keys.js'
import { type FolderRow, readFolderRows, readIndex, readNames } from './index-rows.js'
import { type NamedFolder, namedFolders } from './names.js'

/** A folder as lists show it. */
export interface ListedFolder extends NamedFolder {
  modseq: number
}

/** Of all lists kept. */
const MAX_BYTES = 16 * 1024 * 1024
const BYTES_A_FOLDER = 700

export const highestModseq = ({ modseq = 0 }: FolderRow, seq: number): number => Math.max(modseq, seq)

/** @returns a function that gives the folders as the index has them, shared by all callers. Sync first */
export function createFolderLists(store: Store) {
  const memory = createMemory<readonly ListedFolder[]>({
    store,
    maxBytes: MAX_BYTES,
    maxBytesEach: MAX_BYTES / 4,
    bytesOf: (folders) => BYTES_A_FOLDER * folders.length,
  })
  return async (mailboxId: string): Promise<readonly ListedFolder[]> => {
    const partition = foldersPartition(mailboxId)
    return memory.remember(partition, 'list', () => store.read(partition, readList))
  }
}

async function readList(view: View): Promise<readonly ListedFolder[]> {
  const seq = (await readIndex(view))?.seq ?? 0
  const folders = namedFolders(await readFolderRows(view), await readNames(view))
  return folders.map((folder) => ({ ...folder, modseq: highestModseq(folder.row, seq) }))
}
