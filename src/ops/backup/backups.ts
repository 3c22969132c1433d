/** Backups of a data folder, one at a time: by schedule and on request. Stores the result of each. */
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { namedFiles } from '../../config/files.js'
import type { Config } from '../../config/schema.js'
import { hasCode, messageOf } from '../../lib/thrown.js'
import { type Clock, DAY, timestamp } from '../../lib/clock.js'
import { ServiceError } from '../../lib/errors.js'
import type { Log } from '../../observe/log.js'
import type { Metrics } from '../../observe/metrics.js'
import { backupName, BackupError } from './format.js'
import { makeBackup, type MadeBackup, type MakeDeps } from './make.js'
import { removeOldBackups } from './old-backups.js'
import { readBackupKey } from './encryption.js'
import { readBackupStatus, writeBackupStatus, type BackupStatus } from './status.js'

export interface BackupsDeps extends Omit<MakeDeps, 'key'> {
  clock: Clock
  log: Pick<Log, 'info' | 'warn' | 'error'>
  settings: BackupSettings
}

/** The part of `createBackups` that follows from settings. */
export function backupsOf(config: Config, version: string) {
  const { server, domains, backup } = config
  return {
    dataDir: server.data_dir,
    dkimDir: domains.dkim_dir,
    about: {
      restante_version: version,
      domains: domains.names,
      files_elsewhere: namedFiles(config).map(({ file }) => file),
    },
    minFreeBytes: server.min_free_bytes,
    settings: { folder: backup.folder, keepMs: backup.keep_days * DAY, keyFile: backup.key_file },
  }
}

interface BackupSettings {
  /** Default folder. */
  folder: string
  keepMs: number
  /** '' for none. */
  keyFile: string
}

export interface BackupRun {
  running: boolean
  bytes_done: number
  bytes_total: number
  /** The last finished backup of this process. */
  ended: {
    file: string
    bytes: number
    mailboxes: number
    blobs: number
    missing_blobs: number
    encrypted: boolean
  } | null
  /** Reason of a failure. */
  error: string | null
}

export interface Backups {
  /**
   * Starts one; `wait` gives its progress.
   *
   * @param to a new file, or a folder; by default the folder of the settings
   * @throws ServiceError if one is already running
   */
  begin(to?: string): BackupRun
  /** Resolves when none is running, or after `ms` milliseconds. */
  wait(ms: number): Promise<BackupRun>
  /** Scheduled backup into the folder of the settings; removes old ones afterwards. @throws BackupError */
  run(signal: AbortSignal): Promise<{ bytes: number; removed: number }>
  status(): Promise<BackupStatus>
  stop(): Promise<void>
}

export function createBackups(deps: BackupsDeps): Backups {
  const { dataDir, clock, log, settings } = deps
  const { folder, keyFile } = settings
  const stopped = new AbortController()
  let state: BackupRun = { running: false, bytes_done: 0, bytes_total: 0, ended: null, error: null }
  let running: Promise<MadeBackup> | undefined

  async function make(to: string | undefined, signal: AbortSignal): Promise<MadeBackup> {
    const at = clock.now()
    try {
      const key = keyFile === '' ? undefined : await readBackupKey(keyFile)
      const file = await fileFor(to ?? folder, to === undefined, backupName(at, key !== undefined))
      const made = await makeBackup(
        { ...deps, key },
        {
          file,
          at,
          signal: AbortSignal.any([signal, stopped.signal]),
          onProgress: ({ bytesDone, bytesTotal }) =>
            void (state = { ...state, bytes_done: bytesDone, bytes_total: bytesTotal }),
        },
      )
      const { manifest, bytes } = made
      const { count: blobs, missing } = manifest.blobs
      const encrypted = key !== undefined
      state = {
        ...state,
        ended: { file, bytes, mailboxes: manifest.mailboxes, blobs, missing_blobs: missing, encrypted },
        error: null,
      }
      await writeBackupStatus(dataDir, { last: { at: timestamp(at), file, bytes, encrypted }, failed: null })
      log.info({ file, bytes, mailboxes: manifest.mailboxes, blobs, ms: clock.now() - at }, 'backup made')
      if (missing > 0) log.warn({ missing_blobs: missing }, 'files that the store names were not there to be backed up')
      return made
    } catch (err) {
      state = { ...state, error: messageOf(err) }
      log.error({ err }, 'no backup was made')
      const { last } = await readBackupStatus(dataDir)
      await writeBackupStatus(dataDir, { last, failed: { at: timestamp(at), message: messageOf(err) } })
      throw err
    }
  }

  function begin(to: string | undefined, signal: AbortSignal): Promise<MadeBackup> {
    if (running) throw new ServiceError('too_late', 'A backup is already running.', 'Try again when it has finished.')
    state = { ...state, running: true, bytes_done: 0, bytes_total: 0 }
    running = make(to, signal).finally(() => {
      running = undefined
      state = { ...state, running: false }
    })
    return running
  }

  return {
    begin(to) {
      // The result is in the state and in the log.
      begin(to, stopped.signal).catch(() => undefined)
      return state
    },
    async wait(ms) {
      if (running) {
        let timer: NodeJS.Timeout | undefined
        const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
        await Promise.race([running.catch(() => undefined), late])
        clearTimeout(timer)
      }
      return state
    },
    async run(signal) {
      const { bytes } = await begin(undefined, signal)
      return { bytes, removed: await removeOldBackups(folder, settings.keepMs, clock.now()) }
    },
    status: () => readBackupStatus(dataDir),
    async stop() {
      stopped.abort(new BackupError('The daemon was stopped. Nothing is left of the backup'))
      await running?.catch(() => undefined)
    },
  }
}

/** @param isFolder true for a folder, existing or not */
async function fileFor(to: string, isFolder: boolean, name: string): Promise<string> {
  if (isFolder || to.endsWith('/')) return join(to, name)
  try {
    return (await stat(to)).isDirectory() ? join(to, name) : to
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return to
    throw error
  }
}

/** Metrics of backups. */
export function measureBackups(metrics: Metrics, clock: Clock, status: () => Promise<BackupStatus>): void {
  metrics.gauge(
    'backup_age_seconds',
    'Time since the start of the last complete backup of this data folder; -1 if there is none.',
    async () => {
      const { last } = await status()
      return last ? Math.max(0, Math.round((clock.now() - Date.parse(last.at)) / 1000)) : -1
    },
  )
  metrics.gauge('backup_last_failed', '1 if the latest backup failed.', async () => ((await status()).failed ? 1 : 0))
}
