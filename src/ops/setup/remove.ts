/** Taking away what setup gave to systemd. Settings, mail, keys and the user they belong to stay: those can't be had again. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import { messageOf } from '../../lib/thrown.js'
import { DROP_IN, JOURNAL, UNIT } from './plan.js'

/** By `systemctl enable`. */
const ENABLED = '/etc/systemd/system/multi-user.target.wants/restante.service'

/** Files of setup that are there. @param root in front of every path */
export function filesOfUnit(root: string): string[] {
  return [UNIT, DROP_IN, JOURNAL].map((path) => `${root}${path}`).filter((path) => existsSync(path))
}

/**
 * Stops the daemon, which finishes what it has accepted, and removes the files. Can be run again after it broke off.
 *
 * @throws Error that says what could not be done; then the files are there
 */
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
