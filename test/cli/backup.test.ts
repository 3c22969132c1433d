/** Backups without a daemon: of the folder itself, and onto a disk that is full. */
import { randomBytes } from 'node:crypto'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { makeFolder } from '../ops/backup/folder.js'
import { run } from '../support/daemon.js'
import { peer } from '../support/peers/peers.js'

const BIN = join(process.cwd(), 'bin/restante')

t.test('a folder on which no daemon runs is backed up and restored', async (t) => {
  const { root, dataDir, world } = await makeFolder(t)
  await world.deliver({ subject: 'hello' })
  const data = ['--set', `server.data_dir=${dataDir}`]
  const to = `${join(root, 'out')}/`
  const made = await run(BIN, ['backup', '--to', to, ...data])
  t.match(made, {
    code: 0,
    stdout: /restante-\d{8}T\d{6}Z\.tar\.gz \(.*, 1 mailbox, 0 files\)/,
    stderr: /not encrypted/,
  })
  const [name = ''] = await readdir(to)
  const dir = join(root, 'restored')
  const restored = await run(BIN, ['restore', join(to, name), '--to', dir])
  t.match(restored, { code: 0, stdout: /^Restored to .*\nNext:\n1\. / })
  t.match(restored.stdout, 'Stop the old host for good')
  t.same((await readdir(dir)).sort(), ['blobs', 'certificates', 'dkim', 'secrets', 'store'], 'no lock is left')
  const nothing = join(root, 'nothing')
  t.match(await run(BIN, ['backup', '--set', `server.data_dir=${nothing}`]), {
    code: 69,
    stderr: /There is no data folder/,
  })
  await mkdir(nothing)
  t.match(await run(BIN, ['backup', '--set', `server.data_dir=${nothing}`]), { code: 1, stderr: /holds no data/ })
  t.same(await readdir(nothing), [])
  t.match(await run(BIN, ['restore', join(to, name)]), { code: 64, stderr: /needs --to DIR/ })
  t.match(await run(BIN, ['restore', join(root, 'no'), '--to', dir]), { code: 1, stderr: /There is no file/ })
})

t.test('a disk that is full is told, and nothing is left on it', peer('unshare', '/usr/bin/unshare'), async (t) => {
  const { root, dataDir, world } = await makeFolder(t)
  for (let i = 0; i < 6; i++) await world.deliver({ subject: `${i}`, text: randomBytes(60_000).toString('base64') })
  const disk = join(root, 'disk')
  await mkdir(disk)
  const backup = `${BIN} backup --json --to ${disk}/ --set server.data_dir=${dataDir} --set server.min_free_bytes=0`
  // The names of the commands are those of this machine, the disk is one that only they see.
  const onDisk = (bytes: number): Promise<{ code: number; stdout: string; stderr: string }> =>
    run('unshare', [
      '-rm',
      'sh',
      '-c',
      `mount -t tmpfs -o size=${bytes} none ${disk}; ${backup}; code=$?; ls -A ${disk}; exit $code`,
    ])
  t.match(
    await onDisk(40_000),
    { code: 1, stdout: '', stderr: /There is no room in .*disk/ },
    'before anything is written',
  )
  const enough = await onDisk(4_000_000)
  t.equal(enough.code, 0, enough.stderr)
  const bytes = Number(/"bytes": (\d+)/.exec(enough.stdout)?.[1])
  const cutOff = await onDisk(Math.floor(bytes * 0.92))
  t.match(cutOff, { code: 1, stdout: '', stderr: /Could not write .*: the disk is full\. Nothing is left of it\.$/m })
  t.notOk((await readdir(dataDir)).includes('backup.work'))
})
