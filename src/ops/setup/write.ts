/**
 * Writes the planned files. Every text is on the disk under a temporary name before the first file gets its own, so that a full disk or a missing
 * permission leaves everything unchanged.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, chmod, chown, mkdir, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { hasCode, messageOf } from '../../lib/thrown.js'
import { ifExists, syncFolder, writeSynced } from '../../lib/files.js'
import type { PlannedFile } from './plan.js'

export const SERVICE_USER = 'restante'

export interface Owner {
  uid: number
  gid: number
}

export async function problemOfWriting(dir: string): Promise<string | undefined> {
  const existing = await nearestExisting(dir)
  try {
    await access(existing, constants.W_OK)
    return undefined
  } catch (error) {
    if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM'))
      return `this user may not write in ${existing}. Run setup as root: sudo restante setup; or give other folders with --config and --data, and --no-systemd`
    if (hasCode(error, 'EROFS')) return `${existing} can't be written to: its file system is read-only`
    return `${existing} can't be written to: ${messageOf(error)}`
  }
}

async function nearestExisting(path: string): Promise<string> {
  return (await ifExists(stat(path))) ? path : nearestExisting(dirname(path))
}

/** @throws the file system's error; then no file has changed */
export async function writeFiles(files: readonly Pick<PlannedFile, 'path' | 'text'>[]): Promise<void> {
  const drafts: { draft: string; path: string }[] = []
  try {
    for (const { path, text } of files) {
      await mkdir(dirname(path), { recursive: true, mode: 0o755 })
      const draft = join(dirname(path), `.${randomBytes(6).toString('hex')}.setup`)
      drafts.push({ draft, path })
      await writeSynced(draft, text)
      const existing = await ifExists(stat(path))
      await chmod(draft, existing ? existing.mode & 0o777 : 0o644)
    }
    for (const { draft, path } of drafts) await rename(draft, path)
  } finally {
    for (const { draft } of drafts) await rm(draft, { force: true })
  }
  for (const folder of new Set(files.map(({ path }) => dirname(path)))) await syncFolder(folder)
}

/** The daemon's user in the root's own /etc/passwd; undefined if missing. */
export async function findUser(root: string): Promise<Owner | undefined> {
  const users = await ifExists(readFile(`${root}/etc/passwd`, 'utf8'))
  const line = users?.split('\n').find((each) => each.startsWith(`${SERVICE_USER}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/** @throws Error with the message of useradd */
export async function makeUser(root: string, home: string): Promise<Owner> {
  const where = root === '' ? [] : ['--prefix', root]
  const how = ['--system', '--user-group', '--no-create-home', '--home-dir', home, '--shell', '/usr/sbin/nologin']
  try {
    await promisify(execFile)('useradd', [...where, ...how, SERVICE_USER])
  } catch (error) {
    throw new Error(`the user ${SERVICE_USER} could not be created: ${messageOf(error).trim()}`, { cause: error })
  }
  const made = await findUser(root)
  if (!made) throw new Error(`the user ${SERVICE_USER} was created, but is not in ${root}/etc/passwd`)
  return made
}

/** Creates the data folder, readable by its owner only. An existing one keeps its mode, which the doctor checks. */
export async function makeDataDir(path: string, owner: Owner | undefined): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode: 0o755 })
  if (made === undefined) return
  await chmod(path, 0o700)
  if (owner) await chown(path, owner.uid, owner.gid)
}

/** Makes the daemon's user the owner of a folder and everything in it. */
export async function changeOwner(path: string, owner: Owner): Promise<void> {
  const below = await readdir(path, { withFileTypes: true, recursive: true })
  for (const each of [path, ...below.map((entry) => join(entry.parentPath, entry.name))])
    await chown(each, owner.uid, owner.gid)
}
