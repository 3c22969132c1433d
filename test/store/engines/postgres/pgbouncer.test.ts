/** Through a real pgbouncer in transaction mode: connections that are lost on either side of it, restarts, and waking. The suites of the store run through it too. */
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import t from 'tap'
import { systemClock } from '../../../../src/lib/clock.js'
import type { Engine } from '../../../../src/store/engine.js'
import { openPostgres } from '../../../../src/store/engines/postgres/postgres.js'
import { FateUnknownError } from '../../../../src/store/errors.js'
import { decode, encode, key, prefixRange } from '../../../../src/store/keys.js'
import { createStore } from '../../../../src/store/store.js'
import type { Store } from '../../../../src/store/types.js'
import { allPeers } from '../../../support/peers/peers.js'
import { pgbouncerPeer, startPgbouncer, type Pgbouncer } from '../../../support/peers/pgbouncer.js'
import { postgresPeer } from '../../../support/peers/postgres.js'
import { startTcpProxy, type TcpProxy } from '../../../support/peers/tcp-proxy.js'
import { createTestDatabase, testServer } from '../../../support/store/test-database.js'

const options = allPeers(await postgresPeer(), pgbouncerPeer())
const WRITERS = 8
const value = Buffer.from('v')

interface Scope {
  teardown(fn: () => Promise<void>): void
}

interface Scene {
  bouncer: Pgbouncer
  /** Between pgbouncer and the server. */
  proxy: TcpProxy
  engine: Engine
  store: Store
  /** A session of the server itself. */
  other: Client
  /** The database, by way of pgbouncer, and without it. */
  through: string
  direct: string
}

async function scene(t: Scope): Promise<Scene> {
  const { port } = await testServer()
  const { name, url: direct } = await createTestDatabase()
  const proxy = await startTcpProxy(port)
  const bouncer = await startPgbouncer(proxy.port)
  const through = bouncer.url(name)
  const engine = await openPostgres({ url: through, clock: systemClock, connections: WRITERS })
  const other = new Client({ connectionString: direct })
  await other.connect()
  t.teardown(async () => {
    await other.end()
    await engine.close()
    await bouncer.stop()
    await proxy.close()
  })
  return { bouncer, proxy, engine, store: createStore(engine), other, through, direct }
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(5)
}

const sees = (other: Client, condition: string) => async (): Promise<boolean> =>
  ((
    await other.query(
      `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
    )
  ).rowCount ?? 0) > 0

/** Writers that count what they did, in two partitions each. */
function startWriters(store: Store) {
  const acknowledged: string[] = []
  const refused: string[] = []
  let isOn = true
  const working = Promise.all(
    Array.from({ length: WRITERS }, async (_, id) => {
      for (let n = 0; isOn; n++) {
        const name = `${id}-${n}`
        try {
          await store.write([`own/${id}`, 'all'], async (tx) => {
            const bytes = await tx.in('all').get(key('count'))
            tx.in('all').put(key('count'), encode((bytes ? decode<number>(bytes) : 0) + 1))
            tx.put(key('row', name), value)
          })
          acknowledged.push(name)
        } catch (error) {
          refused.push(`${name}: ${String(error)}`)
        }
      }
    }),
  )
  return {
    acknowledged,
    refused,
    /** Resolves when `n` more are acknowledged. */
    more: async (n: number) => {
      const goal = acknowledged.length + n
      await until(() => acknowledged.length >= goal)
    },
    stop: async () => {
      isOn = false
      await working
    },
  }
}

async function countsOf(store: Store): Promise<{ count: number; rows: Set<string> }> {
  const rows = new Set<string>()
  for (let id = 0; id < WRITERS; id++)
    for (const [row] of await store.read(`own/${id}`, (view) => view.range({ ...prefixRange('row'), limit: 10_000 })))
      rows.add(
        Buffer.from(row)
          .subarray(prefixRange('row').gte.length + 1, -1)
          .toString(),
      )
  const bytes = await store.read('all', (view) => view.get(key('count')))
  return { count: bytes ? decode<number>(bytes) : 0, rows }
}

t.test('no write is lost or done twice while connections on either side are lost', options, async (t) => {
  const { bouncer, proxy, store, other } = await scene(t)
  const writers = startWriters(store)
  await writers.more(100)
  const losses: [string, () => Promise<unknown>][] = [
    [
      'the server ends its sessions',
      () => other.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()'),
    ],
    ['pgbouncer replaces its connections', () => bouncer.command('reconnect')],
    ['the network between pgbouncer and the server breaks', async () => proxy.cut()],
    ['pgbouncer is killed and started again', () => bouncer.kill().then(() => bouncer.start())],
  ]
  for (let round = 0; round < 3; round++)
    for (const [name, lose] of losses) {
      await lose()
      await writers.more(50)
      t.pass(name)
    }
  await writers.stop()
  const { count, rows } = await countsOf(store)
  t.same(
    writers.acknowledged.filter((name) => !rows.has(name)),
    [],
    'all acknowledged is there',
  )
  t.equal(count, rows.size, 'each happened once, in both partitions')
  t.same(writers.refused, [], 'and none was refused')
})

t.test('a commit whose response was lost behind pgbouncer has happened, and is found', options, async (t) => {
  const { engine, proxy, other } = await scene(t)
  await engine.commit([], [{ partition: 'p', key: key('k'), value }], 'm1')
  await other.query('begin')
  await other.query("update restante_version set version = version + 1 where partition = 'p'")
  const failed = t.rejects(engine.commit([], [{ partition: 'p', key: key('k'), value: null }], 'm2'), FateUnknownError)
  await until(sees(other, "wait_event_type = 'Lock'"))
  const release = proxy.hold()
  await other.query('commit')
  await until(async () => (await other.query("select from restante_mark where mark = 'm2'")).rowCount === 1)
  proxy.cut()
  release()
  await failed
  t.equal(await engine.fate('p', 'm2'), true)
})

t.test('a commit whose session was ended while it waited for a lock can be tried again', options, async (t) => {
  const { engine, store, other } = await scene(t)
  await store.write('p', (tx) => tx.put(key('n'), encode(0)))
  await other.query('begin')
  await other.query("select from restante_version where partition = 'p' for update")
  let runs = 0
  const writing = store.write('p', async (tx) => {
    runs++
    tx.put(key('n'), encode(decode<number>((await tx.get(key('n'))) ?? encode(-1)) + 1))
  })
  await until(sees(other, "wait_event_type = 'Lock'"))
  await other.query("select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'")
  await other.query('commit')
  await writing
  t.equal(runs, 2)
  const [bytes] = await engine.read((reader) => reader.getMany('p', [key('n')]))
  t.equal(bytes && decode<number>(bytes), 1)
})

t.test('whoever waits is woken, by looks at the versions', options, async (t) => {
  const { engine, store, other, direct } = await scene(t)
  const outside = createStore(await openPostgres({ url: direct, clock: systemClock }))
  t.teardown(() => outside.close())
  const waiting = store.wait('p', 0n, new AbortController().signal)
  await until(sees(other, "query like '%pg_notify%'"))
  await outside.write('p', (tx) => tx.put(key('k'), value))
  t.equal(await waiting, await outside.version('p'))
  t.same(engine.hears?.(), { state: 'unheard' })
})

t.test('what a process behind pgbouncer commits is told to those that hear', options, async (t) => {
  const { store, direct } = await scene(t)
  const engine = await openPostgres({ url: direct, clock: systemClock })
  const outside = createStore(engine)
  t.teardown(() => outside.close())
  await until(() => engine.hears?.().state === 'heard')
  const told = new Promise((resolve) => engine.onCommit((partition) => partition === 'p' && resolve(partition)))
  await store.write('p', (tx) => tx.put(key('k'), value))
  t.equal(await told, 'p')
})
