/** `restante backup` and `restante restore`. */
import { readdirSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { backupsOf, createBackups, type BackupRun, type Backups } from '../../../ops/backup/backups.js'
import { backupRunSchema } from '../../../admin/backup.js'
import { BackupError, type Manifest } from '../../../ops/backup/format.js'
import { RESTORED_CONFIG, restoreBackup } from '../../../ops/backup/restore.js'
import { readBackupKey } from '../../../ops/backup/encryption.js'
import type { Config } from '../../../config/schema.js'
import { installedVersion } from '../../../config/version.js'
import { hasCode } from '../../../lib/thrown.js'
import { systemClock } from '../../../lib/clock.js'
import { openConfiguredBlobs } from '../../../ops/blobs/open-blobs.js'
import { examineDataFolder } from '../../../store/folder/data-folder.js'
import { isShared, openEngine } from '../../../ops/database/engine.js'
import { askDaemon, operatingUser } from '../../terminal/admin.js'
import { CommandError, defineCommand, EXIT } from '../../terminal/command.js'
import { withFolder } from '../../terminal/offline.js'
import { json } from '../../terminal/output.js'
import { bar, createProgress } from '../../terminal/progress.js'
import { count, size } from '../../terminal/words.js'

const ASK_EVERY_MS = 1000

const backup = defineCommand({
  usage: 'backup',
  options: ['to', 'json'],
  summary: 'write a backup, while the daemon runs',
  about:
    'Asks the running daemon, which keeps working; without a daemon it reads the data folder. The file holds mail, accounts, queued work, secrets, DKIM keys and\nsettings as of one moment: everything acknowledged before the command began. Without --to it goes to backup.folder. It is encrypted if backup.key_file is\nset. For backups by schedule: backup.schedule. See docs/operations.md.',
  examples: [
    'restante backup',
    'restante backup --to /mnt/backups/',
    'restante backup --to ~/before-upgrade.tar.gz --json | jq .bytes',
  ],
  async run({ options, config: load, configDir, print, note }) {
    const config = load()
    const progress = createProgress()
    // A trailing slash marks a folder, and `resolve` drops it.
    const to = options.to === undefined ? undefined : resolve(options.to) + (options.to.endsWith('/') ? '/' : '')
    let run: BackupRun
    try {
      const offline = await withFolder(config.server.data_dir, () => makeOffline(config, configDir, to, progress.show))
      if (offline === 'busy') {
        await askDaemon(config, 'POST', '/backup', backupRunSchema, to === undefined ? {} : { to })
        do {
          run = await askDaemon(config, 'GET', `/backup?wait_ms=${ASK_EVERY_MS}`, backupRunSchema)
          progress.show(bar(run.bytes_done, run.bytes_total))
        } while (run.running)
      } else run = offline
    } finally {
      progress.end()
    }
    const { ended, error } = run
    if (error !== null || !ended)
      throw new CommandError(EXIT.failed, error === null ? 'The daemon knows of no backup.' : `${error}.`)
    if (options.json) print(json(ended))
    else
      print(
        `${ended.file} (${size(ended.bytes)}, ${count(ended.mailboxes, 'mailbox', 'mailboxes')}, ${count(ended.blobs, 'file')})`,
      )
    if (!ended.encrypted)
      note(
        'It is not encrypted: anyone who can read it has all mail and all secrets. Set backup.key_file to encrypt backups.',
      )
    if (ended.missing_blobs > 0)
      note(`Missing: ${count(ended.missing_blobs, 'file')} that the store names. "restante verify" says which.`)
  },
})

async function makeOffline(
  config: Config,
  configDir: string | undefined,
  to: string | undefined,
  show: (text: string) => void,
): Promise<BackupRun> {
  const { server, domains } = config
  const dataDir = server.data_dir
  if (!isShared(config) && (await examineDataFolder({ dataDir, dkimDir: domains.dkim_dir })) === 'new')
    throw new CommandError(EXIT.failed, `${dataDir} holds no data: no daemon was ever started on it.`)
  const { blobs, close } = await openConfiguredBlobs(config, { clock: systemClock })
  const engine = await openEngine(config, { readOnly: true })
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const backups: Backups = createBackups({
    ...backupsOf(config, installedVersion()),
    configDir,
    copyStore: (folder) => engine.copy(folder),
    blobs,
    clock: systemClock,
    log: quiet,
  })
  try {
    let run = backups.begin(to)
    while (run.running) {
      run = await backups.wait(ASK_EVERY_MS)
      show(bar(run.bytes_done, run.bytes_total))
    }
    return run
  } finally {
    close()
    await engine.close()
  }
}

const restore = defineCommand({
  usage: 'restore FILE',
  options: ['to', 'key', 'json'],
  summary: 'unpack a backup into a new data folder',
  about:
    'Needs no daemon and no settings. --to names the new data folder, which must not exist or be empty. Everything is checked before it is put in place. If it is\ninterrupted, run the same command again; until then no daemon starts on the folder. Prints the next steps.',
  examples: [
    'restante restore restante-20261122T033000Z.tar.gz --to /var/lib/restante',
    'restante restore restante-20261122T033000Z.tar.gz.enc --to /var/lib/restante --key /root/backup.key',
  ],
  async run({ args: [name = ''], options, config: load, print, usage }) {
    if (options.to === undefined) throw usage('"restore" needs --to DIR, the new data folder')
    const [file, dir] = [resolve(name), resolve(options.to)]
    const progress = createProgress()
    try {
      await stat(file)
      await mkdir(dir, { recursive: true, mode: 0o700 })
      const keyFile = (): string => options.key ?? load().backup.key_file
      const manifest = await withFolder(dir, () =>
        restoreBackup({
          file,
          dir,
          at: systemClock.now(),
          by: operatingUser(),
          key: async () => (keyFile() === '' ? undefined : readBackupKey(keyFile())),
          onProgress: ({ bytesDone, bytesTotal }) => progress.show(bar(bytesDone, bytesTotal)),
        }),
      )
      progress.end()
      if (manifest === 'busy') throw new CommandError(EXIT.failed, `A daemon runs on ${dir}. Name another folder.`)
      print(options.json ? json(manifest) : nextSteps(manifest, dir))
    } catch (error) {
      if (error instanceof BackupError) throw new CommandError(EXIT.failed, `${error.message}.`)
      if (hasCode(error, 'ENOENT')) throw new CommandError(EXIT.failed, `There is no file ${file}.`)
      if (hasCode(error, 'EACCES'))
        throw new CommandError(EXIT.failed, `This user may not read ${file}, or not write to ${dir}.`)
      throw error
    } finally {
      progress.end()
    }
  },
})

function nextSteps(manifest: Manifest, dir: string): string {
  const { restante_version, created_at, mailboxes, blobs, domains, files_elsewhere, config_dir } = manifest
  const steps = [
    ...(process.getuid?.() === 0 ? [`Give the folder to the daemon's user: chown -R restante: ${dir}`] : []),
    ...(config_dir === null
      ? []
      : [
          `The settings of the old host are in ${join(dir, RESTORED_CONFIG)}. Look at them, and copy them to ${config_dir}.`,
        ]),
    ...(files_elsewhere.length === 0
      ? []
      : [`These files that they name are not in a backup: ${files_elsewhere.join(', ')}`]),
    ...(readdirSync(join(dir, 'dkim')).length > 0
      ? [
          `Its DKIM keys are in ${join(dir, 'dkim')}${join(manifest.data_dir, 'dkim') === manifest.dkim_dir ? '' : `; they were in ${manifest.dkim_dir} (domains.dkim_dir)`}.`,
        ]
      : [
          'Its secrets and DKIM keys are sealed in the database: set server.secret_key_file to the key of the old host.',
        ]),
    'Stop the old host for good before you start the new one: both would send the queued mail.',
    `Point A, AAAA, MX and reverse DNS of ${domains.join(', ')} at this host; "restante dns --check" says what is missing.`,
    `Check it with "restante verify --set server.data_dir=${dir}", and start the daemon with server.data_dir = "${dir}".`,
  ]
  return [
    `Restored to ${dir}: ${count(mailboxes, 'mailbox', 'mailboxes')} and ${count(blobs.count, 'file')} as of ${created_at}, made by Restante ${restante_version}.`,
    ...(blobs.missing > 0 ? [`${count(blobs.missing, 'file')} had been lost before that backup.`] : []),
    'Next:',
    ...steps.map((step, index) => `${index + 1}. ${step}`),
  ].join('\n')
}

export const commands = [backup, restore]
