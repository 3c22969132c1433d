/** Checks presence, ownership and permissions of the data folder and the secret files. */
import { access, constants, readdir, stat } from 'node:fs/promises'
import type { Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { namedFiles } from '../../config/files.js'
import { isDataDirLocked } from '../../config/lock.js'
import type { Config } from '../../config/schema.js'
import { ifExists } from '../../lib/files.js'
import { hasCode } from '../../lib/thrown.js'
import { about, advice, command, failed, ok, shellWord, skipped, unknown, warning } from './finding.js'
import type { Finding } from './types.js'

const OTHERS = 0o007
const GROUP_AND_OTHERS = 0o077

/** @param daemonUid user of the running daemon, if known */
export async function checkDataFolder(dir: string, daemonUid: number | undefined): Promise<Finding> {
  const found = await ifExists(stat(dir))
  if (!found) {
    const parent = await nearestFolder(dir)
    if (await may(parent, constants.W_OK)) return skipped(`${dir} does not exist yet; the first start creates it`)
    return warning(
      `${dir} does not exist, and this user may not create it in ${parent}`,
      command(`install -d -m 0700 -o restante -g restante ${shellWord(dir)}`),
    )
  }
  if (!found.isDirectory()) return failed(`${dir} is a file`, advice('Remove it, or set server.data_dir to a folder.'))
  if (daemonUid !== undefined && found.uid !== daemonUid)
    return failed(
      `${dir} belongs to user ${found.uid}, and the daemon runs as user ${daemonUid}`,
      command(`chown -R ${daemonUid} ${shellWord(dir)}`),
    )
  if ((found.mode & GROUP_AND_OTHERS) !== 0)
    return failed(
      `${dir} has the mode ${modeOf(found)}: other users of this machine can read the mail`,
      command(`chmod 700 ${shellWord(dir)}`),
    )
  return ok(`only its owner can read ${dir} (0700)`)
}

/** One finding for all, or one for each that is wrong. Secrets in the data folder are readable by its owner only. */
export async function checkSecretFiles(config: Config): Promise<Finding[]> {
  const { server, domains } = config
  const owner = await ifExists(stat(server.data_dir))
  const own = [
    ...(await filesBelow(join(server.data_dir, 'secrets'))),
    ...(await filesBelow(domains.dkim_dir)).filter((file) => file.includes('.pem')),
  ]
  const named = namedFiles(config).filter(({ secret }) => secret)
  const wrong: Finding[] = []
  for (const file of own) {
    const found = await ifExists(stat(file))
    if (!found) continue
    if ((found.mode & GROUP_AND_OTHERS) !== 0) wrong.push(tooOpen(file, found, '600'))
    else if (owner && found.uid !== owner.uid)
      wrong.push(
        about(
          file,
          failed(
            `it belongs to user ${found.uid}, and the daemon's user ${owner.uid} cannot read it`,
            command(`chown --reference=${shellWord(server.data_dir)} ${shellWord(file)}`),
          ),
        ),
      )
  }
  for (const { file } of named) {
    const found = await ifExists(stat(file))
    if (found && (found.mode & OTHERS) !== 0) wrong.push(tooOpen(file, found, '640'))
  }
  if (wrong.length > 0) return wrong
  const count = own.length + named.length
  return [
    count === 0
      ? skipped('there are no secrets yet; the first start creates them')
      : ok(`only their owner can read the ${count} files`),
  ]
}

function tooOpen(file: string, found: Stats, mode: string): Finding {
  return about(
    file,
    failed(
      `it contains a secret and has the mode ${modeOf(found)}: other users can read it`,
      command(`chmod ${mode} ${shellWord(file)}`),
    ),
  )
}

/** Checks that the daemon's user can read files named in settings; the doctor itself may be root. */
export async function checkNamedFiles(config: Config): Promise<Finding[]> {
  const files = namedFiles(config)
  if (files.length === 0) return [skipped('the settings name no files')]
  const daemon = await ifExists(stat(config.server.data_dir))
  const wrong: Finding[] = []
  for (const { file, setting } of files) {
    const problem = await problemOf(file, setting, daemon)
    if (problem) wrong.push(about(file, problem))
  }
  if (wrong.length > 0) return wrong
  return [ok(files.length === 1 ? 'the named file can be read' : `all ${files.length} named files can be read`)]
}

async function problemOf(file: string, setting: string, daemon: Stats | undefined): Promise<Finding | undefined> {
  const found = await ifExists(stat(file))
  if (!found) return failed(`${setting} names it, and it does not exist`, advice(`Create it, or change ${setting}.`))
  if (!found.isFile()) return failed(`${setting} names it, and it is not a file`, advice(`Change ${setting}.`))
  if (!(await may(file, constants.R_OK)))
    return unknown(`${setting} names it, and this user may not read it`, command('sudo restante doctor'))
  if (daemon && daemon.uid !== 0 && !isReadableBy(found, daemon))
    return warning(
      `${setting} names it, and its mode ${modeOf(found)} does not let the daemon's user ${daemon.uid} read it`,
      command(`chgrp ${daemon.gid} ${shellWord(file)} && chmod g+r ${shellWord(file)}`),
    )
  return undefined
}

/** @param daemonAnswers true if one answers at server.admin */
export async function checkLock(dir: string, daemonAnswers: boolean): Promise<Finding> {
  if (!(await ifExists(stat(dir)))) return skipped('there is no data folder yet')
  const isLocked = await isDataDirLocked(dir)
  if (isLocked && !daemonAnswers)
    return warning(
      'a daemon holds the data folder, but does not answer at server.admin',
      advice(
        'Run this command with the --config and --set of the running daemon; a second one on this folder does not start.',
      ),
    )
  if (!isLocked && daemonAnswers)
    return failed(
      'a daemon answers at server.admin, but does not hold this data folder',
      advice('Run this command with the --config and --set of the running daemon.'),
    )
  return ok(isLocked ? 'one daemon holds the data folder' : 'no daemon holds the data folder')
}

/** By its owner and group; further groups of a user are not looked up. */
function isReadableBy(file: Stats, { uid, gid }: Stats): boolean {
  if (file.uid === uid) return (file.mode & 0o400) !== 0
  if (file.gid === gid) return (file.mode & 0o040) !== 0
  return (file.mode & 0o004) !== 0
}

function modeOf({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(4, '0')
}

async function filesBelow(dir: string): Promise<string[]> {
  const entries = (await ifExists(readdir(dir, { withFileTypes: true, recursive: true }))) ?? []
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path)
  return (await ifExists(stat(parent))) || parent === path ? parent : nearestFolder(parent)
}

async function may(path: string, how: number): Promise<boolean> {
  try {
    await access(path, how)
    return true
  } catch (error) {
    if (hasCode(error, 'EACCES') || hasCode(error, 'EROFS')) return false
    throw error
  }
}
