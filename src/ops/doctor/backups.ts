/** Checks for a recent backup. */
import type { BackupStatus } from '../backup/status.js'
import type { Config } from '../../config/schema.js'
import { DAY, HOUR } from '../../lib/clock.js'
import { advice, command, failed, ok, setting, shown, warning } from './finding.js'
import type { Finding } from './types.js'

/** Max age of the newest backup without a schedule. */
const MAX_AGE_MS = 7 * DAY

/** @param commandOptions what the commands of this installation take, such as `--config DIR` */
export function checkBackups(
  { last, failed: failure }: BackupStatus,
  { schedule, keep_days: keepDays }: Config['backup'],
  now: number,
  commandOptions: string,
): Finding {
  const makeOne = command(`restante backup${commandOptions}`)
  if (failure)
    return failed(
      `the backup of ${failure.at} failed: ${shown(failure.message)}`,
      advice('Fix the cause, then make one manually.'),
      makeOne,
    )
  const everyNight = setting('backup.schedule', '"15 3 * * *"')
  if (last === null)
    return schedule === ''
      ? warning('there is no backup, and none is scheduled', everyNight, makeOne)
      : warning('there is no backup yet; the first scheduled one is still to come', makeOne)
  const age = now - Date.parse(last.at)
  const words = `the newest backup is ${age < 2 * DAY ? `${Math.round(age / HOUR)} hours` : `${Math.round(age / DAY)} days`} old`
  if (schedule === '')
    return age > MAX_AGE_MS ? warning(`${words}, and none is scheduled`, everyNight, makeOne) : ok(words)
  // Older ones would have been removed for a newer one.
  return age > (keepDays + 1) * DAY
    ? failed(
        `${words}; backup.schedule should have made newer ones`,
        advice('See the log of the daemon for `backup`.'),
        makeOne,
      )
    : ok(words)
}
