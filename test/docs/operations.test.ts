/** The commands of docs/operations.md, run as they stand there, on folders of this test. */
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { ensureRecord } from '../../src/accounts/record.js'
import { configReference } from '../../src/config/reference.js'
import { META_PARTITION } from '../../src/mailbox/keys.js'
import { encode, key } from '../../src/store/keys.js'
import { LARGE, makeFolder } from '../ops/backup/folder.js'
import { run } from '../support/daemon.js'

t.test('each block of commands does what it says', async (t) => {
  const { root, dataDir, world } = await makeFolder(t)
  await world.store.write(`account/${world.account.id}`, (tx) =>
    ensureRecord(tx, world.account.id, null, world.clock.now()),
  )
  await world.store.write(`account/${world.account.id}`, (tx) => tx.put(key('mailbox', world.id), encode(1)))
  await world.store.write(META_PARTITION, (tx) => tx.put(key('account-ownerless', world.account.id), encode(1)))
  await world.deliver({ subject: 'hello', text: LARGE })
  const bin = join(root, 'bin')
  const etc = join(root, 'etc')
  const backups = join(root, 'backups')
  for (const dir of [bin, etc, backups]) await mkdir(dir)
  await symlink(join(process.cwd(), 'bin/restante'), join(bin, 'restante'))
  const tables: string[] = []
  const text = await readFile(join(process.cwd(), 'docs/operations.md'), 'utf8')
  const places: [path: string, here: string][] = [
    ['/etc/restante', etc],
    ['/mnt/backups', backups],
    ['/var/lib/restante', join(root, 'restored')],
    ['/tmp/look', join(root, 'look')],
  ]
  const here = (words: string): string => places.reduce((all, [path, dir]) => all.replaceAll(path, dir), words)
  await writeFile(join(etc, 'server.toml'), `data_dir = ${JSON.stringify(dataDir)}\n`)
  let ran = 0
  for (const [, kind, block = ''] of text.matchAll(/^```(sh|toml)\n([^]*?)^```$/gm)) {
    if (kind === 'toml') {
      tables.push(block)
      continue
    }
    // These ask a daemon: test/scenarios/operations/41-audit.test.ts.
    if (block.startsWith('restante audit')) continue
    // The name that a backup has follows from its time.
    const names = (await readdir(backups)).sort()
    const named = (suffix: string): string => names.filter((name) => name.endsWith(suffix)).at(-1) ?? 'none'
    const commands = here(block)
      .replaceAll('restante-20261122T033000Z.tar.gz.enc', named('.enc'))
      .replaceAll('restante-20261122T033000Z.tar.gz', named('.tar.gz'))
    const script = `set -e\nPATH=${bin}:$PATH\n${commands}`
    const { code, stdout, stderr } = await run('sh', ['-c', script])
    t.equal(code, 0, `${block}${stdout}${stderr}`)
    ran++
  }
  t.equal(ran, 6, 'none was left out')
  t.equal((await readdir(backups)).length, 2)
  t.ok((await readdir(join(root, 'restored'))).includes('store'))
  t.ok((await readdir(join(root, 'look'))).includes('manifest.json'))

  const [settings = ''] = tables
  for (const [, name = ''] of settings.matchAll(/^(\w+) = /gm)) t.match(configReference(), `backup.${name}`)
  await chmod(join(etc, 'backup.key'), 0o600)
  await writeFile(join(etc, 'backup.toml'), here(settings))
  t.match(await run(join(bin, 'restante'), ['config', 'check', '--config', etc]), { code: 0 })
})
