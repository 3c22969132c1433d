/** Backups that are missing, old or failing, each with what to do. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readBackupStatus, writeBackupStatus, type BackupStatus } from '../../../src/ops/backup/status.js'
import { checkBackups } from '../../../src/ops/doctor/backups.js'
import { DAY, HOUR, timestamp } from '../../../src/lib/clock.js'

const NOW = Date.UTC(2026, 5, 1)
const HAND = { schedule: '', folder: 'backups', keep_days: 2, key_file: '' }
const NIGHTLY = { ...HAND, schedule: '15 3 * * *' }
const look = (status: BackupStatus, settings = NIGHTLY) =>
  checkBackups(status, settings, NOW, ' --config /etc/restante')
const madeBefore = (ms: number): BackupStatus => ({
  last: { at: timestamp(NOW - ms), file: 'a', bytes: 1, encrypted: false },
  failed: null,
})

t.test('how a backup stands', async (t) => {
  const none: BackupStatus = { last: null, failed: null }
  t.match(look(none, HAND), {
    state: 'warning',
    finding: /none is scheduled/,
    remedy: [{ kind: 'setting', file: 'backup.toml' }, { text: 'restante backup --config /etc/restante' }],
  })
  t.match(look(none), { state: 'warning', finding: /is still to come/ })
  t.match(look(madeBefore(20 * HOUR)), { state: 'ok', finding: /20 hours old/ })
  t.match(look(madeBefore(3 * DAY + HOUR)), { state: 'failed', finding: /3 days old; backup.schedule/ })
  t.match(look(madeBefore(6 * DAY), HAND), { state: 'ok' })
  t.match(look(madeBefore(8 * DAY), HAND), { state: 'warning', remedy: [{ kind: 'setting' }, { kind: 'command' }] })
})

t.test('a try that failed is told whatever was made before, as it stands in the data folder', async (t) => {
  const dir = join(t.testdir(), 'var')
  mkdirSync(dir)
  t.match(look(await readBackupStatus(dir)), { state: 'warning' }, 'no file yet')
  const failed = { at: timestamp(NOW), message: 'no room\nleft' }
  await writeBackupStatus(dir, { ...madeBefore(HOUR), failed })
  t.match(look(await readBackupStatus(dir)), { state: 'failed', finding: /failed: no room left/ })
})
