/** One backup at a time; old ones go when a newer one is whole; how each went is written down. */
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { createBackups, measureBackups, type BackupsDeps } from '../../../src/ops/backup/backups.js'
import { parseBackupName } from '../../../src/ops/backup/format.js'
import { DAY, HOUR } from '../../../src/lib/clock.js'
import { createMetrics } from '../../../src/observe/metrics.js'
import { makeFolder, type Folder } from './folder.js'

const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }

function backupsOf(
  { deps, dataDir, world }: Folder,
  { keyFile = '', ...others }: Partial<BackupsDeps> & { keyFile?: string } = {},
) {
  const settings = { folder: join(dataDir, 'backups'), keepMs: 2 * DAY, keyFile }
  const given = { clock: world.clock, log: quiet, settings }
  return createBackups({ ...deps, ...given, ...others })
}

const never = new AbortController().signal

t.test('those that have had their time go after a new one, and nothing else', async (t) => {
  const folder = await makeFolder(t)
  const { clock } = folder.world
  const backups = backupsOf(folder)
  const dir = join(folder.dataDir, 'backups')
  t.match(await backups.run(never), { removed: 0 })
  const [first = ''] = await readdir(dir)
  t.equal(parseBackupName(first)?.at, clock.now())
  for (const name of ['mine.tar.gz', 'restante-20200101T000000Z.tar', 'restante-20209999T000000Z.tar.gz'])
    await writeFile(join(dir, name), 'x')
  const [cutOff, underway] = ['restante-20250101T000000Z.tar.gz.partial', 'restante-20250102T000000Z.tar.gz.partial']
  for (const name of [cutOff, underway]) await writeFile(join(dir, name), 'x')
  await utimes(join(dir, cutOff), new Date(clock.now() - 2 * HOUR), new Date(clock.now() - 2 * HOUR))
  clock.advance(DAY)
  t.match(await backups.run(never), { removed: 1 })
  t.notOk((await readdir(dir)).includes(cutOff))
  clock.advance(DAY + HOUR)
  t.match(await backups.run(never), { removed: 1 }, 'the first')
  clock.advance(30 * DAY)
  const failing = backupsOf(folder, { freeBytes: async () => 0 })
  await t.rejects(failing.run(never), { name: 'BackupError' })
  const names = await readdir(dir)
  t.equal(names.length, 6, 'while none is made none goes')
  t.ok(names.includes(underway), 'nor one that is being written')
  t.match(await backups.run(never), { removed: 2 })
})

t.test('how it went is known to whoever asks, to metrics and to a doctor', async (t) => {
  const folder = await makeFolder(t)
  const { clock } = folder.world
  const errors: unknown[] = []
  const backups = backupsOf(folder, { log: { ...quiet, error: (fields) => errors.push(fields) } })
  const metrics = createMetrics()
  measureBackups(metrics, clock, backups.status)
  const lines = async () => (await metrics.render()).body.match(/^restante_backup\S+ \S+$/gm)
  t.same(await lines(), ['restante_backup_age_seconds -1', 'restante_backup_last_failed 0'])
  t.same(await backups.status(), { last: null, failed: null })

  const at = new Date(clock.now()).toISOString()
  t.match(backups.begin(), { running: true })
  t.throws(() => backups.begin(), { code: 'too_late' })
  const { ended, running, error } = await backups.wait(60_000)
  t.match({ ended, running, error }, { ended: { mailboxes: 1, encrypted: false }, running: false, error: null })
  t.match(await backups.status(), { last: { at, file: ended?.file, encrypted: false }, failed: null })
  clock.advance(90_000)
  t.same(await lines(), ['restante_backup_age_seconds 90', 'restante_backup_last_failed 0'])

  backups.begin(ended?.file)
  t.match(await backups.wait(60_000), { running: false, error: /is there already/ })
  t.match(await backups.status(), { last: { at }, failed: { message: /is there already/ } })
  t.same(await lines(), ['restante_backup_age_seconds 90', 'restante_backup_last_failed 1'])
  t.match(errors, [{ err: { name: 'BackupError' } }])
})

t.test('a key that is none is told before anything is written', async (t) => {
  const folder = await makeFolder(t)
  const keyFile = join(folder.root, 'key')
  await writeFile(keyFile, 'too short\n')
  const backups = backupsOf(folder, { keyFile })
  await t.rejects(backups.run(never), { message: /holds no key for backups. Make one with: openssl rand -hex 32/ })
  t.notOk((await readdir(folder.dataDir)).includes('backups'))
  await writeFile(keyFile, `${'0a'.repeat(32)}\n`)
  await backups.run(never)
  t.match(await readdir(join(folder.dataDir, 'backups')), [/\.tar\.gz\.enc$/])
})

t.test('a daemon that stops does not wait for its end, and leaves nothing of it', async (t) => {
  const folder = await makeFolder(t)
  await folder.world.deliver({ subject: 'large', text: 'x'.repeat(100_000) })
  const backups = backupsOf(folder)
  backups.begin()
  await backups.stop()
  t.match(await backups.wait(0), { running: false, error: /The daemon was stopped/ })
  t.same(await readdir(join(folder.dataDir, 'backups')).catch(() => []), [])
})
