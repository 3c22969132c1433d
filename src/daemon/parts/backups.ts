/** Backups of the data folder, by schedule and on request. */
import { BY_ITSELF } from '../../audit/types.js'
import { createBackups, measureBackups, type Backups } from '../../ops/backup/backups.js'
import type { MakeDeps } from '../../ops/backup/make.js'
import { namedFiles } from '../../config/files.js'
import type { Sweep } from '../../jobs/retention.js'
import type { OperatorNotice } from '../../jobs/operator-mail.js'
import { messageOf } from '../../lib/thrown.js'
import { DAY, timestamp } from '../../lib/clock.js'
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
  const { server, domains, backup } = config
  const backups = createBackups({
    dataDir: server.data_dir,
    dkimDir: domains.dkim_dir,
    configDir,
    copyStore,
    blobs,
    about: {
      restante_version: version,
      domains: domains.names,
      files_elsewhere: namedFiles(config).map(([, file]) => file),
    },
    minFreeBytes: server.min_free_bytes,
    clock,
    log: part('backup'),
    settings: { folder: backup.folder, keepMs: backup.keep_days * DAY, keyFile: backup.key_file },
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
