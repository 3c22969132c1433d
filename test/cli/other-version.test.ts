/** `restante verify` and `restante repair` leave a folder alone that has the form of another version. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { putSchema, SCHEMA_VERSION } from '../../src/store/schema-version.js'
import { createStore } from '../../src/store/store.js'
import { run } from '../support/daemon.js'

const FOLDERS = join(process.cwd(), 'test/data-folders')
const BIN = join(process.cwd(), 'bin/restante')

async function folder(t: Test, name: string): Promise<string> {
  const dir = t.testdir()
  t.equal((await run('tar', ['-xzf', join(FOLDERS, `${name}.tar.gz`), '-C', dir])).code, 0)
  return dir
}

const hashOf = async (dir: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(join(dir, 'store/data.mdb')))
    .digest('hex')

for (const [name, version] of [
  ['0.1.0', 0],
  ['data-2', 2],
] as const)
  t.test(`a folder of ${name}`, async (t) => {
    const dir = await folder(t, name)
    const before = await hashOf(dir)
    for (const words of [['verify'], ['repair', '--yes']])
      t.match(await run(process.execPath, [BIN, ...words, '--set', `server.data_dir=${dir}`]), {
        code: 78,
        stdout: '',
        stderr: new RegExp(
          `has the form of version ${version}, and this .* version ${SCHEMA_VERSION}\\. .*\\nStart the daemon`,
        ),
      })
    t.equal(await hashOf(dir), before, 'nothing was changed')
  })

t.test('a folder whose upgrade was cut off', async (t) => {
  const dir = await folder(t, 'data-2')
  const store = createStore(openLmdb({ path: join(dir, 'store') }))
  await store.write('meta', (tx) => putSchema(tx, { version: SCHEMA_VERSION, by: '1.0.0', from: 3 }))
  await store.close()
  const told = await run(process.execPath, [BIN, 'repair', '--yes', '--set', `server.data_dir=${dir}`])
  t.match(told, { code: 78, stderr: /has the form of version 3, .*\nStart the daemon/ })
})

t.test('a folder of a version to come', async (t) => {
  const dir = await folder(t, 'data-2')
  const store = createStore(openLmdb({ path: join(dir, 'store') }))
  await store.write('meta', (tx) => putSchema(tx, { version: SCHEMA_VERSION + 1, by: '77.0.0' }))
  await store.close()
  const told = await run(process.execPath, [BIN, 'repair', '--yes', '--set', `server.data_dir=${dir}`])
  t.match(told, { code: 78, stderr: /It takes Restante 77\.0\.0 or later/ })
})
