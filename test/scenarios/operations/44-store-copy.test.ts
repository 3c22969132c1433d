/** A server that outgrows its embedded database moves to PostgreSQL by the commands of docs/cluster.md, and back. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { approvedAgent, request } from '../../support/agent.js'
import { freeListeners, run, setArgs, startDaemon, type Daemon } from '../../support/daemon.js'
import { postgresPeer, startPostgres } from '../../support/peers/postgres.js'
import { deliver } from '../../support/peers/smtp.js'

/** The lines of its blocks for a shell that begin so. */
const linesOf = (beginning: string): string[] =>
  readFileSync('docs/cluster.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(beginning))

/** Texts of the secrets and keys of a data folder, by path. */
function secretsIn(dataDir: string): Map<string, string> {
  const names = ['secrets', 'dkim/agents.test'].flatMap((dir) =>
    readdirSync(join(dataDir, dir)).map((name) => join(dir, name)),
  )
  const shared = names.filter((name) => !name.endsWith('admin_token'))
  return new Map(shared.map((name) => [name, readFileSync(join(dataDir, name), 'utf8')]))
}

t.test('the database is copied to PostgreSQL and back', { ...(await postgresPeer()), timeout: 180_000 }, async (t) => {
  const postgres = await startPostgres()
  t.teardown(() => postgres.stop())
  // Nobody types a password, and the server is the test's.
  for (const line of linesOf('sudo -u postgres create')) {
    const [program = '', ...words] = line.slice('sudo -u postgres '.length).replace('--pwprompt ', '').split(' ')
    const env = { ...process.env, PGHOST: '127.0.0.1', PGPORT: String(postgres.port), PGUSER: 'postgres' }
    execFileSync(program, words, { env })
  }
  const url = `postgres://restante@127.0.0.1:${postgres.port}/restante`
  const [command = ''] = linesOf('restante store copy')
  const words = command
    .replace(/^restante /, '')
    .replace(/postgres:\S+/, url)
    .replace(' --config /etc/restante', '')
    .split(' ')
  t.same(words, ['store', 'copy', '--to', url])
  const embedded = await startDaemon({ 'relay.outbound': 'off', 'store.url': '' })
  t.teardown(() => embedded.remove())
  const agent = await approvedAgent(embedded, 'ada.agent')
  const subjects = async (daemon: Daemon): Promise<string[]> => {
    const { body } = await request(`${daemon.url}/v1/messages`, 'GET', undefined, {
      authorization: `Bearer ${agent.key}`,
    })
    return body.data.map(({ subject }: { subject: string }) => subject).sort()
  }
  await deliver(embedded.smtpPort, { to: [agent.address], subject: 'one', text: 'x' })
  const others = Array.from({ length: 5 }, (_, i) =>
    deliver(embedded.smtpPort, { to: [agent.address], subject: `load ${i}`, text: 'x' }),
  )
  const [first] = await Promise.all([embedded.cli(...words), ...others])
  t.match(first, {
    code: 0,
    stdout: /Copied and compared \d+ partitions\.[^]*Stop all daemons and run the same command/,
  })
  t.ok(existsSync(join(embedded.dataDir, 'store')), 'the daemon works on')
  const keyFile = join(t.testdir(), 'secret.key')
  writeFileSync(keyFile, '00'.repeat(32), { mode: 0o600 })
  const onUrl = ['--set', `store.url=${url}`, '--set', `server.secret_key_file=${keyFile}`]
  t.match(await embedded.cli('store', 'status'), {
    code: 0,
    stdout: /^database +embedded, .*data\.mdb\nsize +\d+ entries, .*\ncontents +version \d+, written by Restante \d/,
  })
  t.match(await run('bin/restante', ['store', 'status', ...onUrl]), {
    code: 1,
    stdout: /\ncopy +incomplete/,
    stderr: /It is an incomplete copy: end it by "restante store copy"/,
  })
  await deliver(embedded.smtpPort, { to: [agent.address], subject: 'after', text: 'x' })
  await embedded.end('SIGTERM')
  const onCopy = ['start', '--set', `server.data_dir=${t.testdirName}/data`, ...setArgs(await freeListeners())]
  t.match(await run('bin/restante', [...onCopy, ...onUrl]), {
    code: 78,
    stderr: /the database of store\.url is an incomplete copy\. End it by "restante store copy"/,
  })
  const before = secretsIn(embedded.dataDir)
  t.equal(before.size, 6)

  t.match(await embedded.cli('store', 'copy'), { code: 64, stderr: /needs --to URL/ })
  t.match(await embedded.cli('store', 'copy', '--to', postgres.url('none')), {
    code: 1,
    stderr: /database "none" does not exist/,
  })
  const other = await startDaemon({ 'relay.outbound': 'off', 'store.url': '' })
  t.teardown(() => other.remove())
  await other.end('SIGTERM')
  t.match(await other.cli(...words), { code: 1, stderr: /A copy of another database was begun in it/ })
  const there = await embedded.cli(...words)
  t.match(there, { code: 0, stdout: /Copied and compared \d+ partitions?.*In the copy: \d+ partitions, \d+ rows/ })
  t.match(there.stdout, /Next: set store\.url = "postgres:/)
  const [, copied, all] = /compared (\d+) partition.*In the copy: (\d+) partition/.exec(there.stdout) ?? []
  t.ok(Number(copied) < Number(all) / 2, `${copied} of ${all} partitions had changed`)
  t.notOk(existsSync(join(embedded.dataDir, 'store')), 'no daemon starts on the old one by mistake')

  const shared = await startDaemon({
    'relay.outbound': 'off',
    'server.data_dir': embedded.dataDir,
    'store.url': url,
  })
  t.teardown(() => shared.remove())
  const moved = ['after', ...Array.from({ length: 5 }, (_, i) => `load ${i}`), 'one']
  t.same(await subjects(shared), moved)
  // They are in the database now, and the daemon needs none of the files.
  for (const name of before.keys()) rmSync(join(embedded.dataDir, name))
  t.match(await shared.cli('dkim', 'list'), { code: 0, stdout: /r\d+\._domainkey\.agents\.test .* signs/ })
  await deliver(shared.smtpPort, { to: [agent.address], subject: 'two', text: 'x' })
  // A backup of one moment, while the daemon runs, is the same kind of file as any.
  const dir = t.testdir()
  const file = join(dir, 'backup.tar.gz')
  t.match(await shared.cli('backup', '--to', file), { code: 0, stdout: /2 mailboxes/ })
  const restored = join(dir, 'restored')
  t.match(await embedded.cli('restore', file, '--to', restored), {
    code: 0,
    stdout: /Restored to[^]*sealed in the database: set server\.secret_key_file/,
  })
  t.match(await run('bin/restante', ['verify', '--set', `server.data_dir=${restored}`]), {
    code: 0,
    stdout: /^2 mailboxes, 8 messages.*nothing was found wrong/,
  })
  const copy = ['start', '--set', `server.data_dir=${restored}`, ...setArgs(await freeListeners())]
  t.match(await run('bin/restante', copy), {
    stderr: /server\.secret_key_file: has to be set for this start: the secrets in the database are sealed/,
  })
  t.match(await shared.cli('store', 'copy', '--to', 'embedded'), { code: 0, stdout: /The copy is incomplete/ })
  await deliver(shared.smtpPort, { to: [agent.address], subject: 'three', text: 'x' })
  await shared.end('SIGTERM')
  await shared.start()
  await shared.end('SIGTERM')
  t.match(await shared.cli('verify'), { code: 0, stdout: /nothing was found wrong/ })

  await postgres.createDatabase('another')
  t.match(await shared.cli('store', 'copy', '--to', postgres.url('another')), {
    code: 0,
    stdout: /Next: set store\.url .*The old database is as it was/,
  })

  const back = await shared.cli('store', 'copy', '--to', 'embedded', '--json')
  t.match(JSON.parse(back.stdout), { complete: true })
  t.notOk(existsSync(join(embedded.dataDir, 'store.copying')))
  t.match(await shared.cli('store', 'copy', '--to', 'embedded'), { code: 1, stderr: /has rows already/ })
  t.same(secretsIn(embedded.dataDir), before, 'nothing that was signed is lost')
  await embedded.start()
  t.same(await subjects(embedded), [...moved, 'three', 'two'])
  await embedded.end('SIGTERM')
  t.match(await embedded.cli('verify'), { code: 0, stdout: /nothing was found wrong/ })
  t.equal(readdirSync(embedded.dataDir).filter((name) => name.startsWith('store.copied-')).length, 1)
})

t.test(
  'another user than the daemon creates the tables',
  { ...(await postgresPeer()), timeout: 120_000 },
  async (t) => {
    const postgres = await startPostgres()
    t.teardown(() => postgres.stop())
    await postgres.createDatabase('mail')
    await postgres.sql('create role app login')
    const keyFile = join(t.testdir(), 'secret.key')
    writeFileSync(keyFile, '00'.repeat(32), { mode: 0o600 })
    const settings = ['--set', `store.url=${postgres.url('mail')}`, '--set', `server.secret_key_file=${keyFile}`]
    const store = (...words: string[]) => run('bin/restante', ['store', ...words, ...settings])
    t.match(await store('status'), { code: 0, stdout: /\nserver +PostgreSQL 1\d.*\ntables +none\n/ })
    t.match(await run('bin/restante', ['store', 'init']), { code: 1, stderr: /The database is embedded/ })
    const url = `postgres://app@127.0.0.1:${postgres.port}/mail`
    await t.rejects(startDaemon({ 'relay.outbound': 'off', 'store.url': url }), /permission denied for schema public/)
    const created = await store('init')
    t.match(created, { code: 0, stdout: /^Created the tables/ })
    t.match(await store('init'), { code: 0, stdout: /^The tables were there already/ })
    await postgres.sql(created.stdout.replace(/^Created.*\n/, '').replaceAll('USER', 'app'), 'mail')

    const daemon = await startDaemon({ 'relay.outbound': 'off', 'store.url': url })
    t.teardown(() => daemon.remove())
    const agent = await approvedAgent(daemon, 'ada.agent')
    await deliver(daemon.smtpPort, { to: [agent.address], subject: 'one', text: 'x' })
    t.equal(await daemon.end('SIGTERM'), 0)
    await postgres.sql('analyze', 'mail')
    const { stdout } = await store('status', '--json')
    const shown = JSON.parse(stdout)
    t.match(shown, { database: 'postgres', tables: 1, citus: false, synchronous_standby_names: '', standbys: [] })
    t.match(shown, { incomplete_copy: false, schema: { version: Number, by: String } })
    const [counted] = await postgres.sql('select count(*)::int as n from restante_version', 'mail')
    t.equal(shown.partitions, counted?.n)
    t.ok(shown.rows > shown.partitions && shown.bytes > 0)
  },
)
