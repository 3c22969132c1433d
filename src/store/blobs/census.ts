/** Which blobs there are and which of them nobody names, and whether that is to be believed. */
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY, HOUR } from '../../lib/clock.js'
import { hasCode } from '../../lib/thrown.js'
import type { IsReferenced } from '../types.js'
import { areTooMany, blobPath, isName } from './blob-files.js'

/** Between writing a blob and committing what names it; what is older and unnamed is an orphan. */
export const ORPHAN_AGE_MS = HOUR
/** Orphans that one sweep remembers; the next one finds the others. */
const MAX_LISTED = 10_000
/** The clock of a machine may have been set between the making of the store and of a file. */
const CLOCK_SLACK_MS = DAY

export interface Census {
  files: number
  orphans: number
  /** Of them, written before there was a store. */
  older: number
  listed: { owner: string; id: string }[]
  /** Folders without a file. */
  empty: string[]
}

/** What is there, and what of it nobody names. Nothing is changed. */
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
      // The change time, not the modification time: a fresh link to an old file is fresh.
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

/** Why rather the store is wrong than the files that it does not name. */
export function doubtOf(census: Census): string | undefined {
  const { files, orphans, older } = census
  if (older > 0)
    return `${older} of ${orphans} files that no message names were written before this store was made: it is not the one that they belong to`
  if (areTooMany(census))
    return `no message names ${orphans} of ${files} files: the store is older than they are, or another one`
  return undefined
}

/** When the file's content or its links last changed, in milliseconds; of one that is gone: just now. */
export async function changedAt(path: string): Promise<number> {
  return (await timesOf(path)).changed
}

async function timesOf(path: string): Promise<{ changed: number; written: number }> {
  try {
    const { ctimeMs, mtimeMs } = await stat(path)
    return { changed: ctimeMs, written: mtimeMs }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return { changed: Infinity, written: Infinity }
    throw error
  }
}
