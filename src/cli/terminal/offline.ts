/** Runs work on a data folder without a daemon. */
import { stat } from 'node:fs/promises'
import { lockDataDir, LockedError } from '../../config/lock.js'
import { hasCode } from '../../lib/thrown.js'
import { CommandError, EXIT } from './command.js'

/**
 * Runs `work` under the folder's lock.
 *
 * @returns its result; `busy` if a daemon or another command has the lock
 * @throws CommandError if the folder is missing or another user's
 */
export async function withFolder<T>(dataDir: string, work: () => Promise<T>): Promise<T | 'busy'> {
  const release = await lock(dataDir)
  if (release === 'busy') return 'busy'
  try {
    return await work()
  } finally {
    await release()
  }
}

async function lock(dataDir: string): Promise<'busy' | (() => Promise<void>)> {
  try {
    if (!(await stat(dataDir)).isDirectory()) throw new CommandError(EXIT.failed, `${dataDir} is no folder.`)
    return await lockDataDir(dataDir)
  } catch (error) {
    if (error instanceof LockedError) return 'busy'
    if (hasCode(error, 'ENOENT'))
      throw new CommandError(
        EXIT.unreachable,
        `There is no data folder ${dataDir}.\nPoint --config or --set server.data_dir=DIR at the one that is meant.`,
      )
    if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM'))
      throw new CommandError(
        EXIT.unreachable,
        `This user may not work in the data folder ${dataDir}.\nRun the command as the daemon's user or as root.`,
      )
    throw error
  }
}
