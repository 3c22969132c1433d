/** Counts the blobs and the unreferenced ones among them, and judges if the result is credible. */
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY, HOUR } from '../../lib/clock.js'
import { ifExists } from '../../lib/files.js'
import type { IsReferenced } from '../types.js'
import { areTooMany, blobPath, isName } from './blob-files.js'

/** Max time between writing a blob and committing its reference; older unreferenced blobs are orphans. */
export const ORPHAN_AGE_MS = HOUR
/** Max orphans that one sweep lists; the next one finds the others. */
const MAX_LISTED = 10_000
/** The machine's clock may have been set between the creation of the store and of a file. */
const CLOCK_SLACK_MS = DAY

export interface Census {
  files: number
  orphans: number
  /** Orphans older than the store. */
  older: number
  listed: { owner: string; id: string }[]
  /** Folders without a file. */
  empty: string[]
}

/** Counts all blobs and orphans. Changes nothing. */
export async function takeCensus(
  dir: string,
  { now, isReferenced, storeBornAt }: { now: number; isReferenced: IsReferenced; storeBornAt: number },
): Promise<Census> {
  const census: Census = { files: 0, orphans: 0, older: 0, listed: [], empty: [] }
  for await (const folder of await opendir(dir)) {
    if (!folder.isDirectory() || !isName(folder.name)) continue
    let names = 0
    for await (const { name: id } of await opendir(join(dir, folder.name))) {
      names++
      if (!isName(id)) continue
      census.files++
      // The change time, not the modification time: a new link to an old file is new.
      const { changed, written } = await timesOf(blobPath(dir, folder.name, id))
      if (changed > now - ORPHAN_AGE_MS || (await isReferenced(folder.name, id))) continue
      census.orphans++
      if (written < storeBornAt - CLOCK_SLACK_MS) census.older++
      if (census.listed.length < MAX_LISTED) census.listed.push({ owner: folder.name, id })
    }
    if (names === 0) census.empty.push(folder.name)
  }
  return census
}

/** The reason to suspect the store instead of the unreferenced files. */
export function doubtOf(census: Census): string | undefined {
  const { files, orphans, older } = census
  if (older > 0)
    return `${older} of ${orphans} unreferenced files are older than this store: it is not the store that they belong to`
  if (areTooMany(census))
    return `${orphans} of ${files} files are referenced by no message: the store is older than they are, or another one`
  return undefined
}

/** Last change of the file's content or links, in milliseconds; Infinity for a file that is gone. */
export async function changedAt(path: string): Promise<number> {
  return (await timesOf(path)).changed
}

async function timesOf(path: string): Promise<{ changed: number; written: number }> {
  const found = await ifExists(stat(path))
  return { changed: found?.ctimeMs ?? Infinity, written: found?.mtimeMs ?? Infinity }
}
