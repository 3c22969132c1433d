/** `restante verify` and `restante repair` leave a folder alone that has the form of another version. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { verifyFolder } from '../../src/cli/verify/verify-child.js'
import { loadConfig } from '../../src/config/load.js'
import { oldestForm } from '../../src/daemon/upgrade/migration.js'
import { MIGRATIONS } from '../../src/daemon/upgrade/migrations.js'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { OLDEST_FORM, putSchema, SCHEMA_VERSION, type SchemaRecord } from '../../src/store/schema-version.js'
import { createStore } from '../../src/store/store.js'
import { run, startDaemon } from '../support/daemon.js'

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
          `What is stored in .* has form ${version}, which this version upgrades to form ${SCHEMA_VERSION}\\. It was not verified, .*\\nUpgrade it first: "restante store migrate"`,
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
  t.match(told, {
    code: 78,
    stderr:
      /has form 3, and its upgrade to form \d+ was begun and is not complete\..*\nComplete it first: "restante store migrate"/,
  })
})

t.test('a folder of a version to come', async (t) => {
  const dir = await folder(t, 'data-2')
  const store = createStore(openLmdb({ path: join(dir, 'store') }))
  await store.write('meta', (tx) => putSchema(tx, { version: SCHEMA_VERSION + 1, by: '77.0.0' }))
  await store.close()
  const told = await run(process.execPath, [BIN, 'repair', '--yes', '--set', `server.data_dir=${dir}`])
  t.match(told, {
    code: 78,
    stderr: /has form \d+; this version knows form \d+\. It was not verified.*\nIt takes Restante 77\.0\.0 or later/,
  })
})

t.test('an upgrade to a form to come', async (t) => {
  const dir = await folder(t, 'data-2')
  const store = createStore(openLmdb({ path: join(dir, 'store') }))
  await store.write('meta', (tx) => putSchema(tx, { version: SCHEMA_VERSION + 1, by: '77.0.0', from: SCHEMA_VERSION }))
  await store.close()
  const told = await run(process.execPath, [BIN, 'verify', '--set', `server.data_dir=${dir}`])
  t.match(told, {
    code: 78,
    stderr:
      /an upgrade to form \d+ was begun; this version knows form .* not verified.*\nIt takes Restante 77\.0\.0 or later/,
  })
})

t.test('an older form that this version also works on is verified as it is', async (t) => {
  t.equal(oldestForm(MIGRATIONS.map((each) => ({ ...each, isRolling: true }))), 0)
  t.equal(oldestForm(MIGRATIONS), OLDEST_FORM)
  const stopping = (to: number) => ({ to, about: '', step: async () => undefined })
  const rolling = (to: number) => ({ ...stopping(to), isRolling: true as const })
  t.equal(oldestForm([rolling(1), stopping(2), rolling(3), rolling(4)]), 2)
  const daemon = await startDaemon({ 'relay.outbound': 'off', 'store.url': '' })
  t.teardown(() => daemon.remove())
  await daemon.end('SIGTERM')
  const setForm = async (record: SchemaRecord): Promise<void> => {
    const store = createStore(openLmdb({ path: join(daemon.dataDir, 'store') }))
    await store.write('meta', (tx) => putSchema(tx, record))
    await store.close()
  }
  const { store, blobs } = loadConfig()
  const verify = (oldest: number) =>
    verifyFolder(
      { dataDir: daemon.dataDir, store, blobs, live: false, quick: true, oldestForm: oldest },
      join(daemon.dataDir, 'dkim'),
      () => undefined,
    )
  const OLDER = SCHEMA_VERSION - 1
  for (const record of [
    { version: OLDER, by: '1' },
    { version: SCHEMA_VERSION, by: '1', from: OLDER },
  ]) {
    await setForm(record)
    t.match(await verify(OLDER), { mailboxes: 1, findings: [], form: OLDER })
    await t.rejects(verify(SCHEMA_VERSION), { message: /It was not verified/ })
  }
  await setForm({ version: SCHEMA_VERSION, by: '1' })
  t.equal((await verify(OLDER)).form, undefined)
})
