/** File names of blobs: `<dir>/<owner>/<id>`, and in the trash `<dir>/.trash/<time>.<owner>.<id>`. */
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'

/** Owners start with a letter or digit, so it can't be an owner's. */
export const TRASH = '.trash'

/** @throws RangeError when the names of a blob and its owner are invalid */
export function blobPath(dir: string, owner: string, id: string): string {
  return join(dir, checkName(owner), checkName(id))
}

export function isName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(name)
}

/** Max unreferenced files that are normal: each crash may leave some. */
const FEW_ORPHANS = 10

/** True if so many files are unreferenced that the store must be wrong. */
export function areTooMany({ orphans, files }: { orphans: number; files: number }): boolean {
  return orphans > FEW_ORPHANS && orphans * 2 > files
}

/** Max unreferenced files that one sweep removes. */
export function shareOf(files: number): number {
  return Math.max(FEW_ORPHANS, Math.ceil(files / 10))
}

export function trashName(now: number, owner: string, id: string): string {
  return `${now}.${owner}.${id}`
}

/** Finds blobs in the trash, all of them in one pass. @param wanted as `<owner>.<id>` @returns the paths of those that exist */
export async function findInTrash(dir: string, wanted: ReadonlySet<string>): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const { name } of await opendir(join(dir, TRASH))) {
    const blob = name.slice(name.indexOf('.') + 1)
    if (wanted.has(blob)) found.set(blob, join(dir, TRASH, name))
  }
  return found
}

/** Owners and ids become file names, so characters with a meaning in paths are refused. */
function checkName(name: string): string {
  if (!isName(name)) throw new RangeError(`Not the name of a blob or its owner: ${JSON.stringify(name.slice(0, 100))}`)
  return name
}
