/**
 * The second shape of docs/cluster.md, by the commands and files of the page: two daemons behind a proxy, a primary and its standby, a bucket. One of each is
 * lost, and mail flows. Other than on the page are names, addresses and paths; the test starts the servers itself, in the place of apt and systemd.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { loadConfig } from '../../../src/config/load.js'
import { solve } from '../../support/agent.js'
import { run, startDaemon, type Daemon } from '../../support/daemon.js'
import { startPeer } from '../../support/peers/peer-server.js'
import { allPeers, peer } from '../../support/peers/peers.js'
import { binaries, postgresPeer, startCopy, startPostgres, type Postgres } from '../../support/peers/postgres.js'
import { call, proxies, startProxy, type Place } from '../../support/peers/proxies.js'
import { startS3Server, type S3Server } from '../../support/peers/s3-server.js'
import { deliver } from '../../support/peers/smtp.js'

// The database is that of the page, whatever other tests run on.
delete process.env.TEST_STORE

const page = readFileSync('docs/cluster.md', 'utf8')

/** The blocks below a heading, of a language. */
function blocksOf(heading: string, language: string): string[] {
  const chapter = page.split(/^##+ /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  return [...chapter.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block)
}

function blockOf(heading: string, language = 'sh', index = 0): string {
  const block = blocksOf(heading, language)[index]
  if (block === undefined)
    throw new Error(`docs/cluster.md has no block ${index + 1} of ${language} below "${heading}"`)
  return block
}

const replaced = (text: string, words: [string, string][]): string =>
  words.reduce((all, [from, to]) => all.replaceAll(from, to), text)

const proxyOf = (name: string) => {
  const proxy = proxies.find(({ file }) => file.endsWith(name))
  if (!proxy) throw new Error(name)
  return proxy
}
const haproxy = proxyOf('haproxy.cfg')
const nginx = proxyOf('nginx.conf')
const needed = allPeers(
  await postgresPeer(),
  peer('HAProxy', haproxy.program),
  peer('nginx', nginx.program),
  peer('openssl', '/usr/bin/openssl'),
)

t.test('two of each', { ...needed, timeout: 240_000 }, async (t) => {
  const { primary, standby } = await startDatabases(t)
  const bucket = await startS3Server()
  t.teardown(() => bucket.stop())
  const receiver = await startPeer()
  t.teardown(() => receiver.close())
  const nodes = await startNodes(t, { primary, standby, bucket, smarthost: `127.0.0.1:${receiver.port}` })
  const [one, two] = nodes
  const ports = nodes.map(({ url }) => Number(new URL(url).port))
  const proxy = await startProxy(t, haproxy, ports[0] ?? 0, ports[1])

  async function ask(at: Place, method: string, path: string, key = '', message?: unknown) {
    const headers = { ...(key && { authorization: `Bearer ${key}` }), 'content-type': 'application/json' }
    const body = message === undefined ? undefined : Buffer.from(JSON.stringify(message))
    const answer = await call(at, path, { method, headers }, body)
    return { status: answer.status, body: JSON.parse(answer.body.toString()) }
  }

  const { body: task } = await ask(proxy, 'GET', '/v1/claim/challenge')
  const nonce = solve(task.challenge, task.difficulty)
  const wish = { challenge: task.challenge, nonce, name: 'ada.agent', agent_name: 'x' }
  const { body: claimed } = await ask(proxy, 'POST', '/v1/claim', '', wish)
  const address: string = claimed.address
  const key: string = claimed.api_key
  t.match(await two.cli('claim', 'approve', address), { code: 0 })

  const seen = async (at: Place): Promise<number> => (await ask(at, 'GET', '/v1/events', key)).body.next_after
  const poll = async (at: Place) => {
    const { status, body } = await ask(
      at,
      'GET',
      `/v1/events?after=${await seen(at)}&wait=60&types=message.received`,
      key,
    )
    if (status !== 200) throw new Error(`the poll was answered with ${status}: ${JSON.stringify(body)}`)
    return { status, subjects: body.data.map((event: { data: { subject: string } }) => event.data.subject) }
  }
  const isWaiting = async (node: Daemon): Promise<boolean> => {
    const token = readFileSync(join(node.dataDir, 'secrets/admin_token'), 'utf8').trim()
    const answer = await fetch(`${node.adminUrl}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    return /^restante_http_requests_waiting [1-9]/m.test(await answer.text())
  }
  let alive: Daemon[] = nodes
  /** The daemon at which a poll waits. The time limit of the test ends it otherwise. */
  const holder = async (): Promise<Daemon> => {
    for (;;) {
      for (const node of alive) if (await isWaiting(node)) return node
      await pause(20)
    }
  }
  const receive = (node: Daemon, subject: string): Promise<string> =>
    deliver(node.smtpPort, { to: [address], subject, text: 'Noon?' })
  async function send(t: Test, at: Place, subject: string): Promise<void> {
    const count = receiver.mail.length
    t.match(await ask(at, 'POST', '/v1/send', key, { to: ['carol@peer.test'], subject, text: 'Yes.' }), { status: 202 })
    await receiver.count(count + 1)
    t.match(receiver.mail.at(-1)?.raw.toString(), `Subject: ${subject}`)
  }
  async function flows(t: Test, at: Place, node: Daemon, name: string): Promise<void> {
    const polled = poll(at)
    await holder()
    t.match(await receive(node, `To ${name}`), /^250 /)
    t.same(await polled, { status: 200, subjects: [`To ${name}`] })
    await send(t, at, `From ${name}`)
  }

  await t.test('mail flows by each daemon, and large mail goes to the bucket', async (t) => {
    t.match(await one.cli('cluster', 'status'), { code: 0, stdout: /mx1[^]*mx2/ })
    await flows(t, proxy, one, 'the first')
    await flows(t, proxy, two, 'the second')
    const attachments = [{ filename: 'x', content: randomBytes(200_000) }]
    await deliver(two.smtpPort, { to: [address], subject: 'Large', attachments })
    t.equal([...bucket.objects.keys()].filter((name) => name.includes('restante/mbx_')).length, 1)
  })

  await t.test('a daemon is killed: who waits does not notice, and mail flows', async (t) => {
    const polled = poll(proxy)
    const lost = await holder()
    const other = lost === one ? two : one
    alive = [other]
    await lost.end('SIGKILL')
    t.match(await receive(other, 'Meanwhile'), /^250 /)
    t.same(await polled, { status: 200, subjects: ['Meanwhile'] })
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(proxy, 'GET', '/v1/mailbox', key)))
    t.same([...new Set(answers.map(({ status }) => status))], [200])
    await send(t, proxy, 'One is enough')

    await t.test('by nginx too', async (t) => {
      const inFile = /upstream restante \{\n[^]*?\n\}\n/.exec(readFileSync(nginx.file, 'utf8'))?.[0] ?? ''
      const both = await startProxy(
        t,
        {
          ...nginx,
          replaced: (at) => [
            [inFile, blockOf('The proxy', 'nginx')],
            ...nginx.replaced(at).slice(0, -1),
            ['10.0.0.11:8080', `127.0.0.1:${at.api}`],
            ['10.0.0.12:8080', `127.0.0.1:${at.second}`],
          ],
        },
        ports[0] ?? 0,
        ports[1],
      )
      await flows(t, both, other, 'one by nginx')
    })
    await lost.start()
    alive = nodes
    t.match(await other.cli('cluster', 'status'), { code: 0, stdout: /mx1[^]*mx2/ })
  })

  await t.test('the primary is lost, and the standby promoted: nothing is lost, and mail flows', async (t) => {
    await primary.kill()
    await t.rejects(receive(one, 'Too early'), { message: /45\d/ })
    await command(standby, blockOf('When one is lost'), [])
    for (const node of nodes) await untilWell(node)
    for (const [index, node] of nodes.entries()) await flows(t, proxy, node, `the new primary ${index}`)
    const { status, body } = await ask(proxy, 'GET', '/v1/messages?limit=50&label=inbox', key)
    t.equal(status, 200, JSON.stringify(body))
    const subjects: string[] = body.data.map(({ subject }: { subject: string }) => subject)
    for (const subject of ['To the first', 'Large', 'Meanwhile', 'To one by nginx'])
      t.ok(subjects.includes(subject), subject)
    t.match(await one.cli('verify'), { code: 0 })
  })
})

/** Primary and standby, by the commands of the page. */
async function startDatabases(t: Test): Promise<{ primary: Postgres; standby: Postgres }> {
  const primary = await startPostgres()
  t.teardown(() => primary.stop())
  await command(primary, blockOf('The primary'), wordsOf(primary.dir))
  await command(primary, blockOf('PostgreSQL'), [])
  const block = blockOf('The standby')
  const standby = await startCopy((bin, data) => {
    const dir = join(data, '..')
    const words: [string, string][] = [
      ...wordsOf(dir),
      ['host=db1.example.com ', `host=127.0.0.1 port=${primary.port} `],
    ]
    // Debian's package has made a server, which the commands replace. Two machines would have their certificates at the same path.
    const own = `sed -i s,${primary.dir}/,${dir}/, ${data}/postgresql.auto.conf`
    return ['/bin/sh', ['-euc', shellOf(dir, bin, `mkdir -p ${data}; ${replaced(block, words)}\n${own}`)]]
  })
  t.teardown(() => standby.stop())
  const shown = await command(primary, blockOf('The standby', 'sh', 1), [])
  for (let tries = 0; !/db2 +\| sync/.test(shown) && tries < 100; tries++) {
    const rows = await primary.sql(
      "select 1 from pg_stat_replication where application_name = 'db2' and sync_state = 'sync'",
    )
    if (rows.length > 0) break
    await pause(100)
  }
  t.match(await primary.sql('select application_name, sync_state from pg_stat_replication'), [
    { application_name: 'db2', sync_state: 'sync' },
  ])
  t.same(await primary.sql('select line_number, error from pg_hba_file_rules where error is not null'), [])
  for (const [index, server] of [primary, standby].entries()) {
    const ca = readFileSync(join(server.dir, 'server.crt'), 'utf8')
    const secure = new Client({ connectionString: server.url(), ssl: { ca, servername: `db${index + 1}.example.com` } })
    await secure.connect()
    await secure.end()
  }
  return { primary, standby }
}

const wordsOf = (dir: string): [string, string][] => [
  ['/etc/postgresql/15/main', join(dir, 'data')],
  ['/var/lib/postgresql/15/main', join(dir, 'data')],
  ['/etc/postgresql', dir],
]

/** A script for a machine without apt and systemd, whose user needs no sudo, and asks nobody. */
const shellOf = (dir: string, bin: string, script: string): string => `
mkdir -p ${dir}/shims
printf '#!/bin/sh\\nshift 2; exec "$@"\\n' > ${dir}/shims/sudo
for each in apt systemctl; do printf '#!/bin/sh\\n' > ${dir}/shims/$each; done
chmod 755 ${dir}/shims/*
PATH=${dir}/shims:${bin}:$PATH
${script}`

/** Runs a block at a database server, whose passwords are "secret". @returns what it prints */
async function command(server: Postgres, block: string, words: [string, string][]): Promise<string> {
  const env = `export PGHOST=127.0.0.1 PGPORT=${server.port} PGUSER=postgres; `
  const script = shellOf(server.dir, await binaries(), env + replaced(block, words))
  const { code, stdout, stderr } = await run('/usr/bin/setsid', ['-w', '/bin/sh', '-euc', script], 'secret\nsecret\n')
  if (code !== 0) throw new Error(`${block}\nended with ${code}:\n${stdout}${stderr}`)
  return stdout
}

interface Around {
  primary: Postgres
  standby: Postgres
  bucket: S3Server
  smarthost: string
}

/** Two daemons with the files of the page. */
async function startNodes(t: Test, { primary, standby, bucket, smarthost }: Around): Promise<[Daemon, Daemon]> {
  const etc = await mkdtemp(join(tmpdir(), 'second-shape-'))
  t.teardown(() => rm(etc, { recursive: true }))
  for (const name of ['mx1', 'mx2']) await mkdir(join(etc, name))
  const files = blocksOf('The daemons', 'toml')
  t.equal(files.length, 3)
  const start = async (name: string): Promise<Daemon> => {
    const dir = join(etc, name)
    const words: [string, string][] = [
      ['/etc/restante', dir],
      ['"mx1"', `"${name}"`],
      ['10.0.0.10', '127.0.0.1'],
      ['db1.example.com,db2.example.com', `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`],
      ['https://s3.example.com', bucket.endpoint.origin],
    ]
    write(dir, words, files)
    writeFileSync(join(dir, 's3.credentials'), 'aws_access_key_id = test\naws_secret_access_key = test\n', {
      mode: 0o600,
    })
    const daemon = await startDaemon(
      { 'relay.smarthost': smarthost, 'domains.names': 'agents.example.com' },
      { configDir: dir },
    )
    t.teardown(() => daemon.remove())
    return daemon
  }
  const dir = join(etc, 'mx1')
  const script = replaced(blockOf('The daemons'), [
    ['/etc/restante', dir],
    ['scp db1.example.com:/etc/postgresql', `cp ${primary.dir}`],
    ['scp db2.example.com:/etc/postgresql', `cp ${standby.dir}`],
    ['chown restante', 'chown root'],
  ])
  const made = await run('/bin/bash', ['-euc', script], 'secret\n')
  if (made.code !== 0) throw new Error(made.stderr)
  for (const name of ['secret.key', 'store.password', 'databases.crt'])
    writeFileSync(join(etc, 'mx2', name), readFileSync(join(dir, name)), { mode: 0o600 })
  const one = await start('mx1')

  // What the unit of a role is started with.
  const copies = await run('/bin/sh', ['-euc', replaced(blockOf('A part of the work'), [['/etc/restante', dir]])])
  t.equal(copies.code, 0, copies.stderr)
  write(dir, [], [blockOf('A part of the work', 'toml')])
  const { server, store } = loadConfig({ dir: join(dir, 'relay'), set: ['server.roles=relay'] })
  t.match(server, { node: 'mx1-relay', roles: ['relay'], data_dir: '/var/lib/restante-relay' })
  t.match(store.url, `127.0.0.1:${standby.port}`)
  return [one, await start('mx2')]
}

/** Puts blocks into the files that their first lines name; settings that are there already are replaced. */
function write(dir: string, words: [string, string][], blocks: string[]): void {
  for (const block of blocks) {
    const file = join(dir, /^# \/etc\/restante\/(\S+)\n/.exec(block)?.[1] ?? '')
    const names = [...block.matchAll(/^(\w+) = /gm)].map(([, name]) => name)
    const before = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    const others = before.filter((line) => !names.some((name) => line.startsWith(`${name} = `)))
    writeFileSync(file, [...others, replaced(block, words)].join('\n'))
  }
}

/** The time limit of the test ends it otherwise. */
async function untilWell(node: Daemon): Promise<void> {
  for (;;) {
    const answer = await fetch(`${node.url}/healthz`).catch(() => undefined)
    if (answer?.ok) return
    await pause(100)
  }
}
