/** For listeners whose backups nobody asks for. */
import type { BackupRun, Backups } from '../../../src/ops/backup/backups.js'

const idle: BackupRun = { running: false, bytes_done: 0, bytes_total: 0, ended: null, error: null }

export const noBackups: Pick<Backups, 'begin' | 'wait'> = { begin: () => idle, wait: async () => idle }
