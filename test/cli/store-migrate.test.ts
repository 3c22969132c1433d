/** `restante store migrate`: what is stored is upgraded without a daemon. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { joinCluster } from '../../src/cluster/cluster.js'
import type { Member } from '../../src/cluster/rows.js'
import { lockDataDir } from '../../src/config/lock.js'
import { MIGRATIONS } from '../../src/daemon/upgrade/migrations.js'
import { systemClock } from '../../src/lib/clock.js'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { openPostgres } from '../../src/store/engines/postgres/postgres.js'
import { putSchema, readSchema, SCHEMA_VERSION } from '../../src/store/schema-version.js'
import { createStore } from '../../src/store/store.js'
import { approvedAgent, request } from '../support/agent.js'
import { run, setArgs, startDaemon, writeSecretKey, type CliResult } from '../support/daemon.js'
import { postgresPeer, startPostgres } from '../support/peers/postgres.js'
import { deliver } from '../support/peers/smtp.js'

const FOLDERS = join(process.cwd(), 'test/data-folders')
const BIN = join(process.cwd(), 'bin/restante')
const FORM = SCHEMA_VERSION
/** The form before the last migration that no node can work beside. */
const BEFORE = (MIGRATIONS.findLast(({ isRolling }) => !isRolling)?.to ?? FORM) - 1

async function folder(t: Test, name: string): Promise<string> {
  const dir = t.testdir()
  t.equal((await run('tar', ['-xzf', join(FOLDERS, `${name}.tar.gz`), '-C', dir])).code, 0)
  return dir
}

const onFolder = (dir: string): string[] => setArgs({ 'server.data_dir': dir })

const migrate = (settings: string[], ...words: string[]): Promise<CliResult> =>
  run(process.execPath, [BIN, 'store', 'migrate', ...words, ...settings])

async function subjectsOf(url: string, key: string): Promise<string[]> {
  const { body } = await request(`${url}/v1/threads?limit=100`, 'GET', undefined, { authorization: `Bearer ${key}` })
  return body.data.map(({ subject }: { subject: string }) => subject).sort()
}

/** Has it send itself a signal with its first line that has these words: one from here would come at some later step. @returns how it ended */
async function endedAt(words: string, settings: string[], signal: NodeJS.Signals) {
  const cut = `const write = process.stderr.write.bind(process.stderr)
    process.stderr.write = (text, ...more) => {
      const written = write(text, ...more)
      if (String(text).includes(${JSON.stringify(words)})) process.kill(process.pid, '${signal}')
      return written
    }`
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(cut)}`, BIN, 'store', 'migrate', ...settings],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  await once(child, 'close')
  return { signal: child.signalCode, code: child.exitCode, said }
}

for (const [name, form] of [
  ['0.1.0', 0],
  ['data-2', 2],
] as const)
  t.test(`a folder of ${name} is upgraded before a daemon starts on it`, async (t) => {
    const dir = await folder(t, name)
    const first = await migrate(onFolder(dir), '--json')
    t.match(first, {
      code: 0,
      stderr: new RegExp(`is brought from version ${form} to ${FORM}:.*the way back is a backup`),
    })
    t.same(JSON.parse(first.stdout), { from: form, to: FORM, upgraded: true })
    const again = await migrate(onFolder(dir))
    t.same(again, {
      code: 0,
      stdout: `Nothing to do: what is stored has form ${FORM}, the newest that this version knows.\n`,
      stderr: '',
    })
    t.same(JSON.parse((await migrate(onFolder(dir), '--json')).stdout), { from: FORM, to: FORM, upgraded: false })
    t.match(await run(process.execPath, [BIN, 'verify', ...onFolder(dir)]), {
      code: 0,
      stdout: /nothing was found wrong/,
    })
    const { key } = z
      .object({ key: z.string() })
      .parse(JSON.parse(await readFile(join(FOLDERS, `${name}.json`), 'utf8')))
    const daemon = await startDaemon({ 'relay.outbound': 'off', 'server.data_dir': dir, 'store.url': '' })
    t.teardown(() => daemon.remove())
    t.notMatch(daemon.output(), 'is brought from version', 'nothing is left to its start')
    t.ok((await subjectsOf(daemon.url, key)).includes('letter 0'))
  })

t.test('a run that is killed is continued by the next', async (t) => {
  const dir = await folder(t, 'data-2')
  // Those of 7 and 9 come first.
  for (const to of [7, 3, 8])
    t.match(await endedAt(`upgrading what is stored  to=${to}`, onFolder(dir), 'SIGKILL'), { signal: 'SIGKILL' })
  t.match(await migrate(onFolder(dir)), { code: 0, stdout: new RegExp(`form ${FORM} now`) })
  t.match(await run(process.execPath, [BIN, 'verify', ...onFolder(dir)]), {
    code: 0,
    stdout: /nothing was found wrong/,
  })
})

t.test('Ctrl-C stops it at a safe point, and says how to go on', async (t) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const dir = await folder(t, 'data-2')
    const { code, signal: by, said } = await endedAt('upgrading what is stored  to=7', onFolder(dir), signal)
    t.match([code, by], [1, null], said)
    t.match(said, /Stopping after the running step[^]*Stopped\. What was done stays done.*run this again/)
    t.notMatch(said, /at .*\.js:\d+/)
    t.match(
      await migrate(onFolder(dir)),
      { code: 0, stdout: new RegExp(`form ${FORM} now`) },
      'the folder is not locked',
    )
    t.match(await run(process.execPath, [BIN, 'verify', ...onFolder(dir)]), { stdout: /nothing was found wrong/ })
  }
})

t.test('what it leaves alone', async (t) => {
  const empty = t.testdir()
  t.match(await migrate(onFolder(empty)), {
    code: 0,
    stdout: 'Nothing to do: no daemon was ever started on this database.',
  })
  t.same(JSON.parse((await migrate(onFolder(empty), '--json')).stdout), { from: null, to: null, upgraded: false })
  t.match(await migrate(onFolder(join(empty, 'none'))), { code: 0, stdout: /no daemon was ever started/ })

  const dir = await folder(t, 'data-2')
  const release = await lockDataDir(dir)
  t.match(await migrate(onFolder(dir)), { code: 1, stdout: '', stderr: /A daemon runs on .* restart it\. Or stop it/ })
  await release()
  const store = createStore(openLmdb({ path: join(dir, 'store') }))
  await store.write('meta', (tx) => putSchema(tx, { version: FORM + 1, by: '77.0.0' }))
  await store.close()
  t.match(await migrate(onFolder(dir)), { code: 78, stderr: /Start Restante 77\.0\.0 or later.*nothing was changed/ })
})

/** As other nodes have; the command asks for nothing in it. */
const BUCKET = 's3://restante/mail'

const memberOf = (name: string, knows: number): Member => ({
  id: name,
  instance: name,
  name,
  host: 'elsewhere',
  pid: 1,
  version: '0.9.0',
  knows,
  roles: ['jobs'],
  blobs: BUCKET,
  since: 0,
})

t.test('a shared database', { ...(await postgresPeer()), timeout: 120_000 }, async (t) => {
  const postgres = await startPostgres()
  t.teardown(() => postgres.stop())
  await postgres.createDatabase('mail')
  const secrets = t.testdir()
  const shared = {
    'store.url': postgres.url('mail'),
    'server.secret_key_file': await writeSecretKey(secrets),
    'server.data_dir': join(secrets, 'data'),
  }
  t.match(await migrate(setArgs(shared)), { code: 0, stdout: /no daemon was ever started/ })
  t.same(
    await postgres.sql("select 1 from pg_tables where tablename like 'restante%'", 'mail'),
    [],
    'it creates nothing',
  )
  t.match(await migrate(setArgs({ ...shared, 'store.url': postgres.url('none') })), {
    code: 1,
    stderr: /database "none" does not exist/,
  })

  const daemon = await startDaemon({ 'relay.outbound': 'off', 'store.url': postgres.url('mail') })
  t.teardown(() => daemon.remove())
  const agent = await approvedAgent(daemon, 'ada.agent')
  await deliver(daemon.smtpPort, { to: [agent.address], subject: 'one', text: 'x' })
  t.match(await daemon.cli('store', 'migrate'), { code: 0, stdout: /Nothing to do/ }, 'beside the daemon')
  await daemon.end('SIGTERM')

  const open = () => openPostgres({ url: postgres.url('mail'), clock: systemClock })
  const store = createStore(await open())
  t.teardown(() => store.close())
  await store.write('meta', (tx) => putSchema(tx, { version: BEFORE, by: '0.9.0' }))
  const other = await joinCluster({
    engine: await open(),
    me: memberOf('other', FORM),
    signal: new AbortController().signal,
    onTwin: () => undefined,
    onMembers: () => undefined,
    onDead: () => undefined,
    onError: () => undefined,
    onLost: () => undefined,
  })
  t.match(await daemon.cli('store', 'migrate', ...setArgs({ 'blobs.url': BUCKET })), {
    code: 78,
    stdout: '',
    stderr:
      /1 other daemon works on the database .*Stop all of them, run "restante store migrate" of this version.*nothing was changed/,
  })
  t.match(await readSchema(store), { version: BEFORE, from: undefined })
  t.match((await daemon.cli('cluster', 'status', '--json')).stdout, /^(?!.*"roles": \[\])/s, 'it has left')
  await other.engine.close()
  t.match(await daemon.cli('store', 'migrate'), {
    code: 0,
    stdout: `What is stored had form ${BEFORE}, and has form ${FORM} now.\n`,
  })
  t.match(await daemon.cli('cluster', 'status'), { code: 1, stderr: /No daemon works on the database/ }, 'it has left')
  t.match(await readSchema(store), { version: FORM, from: undefined })
  await daemon.start()
  t.same(await subjectsOf(daemon.url, agent.key), ['one'])
})
