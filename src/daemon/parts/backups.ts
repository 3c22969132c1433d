/** Backups of the data folder, by schedule and on request. */
import { BY_ITSELF } from '../../audit/types.js'
import { backupsOf, createBackups, measureBackups, type Backups } from '../../ops/backup/backups.js'
import type { MakeDeps } from '../../ops/backup/make.js'
import type { Sweep } from '../../jobs/retention.js'
import type { OperatorNotice } from '../../jobs/operator-mail.js'
import { messageOf } from '../../lib/thrown.js'
import { timestamp } from '../../lib/clock.js'
import type { Ground } from '../layers/ground.js'
import type { Stops } from '../layers/stops.js'

export function buildBackups(
  { config, blobs, clock, metrics, audit, part }: Ground,
  {
    version,
    configDir,
    copyStore,
  }: { version: string; configDir: string | undefined; copyStore: MakeDeps['copyStore'] },
  tell: (notice: OperatorNotice) => void,
  { active }: Stops,
): { backups: Backups; backupJobs: Sweep[] } {
  const { backup } = config
  const backups = createBackups({
    ...backupsOf(config, version),
    configDir,
    copyStore,
    blobs,
    clock,
    log: part('backup'),
  })
  measureBackups(metrics, clock, backups.status)
  active.push(() => backups.stop())
  const schedule = backup.schedule.trim()
  if (schedule === '') return { backups, backupJobs: [] }
  const run = (signal: AbortSignal): Promise<Record<string, number>> =>
    audit
      .around(
        { action: 'backup.made', actor: BY_ITSELF, subject: { name: backup.folder }, reason: 'by schedule' },
        () => backups.run(signal),
      )
      .catch((error: unknown) => {
        if (!signal.aborted)
          tell({
            id: `backup-failed:${timestamp(clock.now())}`,
            text: `The backup of ${timestamp(clock.now())} failed: ${messageOf(error)}`,
          })
        throw error
      })
  return { backups, backupJobs: [{ name: 'backup', schedule, run }] }
}
