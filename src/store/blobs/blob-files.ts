/** Where the files of blobs are: `<dir>/<owner>/<id>`, and in the trash `<dir>/.trash/<time>.<owner>.<id>`. */
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** Owners start with a letter or digit, so it can't be an owner's. */
export const TRASH = '.trash'

/** @throws RangeError when these can't be the names of a blob and its owner */
export function blobPath(dir: string, owner: string, id: string): string {
  return join(dir, checkName(owner), checkName(id))
}

export function isName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(name)
}

/** So many files that nobody names are no sign of anything: each crash may leave some. */
const FEW_ORPHANS = 10

/** Whether files that nobody names are so many that rather the store is wrong that should name them. */
export function areTooMany({ orphans, files }: { orphans: number; files: number }): boolean {
  return orphans > FEW_ORPHANS && orphans * 2 > files
}

/** How many of the files that nobody names one sweep lets go of. */
export function shareOf(files: number): number {
  return Math.max(FEW_ORPHANS, Math.ceil(files / 10))
}

export function trashName(now: number, owner: string, id: string): string {
  return `${now}.${owner}.${id}`
}

/**
 * Looks for blobs in the trash, all of them in one pass.
 *
 * @param wanted as `<owner>.<id>`
 * @returns the paths of those that are there
 */
export async function findInTrash(dir: string, wanted: ReadonlySet<string>): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const { name } of await opendir(join(dir, TRASH))) {
    const blob = name.slice(name.indexOf('.') + 1)
    if (wanted.has(blob)) found.set(blob, join(dir, TRASH, name))
  }
  return found
}

/** Owners and ids become file names, so nothing that means something in a path may be in them. */
function checkName(name: string): string {
  if (!isName(name)) throw new RangeError(`Not the name of a blob or its owner: ${JSON.stringify(name.slice(0, 100))}`)
  return name
}
