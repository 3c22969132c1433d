/**
 * Detects whether a data folder is new, whole or damaged by its contents, before anything is opened. A damaged folder must never pass for new: its
 * mail would be answered with 550, its keys with 401, and its files swept away.
 * A folder is new when it has no database and nothing that only a daemon with a database creates. That is `secrets/` and `blobs/`, which are created
 * after the database is on the disk, and DKIM keys that a daemon has signed with, which have a mark beside them. Keys alone are no sign, since
 * `restante setup` and `restante dkim new` create them before the first start.
 */
import { mkdir, readdir } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { ifExists, replaceSynced } from '../../lib/files.js'
import { isName, TRASH } from '../blobs/blob-files.js'
import { DamagedStoreError } from '../engines/lmdb/lmdb-file.js'
import { checkTop, readLmdbFile } from '../engines/lmdb/lmdb-pages.js'
import { UnfitFolderError } from '../schema-version.js'

export interface DataFolder {
  dataDir: string
  /** Counts only within the data folder: keys elsewhere may exist before it. */
  dkimDir: string
}

/** Marks a folder of DKIM keys as used by a daemon with a database. No domain begins with a dot. */
const USED_MARK = '.used'
const USED_TEXT =
  'A daemon with mail has signed with these keys. No other daemon starts with them unless it has that database. See docs/operations.md.\n'

export function storeFile(dataDir: string): string {
  return join(dataDir, 'store', 'data.mdb')
}

/**
 * Reads a few pages and names of folders; changes nothing.
 *
 * @param pages true to check the top pages of the trees too; not while another process writes to the database
 * @returns the number of entries in the database; `new` when there is neither a database nor anything created with one
 * @throws UnfitFolderError with the problem and the remedy
 */
export async function examineDataFolder(
  { dataDir, dkimDir }: DataFolder,
  { pages }: { pages: boolean } = { pages: true },
): Promise<'new' | { entries: number }> {
  const path = storeFile(dataDir)
  const traces = await tracesOf({ dataDir, dkimDir })
  const file = readOwn(dataDir, pages)
  if (!file && traces.length === 0) return 'new'
  if (!file)
    throw new DamagedFolderError(dataDir, `has ${inWords(traces)}, but its database ${path} is missing or empty`)
  const { entries } = file.rows
  if (entries > 0) return { entries }
  if (traces.length === 0) return 'new'
  throw new DamagedFolderError(dataDir, `has ${inWords(traces)}, but its database ${path} is empty`)
}

/** The folder's own database; undefined if it is missing or empty. @param pages true to check its top pages @throws DamagedFolderError */
function readOwn(dataDir: string, pages = true): ReturnType<typeof readLmdbFile> {
  const path = storeFile(dataDir)
  try {
    const file = readLmdbFile(path)
    if (file && pages) checkTop(path)
    return file
  } catch (error) {
    if (!(error instanceof DamagedStoreError)) throw error
    throw new DamagedFolderError(dataDir, `has a damaged database, ${path}: ${error.message}`, { cause: error })
  }
}

/**
 * For a data folder whose database is elsewhere.
 *
 * @param isNew true for a database without rows
 * @throws UnfitFolderError if only the database is new, or the folder has a database of its own
 */
export async function examineFolderBeside(folder: DataFolder, { isNew }: { isNew: boolean }): Promise<void> {
  const { dataDir } = folder
  const own = readOwn(dataDir)
  if (own && own.rows.entries > 0)
    throw new UnfitFolderError(
      `the data folder ${dataDir} has a database of its own, and store.url names another. Remove store.url, or copy what the folder has: "restante store copy"`,
    )
  const traces = await tracesOf(folder)
  if (isNew && traces.length > 0)
    throw new UnfitFolderError(
      `the data folder ${dataDir} has ${inWords(traces)}, but the database of store.url is empty. Name the database that the folder belongs to, or an empty folder; nothing was changed`,
    )
}

/** A data folder whose database is lost or damaged; the message includes the remedy. */
export class DamagedFolderError extends UnfitFolderError {
  /** @param problem the damage, as the rest of a sentence about the folder: "has …" */
  constructor(
    dataDir: string,
    readonly problem: string,
    options?: { cause?: unknown },
  ) {
    super(`the data folder ${dataDir} ${problem}. ${WHAT_TO_DO}`, options)
    this.name = 'DamagedFolderError'
  }
}

const WHAT_TO_DO = `Nothing was changed. If the disk with the database is not mounted, mount it. Otherwise keep a copy of the folder, restore the newest backup into an empty one ("restante restore FILE --to DIR") and start with that. Only if all its mail may be lost for good: move the folder away and start with an empty one`

/** The things in the folder that only a daemon with a database creates, in words. */
async function tracesOf({ dataDir, dkimDir }: DataFolder): Promise<string[]> {
  const traces: string[] = []
  if ((await namesIn(join(dataDir, 'secrets'))).some((name) => !name.startsWith('.'))) traces.push('secrets')
  const blobs = join(dataDir, 'blobs')
  const hasFiles = (await namesIn(blobs)).some(isName) || (await namesIn(join(blobs, TRASH))).length > 0
  if (hasFiles) traces.push('files of mail (blobs)')
  if (isWithin(dataDir, dkimDir) && (await namesIn(dkimDir)).includes(USED_MARK))
    traces.push(`DKIM keys that mail was signed with (${dkimDir})`)
  return traces
}

function inWords(traces: readonly string[]): string {
  return [traces.slice(0, -1).join(', '), ...traces.slice(-1)].filter((part) => part !== '').join(' and ')
}

/** Marks the keys in the data folder as used by a daemon with a database. Called once the database is on the disk. @throws the file system's error */
export async function markKeysUsed({ dataDir, dkimDir }: DataFolder): Promise<void> {
  if (!isWithin(dataDir, dkimDir) || (await namesIn(dkimDir)).includes(USED_MARK)) return
  await mkdir(dkimDir, { recursive: true, mode: 0o700 })
  await replaceSynced(join(dkimDir, USED_MARK), USED_TEXT)
}

function isWithin(dataDir: string, dir: string): boolean {
  return dir.startsWith(dataDir + sep)
}

async function namesIn(dir: string): Promise<string[]> {
  return (await ifExists(readdir(dir), 'ENOTDIR')) ?? []
}
