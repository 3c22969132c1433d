/** Processes on one database that wake each other: by notifications, and by looking where none come. */
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import t from 'tap'
import { systemClock } from '../../../../src/lib/clock.js'
import type { Engine, Hearing } from '../../../../src/store/engine.js'
import { openPostgres } from '../../../../src/store/engines/postgres/postgres.js'
import { PostgresChannel } from '../../../../src/store/engines/postgres/postgres-channel.js'
import { readNotification, type Notification } from '../../../../src/store/engines/postgres/postgres-notifications.js'
import { createPool } from '../../../../src/store/engines/postgres/postgres-pool.js'
import { parsePostgresUrl } from '../../../../src/store/engines/postgres/postgres-url.js'
import { key } from '../../../../src/store/keys.js'
import { createStore } from '../../../../src/store/store.js'
import type { Store } from '../../../../src/store/types.js'
import { startDeafProxy } from '../../../support/peers/deaf-proxy.js'
import { postgresPeer } from '../../../support/peers/postgres.js'
import { startTcpProxy } from '../../../support/peers/tcp-proxy.js'
import { createTestDatabase, testServer } from '../../../support/store/test-database.js'

const options = await postgresPeer()
const never = new AbortController().signal

interface Scope {
  teardown(fn: () => Promise<void>): void
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(5)
}

/** @returns when the engine began to hear */
async function heard(engine: { hears?(): Hearing }): Promise<number> {
  for (;;) {
    const hearing = engine.hears?.()
    if (hearing?.state === 'heard') return hearing.sinceMs
    await pause(5)
  }
}

async function open(url: string): Promise<{ engine: Engine; store: Store; told: string[] }> {
  const engine = await openPostgres({ url, clock: systemClock })
  const told: string[] = []
  engine.onCommit((partition, version) => void told.push(`${partition} ${version}`))
  return { engine, store: createStore(engine), told }
}

const write = (store: Store, partition: string): Promise<void> =>
  store.write(partition, (tx) => tx.put(key('k'), Buffer.from('v')))

/** Another session that hears what is told. */
async function listen(t: Scope, url: string): Promise<{ other: Client; notifications: (Notification | undefined)[] }> {
  const other = new Client({ connectionString: url })
  await other.connect()
  t.teardown(() => other.end())
  const notifications: (Notification | undefined)[] = []
  other.on('notification', ({ payload = '' }) => notifications.push(readNotification(payload)))
  await other.query('listen restante')
  return { other, notifications }
}

async function openTwo(t: Scope) {
  const { url } = await createTestDatabase()
  const [a, b] = [await open(url), await open(url)]
  t.teardown(async () => void (await Promise.all([a.store.close(), b.store.close()])))
  return { url, a, b }
}

t.test('a wait ends by the commit of another process, and each is told of every commit once', options, async (t) => {
  const { a, b } = await openTwo(t)
  await Promise.all([heard(a.engine), heard(b.engine)])
  const first = a.store.wait('p', 0n, never)
  await write(b.store, 'p')
  const version = await first
  t.equal(version, await b.store.version('p'))
  await write(a.store, 'q')
  await until(() => b.told.length === 2)
  await write(b.store, 'r')
  await until(() => a.told.length >= 3)
  // What a told itself came back before what b told later.
  t.same(a.told, b.told)
  t.equal(new Set(a.told).size, 3)
})

t.test('commits share notifications, and only the last version of a partition is told', options, async (t) => {
  const { port } = await testServer()
  const { url } = await createTestDatabase()
  const { notifications } = await listen(t, url)
  const target = parsePostgresUrl(url)
  const proxy = await startTcpProxy(port)
  const pool = createPool(target, 1)
  const channel = new PostgresChannel({
    target: { ...target, hosts: [{ host: '127.0.0.1', port: proxy.port }] },
    pool,
    onCommit: () => undefined,
  })
  t.teardown(async () => {
    await channel.close()
    await pool.close()
    await proxy.close()
  })
  await heard({ hears: () => channel.hearing() })
  const release = proxy.hold()
  for (let version = 1n; version <= 1_000n; version++) {
    channel.tell('p', version)
    channel.tell(`q${version % 100n}`, version)
    await new Promise(setImmediate)
  }
  channel.tell('p', 999n)
  release()
  const moved = () =>
    notifications.flatMap((notification) => (notification?.kind === 'moved' ? [new Map(notification.versions)] : []))
  await until(() => moved().some((versions) => versions.get('p') === 1_000n))
  t.same(
    moved().map((versions) => versions.get('p')),
    [1n, 1_000n],
    'the one on its way, and one for all that came meanwhile',
  )
  t.equal(moved()[1]?.get('q1'), 901n)
})

t.test('a thousand commits wake whoever waits for any of them', options, async (t) => {
  const { url, a, b } = await openTwo(t)
  const { notifications } = await listen(t, url)
  await Promise.all([heard(a.engine), heard(b.engine)])
  const names = Array.from({ length: 100 }, (_, i) => `${i}/${'\u0001'.repeat(390)}`)
  const versions = new Map<string, bigint>()
  const waiting = names.map(async (name) => versions.set(name, await a.store.wait(name, 0n, never)))
  await Promise.all(names.flatMap((name) => Array.from({ length: 10 }, () => write(b.store, name))))
  await Promise.all(waiting)
  const last = await b.store.versions(names)
  await until(() => names.every((name, i) => a.told.includes(`${name} ${last[i]}`)))
  t.equal(versions.size, 100)
  t.ok(notifications.every((notification) => notification !== undefined))
})

t.test('past thousands of partitions the others are told to look', options, async (t) => {
  const { url, a } = await openTwo(t)
  const { notifications } = await listen(t, url)
  const before = await heard(a.engine)
  const pool = createPool(parsePostgresUrl(url), 1)
  const channel = new PostgresChannel({ target: parsePostgresUrl(url), pool, onCommit: () => undefined })
  for (let i = 0; i < 5_000; i++) channel.tell(`p${i}`, 1n)
  await channel.close()
  await pool.close()
  await until(async () => (await heard(a.engine)) > before)
  t.ok(notifications.some((notification) => notification?.kind === 'missed'))
})

t.test('a commit whose response was lost makes all look once its fate is known', options, async (t) => {
  const { a, b } = await openTwo(t)
  const [own, other] = [await heard(b.engine), await heard(a.engine)]
  await b.engine.commit([], [{ partition: 'p', key: key('k'), value: Buffer.from('v') }], 'm1')
  t.equal(await b.engine.fate('p', 'm2'), false)
  t.equal(await heard(b.engine), own)
  t.equal(await b.engine.fate('p', 'm1'), true)
  t.ok((await heard(b.engine)) > own)
  await until(async () => (await heard(a.engine)) > other)
})

t.test('what nobody of us has written makes the others look', options, async (t) => {
  const { url, a } = await openTwo(t)
  const { other } = await listen(t, url)
  const before = await heard(a.engine)
  await other.query("notify restante, 'from a later version'")
  await until(async () => (await heard(a.engine)) > before)
  t.same(a.told, [])
})

t.test('a connection that the server ends is replaced, and what was missed is found', options, async (t) => {
  const { url, a, b } = await openTwo(t)
  const { other } = await listen(t, url)
  const before = await heard(a.engine)
  await heard(b.engine)
  const waiting = a.store.wait('p', 0n, never)
  await other.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'restante'",
  )
  // Nobody tells of this one.
  await other.query("insert into restante_version values ('p', 5)")
  t.equal(await waiting, 5n)
  await until(async () => (await heard(a.engine)) > before)
  await heard(b.engine)
  const again = a.store.wait('q', 0n, never)
  await write(b.store, 'q')
  t.equal(await again, await b.store.version('q'))
})

t.test('a connection that went silent is replaced', options, async (t) => {
  const { port } = await testServer()
  const { url } = await createTestDatabase()
  const target = parsePostgresUrl(url)
  const proxy = await startTcpProxy(port)
  const pool = createPool(target, 1)
  const channel = new PostgresChannel({
    target: { ...target, hosts: [{ host: '127.0.0.1', port: proxy.port }] },
    pool,
    onCommit: () => undefined,
    probeMs: 100,
  })
  t.teardown(async () => {
    await channel.close()
    await pool.close()
    await proxy.close()
  })
  const before = await heard({ hears: () => channel.hearing() })
  const release = proxy.hold()
  await until(() => channel.hearing().state === 'unheard')
  release()
  t.ok((await heard({ hears: () => channel.hearing() })) > before)
})

t.test('behind a proxy that passes no notifications a wait ends all the same', options, async (t) => {
  const { port } = await testServer()
  const { url } = await createTestDatabase()
  const proxy = await startDeafProxy(port)
  const a = await open(url.replace(`:${port}/`, `:${proxy.port}/`))
  const b = await open(url)
  t.teardown(async () => {
    await Promise.all([a.store.close(), b.store.close()])
    await proxy.close()
  })
  const followed = new Promise((resolve) =>
    a.store.onCommit((partition) => partition === 'shard' && resolve(partition)),
  )
  a.store.follow(() => ['shard'])
  const waiting = a.store.wait('p', 0n, never)
  await until(() => proxy.listens() === 1 && proxy.dropped() > 0)
  await heard(b.engine)
  await write(b.store, 'p')
  t.equal(await waiting, await b.store.version('p'))
  await write(b.store, 'shard')
  t.equal(await followed, 'shard')
  t.same(a.engine.hears?.(), { state: 'unheard' })
  t.same(a.told, [])

  await write(a.store, 'q')
  await until(() => b.told.some((told) => told.startsWith('q ')))
  t.pass('it is heard by the others, though')
})

t.test('a server without LISTEN is not asked again and again', options, async (t) => {
  const { port } = await testServer()
  const { url } = await createTestDatabase()
  const { notifications } = await listen(t, url)
  const proxy = await startDeafProxy(port, { refusesListen: true })
  const a = await open(url.replace(`:${port}/`, `:${proxy.port}/`))
  const b = await open(url)
  t.teardown(async () => {
    await Promise.all([a.store.close(), b.store.close()])
    await proxy.close()
  })
  const waiting = a.store.wait('p', 0n, never)
  await until(() => proxy.listens() === 1)
  await write(a.store, 'q')
  await write(b.store, 'p')
  t.equal(await waiting, await b.store.version('p'))
  await until(() => notifications.some((notification) => notification?.kind === 'moved'))
  t.equal(proxy.listens(), 1)
  t.same(a.engine.hears?.(), { state: 'unheard' })
  t.notOk(
    notifications.some(
      (notification) =>
        notification?.kind === 'moved' && notification.versions.some(([partition]) => partition === 'q'),
    ),
    'and is told nothing',
  )
})

t.test('closing tells what is pending, and leaves no connection', options, async (t) => {
  const { url } = await createTestDatabase()
  const a = await open(url)
  await heard(a.engine)
  const b = await open(url)
  const waiting = a.store.wait('p', 0n, never)
  await write(b.store, 'p')
  await b.store.close()
  await until(() => a.told.length === 1)
  await waiting
  const { other } = await listen(t, url)
  await a.store.close()
  await until(async () => {
    const { rows } = await other.query(
      "select 1 from pg_stat_activity where datname = current_database() and application_name = 'restante'",
    )
    return rows.length === 0
  })
  t.equal(a.engine.hears?.().state, 'unheard')
})

t.test('who only reads has no further connection', options, async (t) => {
  const { url, a, b } = await openTwo(t)
  const { other } = await listen(t, url)
  const connections = async (): Promise<number> =>
    (
      await other.query(
        "select 1 from pg_stat_activity where datname = current_database() and application_name = 'restante'",
      )
    ).rows.length
  await Promise.all([a.store.read('p', (view) => view.version()), b.store.version('p')])
  t.equal(await connections(), 2)
  await Promise.all([heard(a.engine), heard(b.engine)])
  t.equal(await connections(), 4)
})
