/** Orders of events in which an engine over SQL goes wrong easily: each was seen to fail with other statements. */
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import t from 'tap'
import { systemClock } from '../../../../src/lib/clock.js'
import type { Engine, Op } from '../../../../src/store/engine.js'
import { openPostgres } from '../../../../src/store/engines/postgres/postgres.js'
import { FORGET_MARKS } from '../../../../src/store/engines/postgres/postgres-commit.js'
import { FateUnknownError } from '../../../../src/store/errors.js'
import { key } from '../../../../src/store/keys.js'
import { createStore } from '../../../../src/store/store.js'
import { postgresPeer } from '../../../support/peers/postgres.js'
import { startTcpProxy, type TcpProxy } from '../../../support/peers/tcp-proxy.js'
import { createTestDatabase, testServer } from '../../../support/store/test-database.js'

const options = await postgresPeer()
const bytes = (text: string): Buffer => Buffer.from(text)
const put = (name: string, value: string, partition = 'p'): Op => ({ partition, key: key(name), value: bytes(value) })
const remove = (name: string, partition = 'p'): Op => ({ partition, key: key(name), value: null })

interface Scope {
  teardown(fn: () => Promise<void>): void
}

interface Scene {
  engine: Engine
  proxy: TcpProxy
  /** Another session, which sees and locks what it wants. */
  other: Client
  valueOf(name: string, partition?: string): Promise<string | undefined>
}

async function scene(t: Scope): Promise<Scene> {
  const { port } = await testServer()
  const { url } = await createTestDatabase()
  const proxy = await startTcpProxy(port)
  const engine = await openPostgres({ url: url.replace(`:${port}/`, `:${proxy.port}/`), clock: systemClock })
  const other = new Client({ connectionString: url })
  await other.connect()
  t.teardown(async () => {
    await other.end()
    await engine.close()
    await proxy.close()
  })
  return {
    engine,
    proxy,
    other,
    async valueOf(name, partition = 'p') {
      const [value] = await engine.read((reader) => reader.getMany(partition, [key(name)]))
      return value && Buffer.from(value).toString()
    },
  }
}

/** Waits until a session of the database waits for a lock. */
async function untilLocked(other: Client): Promise<void> {
  for (;;) {
    const { rowCount } = await other.query(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    if ((rowCount ?? 0) > 0) return
    await pause(5)
  }
}

t.test('a blind deletion behind another commit deletes what that one put', options, async (t) => {
  const { engine, other, valueOf } = await scene(t)
  await engine.commit([], [put('stays', '1')], 'm1')
  await other.query('begin')
  await other.query("update restante_version set version = version + 1 where partition = 'p'")
  await other.query("insert into restante_row values ('p', $1, 'other')", [Buffer.from(key('k'))])
  const deletion = engine.commit([], [remove('k')], 'm2')
  await untilLocked(other)
  await other.query('commit')
  t.not(await deletion, 'conflict')
  t.equal(await valueOf('k'), undefined)
  t.equal(await valueOf('stays'), '1')
})

t.test(
  'a commit whose response was lost while it waited for a lock never happens once that was said',
  options,
  async (t) => {
    const { engine, proxy, other, valueOf } = await scene(t)
    await engine.commit([], [put('k', 'before')], 'm1')
    await other.query('begin')
    await other.query("update restante_version set version = version + 1 where partition = 'p'")
    const commit = engine.commit([], [put('k', 'after')], 'm2')
    const failed = t.rejects(commit, FateUnknownError)
    await untilLocked(other)
    proxy.cut()
    await failed
    t.equal(await engine.fate('p', 'm2'), false)
    await other.query('commit')
    // The server works on what it was sent before the connection was cut.
    for (;;) {
      const { rowCount } = await other.query(
        "select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'",
      )
      if (rowCount === 0) break
      await pause(5)
    }
    t.equal(await valueOf('k'), 'before')
    t.equal(await engine.fate('p', 'm2'), false, 'it stays so')
  },
)

t.test('a commit that happened although its response was lost is found', options, async (t) => {
  const { engine, proxy, other, valueOf } = await scene(t)
  await engine.commit([], [put('k', 'before')], 'm1')
  await other.query('begin')
  await other.query("update restante_version set version = version + 1 where partition = 'p'")
  const failed = t.rejects(engine.commit([], [put('k', 'after')], 'm2'), FateUnknownError)
  await untilLocked(other)
  const release = proxy.hold()
  await other.query('commit')
  for (;;) {
    const { rows } = await other.query("select 1 from restante_mark where mark = 'm2'")
    if (rows.length > 0) break
    await pause(5)
  }
  proxy.cut()
  release()
  await failed
  t.equal(await engine.fate('p', 'm2'), true)
  t.equal(await valueOf('k'), 'after')
})

t.test('the store says what became of a write whose response was lost', options, async (t) => {
  const { engine, proxy, other } = await scene(t)
  const store = createStore(engine)
  await store.write('p', (tx) => tx.put(key('n'), bytes('0')))
  await other.query('begin')
  await other.query("select 1 from restante_version where partition = 'p' for update")
  let runs = 0
  const writing = store.write('p', async (tx) => {
    runs++
    const n = Number(String(await tx.get(key('n'))))
    tx.put(key('n'), bytes(String(n + 1)))
  })
  await untilLocked(other)
  proxy.cut()
  await pause(50)
  await other.query('commit')
  await writing
  t.equal(runs, 2, 'the first try is known not to have happened')
  t.equal(String(await store.read('p', (view) => view.get(key('n')))), '1')
})

t.test('of two that each expect the other partition to be absent one wins', options, async (t) => {
  const { engine } = await scene(t)
  for (let round = 0; round < 20; round++) {
    const [a, b] = [`a${round}`, `b${round}`]
    const done = await Promise.all([
      engine.commit([{ partition: b, expect: 0n }], [put('k', '1', a)], `a ${round}`),
      engine.commit([{ partition: a, expect: 0n }], [put('k', '1', b)], `b ${round}`),
    ])
    t.ok(done.filter((moved) => moved !== 'conflict').length <= 1, 'not both')
    const versions = await engine.versions([a, b])
    t.equal(versions.filter((version) => version > 0n).length, done.filter((moved) => moved !== 'conflict').length)
  }
})

t.test('writers of two partitions in opposite order do not get into each other’s way for good', options, async (t) => {
  const { engine, other } = await scene(t)
  const stores = [createStore(engine), createStore(engine)]
  await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      stores[i % 2]?.write(i % 4 < 2 ? ['p', 'q'] : ['q', 'p'], async (tx) => {
        for (const name of ['p', 'q']) {
          const n = Number(String((await tx.in(name).get(key('n'))) ?? 0))
          tx.in(name).put(key('n'), bytes(String(n + 1)))
        }
      }),
    ),
  )
  for (const name of ['p', 'q'])
    t.equal(String(await stores[0]?.read(name, (view) => view.get(key('n')))), '60', 'none was lost')
  const { rows } = await other.query('select deadlocks::int from pg_stat_database where datname = current_database()')
  t.same(rows, [{ deadlocks: 0 }])
})

t.test('marks are forgotten after a day, and no earlier', options, async (t) => {
  const { engine, other } = await scene(t)
  const marks = async () =>
    (await other.query<{ mark: string }>('select mark from restante_mark order by mark')).rows.map(({ mark }) => mark)
  await engine.commit([], [put('k', '1')], 'm1')
  await engine.commit([], [put('k', '2')], 'm2')
  await other.query("update restante_mark set made_at = now() - interval '25 hours' where mark = 'm1'")
  t.same(await marks(), ['m1', 'm2'])
  await other.query(FORGET_MARKS)
  t.same(await marks(), ['m2'])
})

t.test('reads go on when the connection is lost under them', options, async (t) => {
  const { engine, proxy, valueOf } = await scene(t)
  await engine.commit([], [put('k', '1')], 'm1')
  let tries = 0
  const value = await engine.read(async (reader) => {
    tries++
    if (tries === 1) {
      await reader.version('p')
      proxy.cut()
    }
    return reader.getMany('p', [key('k')])
  })
  t.same([String(value[0]), tries], ['1', 2])
  t.equal(await valueOf('k'), '1')
})

t.test('a write goes on when the connection is lost under its reads', options, async (t) => {
  const { engine, proxy, valueOf } = await scene(t)
  const store = createStore(engine)
  let runs = 0
  await store.write('p', async (tx) => {
    if (++runs === 1) {
      await tx.get(key('k'))
      proxy.cut()
    }
    await tx.get(key('other'))
    tx.put(key('k'), bytes('1'))
  })
  t.same([await valueOf('k'), runs], ['1', 2])
})
