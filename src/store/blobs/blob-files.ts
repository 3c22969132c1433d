/** Names of blobs, of files as of objects: `<owner>/<id>`, and in the trash `.trash/<time>.<owner>.<id>`. */
import { join } from 'node:path'

/** Owners start with a letter or digit, so it can't be an owner's. */
export const TRASH = '.trash'

/** @throws RangeError when the names of a blob and its owner are invalid */
export function blobPath(dir: string, owner: string, id: string): string {
  return join(dir, blobName(owner, id))
}

/** @throws RangeError as `blobPath` */
export function blobName(owner: string, id: string): string {
  return `${checkName(owner)}/${checkName(id)}`
}

export function isName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(name)
}

export function trashName(now: number, owner: string, id: string): string {
  return `${now}.${owner}.${id}`
}

/** A name in the trash in its parts. */
export function readTrashName(name: string): { deletedAt: number; blob: string } {
  return { deletedAt: Number.parseInt(name, 10), blob: name.slice(name.indexOf('.') + 1) }
}

/** Owners and ids become names of files and objects, so characters with a meaning in paths are refused. */
function checkName(name: string): string {
  if (!isName(name)) throw new RangeError(`Not the name of a blob or its owner: ${JSON.stringify(name.slice(0, 100))}`)
  return name
}
