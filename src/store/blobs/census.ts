/** Counts the blobs and the unreferenced ones among them, and judges if the result is credible. */
import { DAY, HOUR } from '../../lib/clock.js'
import type { IsReferenced, ListedBlob } from '../types.js'

/** Max time between writing a blob and committing its reference; older unreferenced blobs are orphans. */
export const ORPHAN_AGE_MS = HOUR
/** Max orphans that one sweep lists; the next one finds the others. */
const MAX_LISTED = 10_000
/** The machine's clock may have been set between the creation of the store and of a file. */
const CLOCK_SLACK_MS = DAY
/** Max unreferenced files that are normal: each crash may leave some. */
const FEW_ORPHANS = 10

export interface Census {
  files: number
  orphans: number
  /** Orphans older than the store. */
  older: number
  listed: { owner: string; id: string }[]
}

/** Counts all blobs and orphans. Changes nothing. */
export async function takeCensus(
  blobs: AsyncIterable<ListedBlob>,
  { now, isReferenced, storeBornAt }: { now: number; isReferenced: IsReferenced; storeBornAt: number },
): Promise<Census> {
  const census: Census = { files: 0, orphans: 0, older: 0, listed: [] }
  for await (const { owner, id, changedAt, writtenAt } of blobs) {
    census.files++
    if (changedAt > now - ORPHAN_AGE_MS || (await isReferenced(owner, id))) continue
    census.orphans++
    if (writtenAt < storeBornAt - CLOCK_SLACK_MS) census.older++
    if (census.listed.length < MAX_LISTED) census.listed.push({ owner, id })
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

/** True if so many files are unreferenced that the store must be wrong. */
export function areTooMany({ orphans, files }: { orphans: number; files: number }): boolean {
  return orphans > FEW_ORPHANS && orphans * 2 > files
}

/** Max unreferenced files that one sweep removes. */
export function shareOf(files: number): number {
  return Math.max(FEW_ORPHANS, Math.ceil(files / 10))
}
