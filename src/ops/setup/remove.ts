/** Removes what setup installed into systemd. Settings, mail, keys and their user stay: they can't be restored. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { messageOf } from '../../lib/thrown.js'
import { DROP_IN, JOURNAL, UNIT } from './plan.js'

/** Made by `systemctl enable`. */
const ENABLED = '/etc/systemd/system/multi-user.target.wants/restante.service'

/** Existing files of setup. @param root prefix of every path */
export function filesOfUnit(root: string): string[] {
  return [UNIT, DROP_IN, JOURNAL].map((path) => `${root}${path}`).filter((path) => existsSync(path))
}

/** Stops the daemon, which finishes accepted work, and removes the files. Can be repeated after a failure. @throws Error with the step that failed */
export async function removeUnit(root: string, files: readonly string[]): Promise<void> {
  const runs = root === '' && existsSync('/run/systemd/system')
  if (runs && existsSync(UNIT)) await systemctl('disable', '--now', 'restante.service')
  for (const path of [...files, `${root}${ENABLED}`]) await rm(path, { force: true })
  if (runs) await systemctl('daemon-reload')
}

async function systemctl(...words: string[]): Promise<void> {
  try {
    await promisify(execFile)('systemctl', words)
  } catch (error) {
    throw new Error(`systemctl ${words.join(' ')}: ${messageOf(error)}`, { cause: error })
  }
}
