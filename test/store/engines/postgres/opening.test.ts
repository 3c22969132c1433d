/** What is refused when the engine is opened, and the words for it. */
import t from 'tap'
import { systemClock } from '../../../../src/lib/clock.js'
import { openPostgres } from '../../../../src/store/engines/postgres/postgres.js'
import { parsePostgresUrl } from '../../../../src/store/engines/postgres/postgres-url.js'
import { postgresPeer, startPostgres, startStandby } from '../../../support/peers/postgres.js'
import { createTestDatabase, testServer } from '../../../support/store/test-database.js'

const options = await postgresPeer()
const open = (url: string) => openPostgres({ url, clock: systemClock })

t.test('a URL is read as libpq does', async (t) => {
  t.same(parsePostgresUrl('postgres://restante@db.example.com/mail'), {
    hosts: [{ host: 'db.example.com', port: 5432 }],
    user: 'restante',
    database: 'mail',
    tls: 'verify-full',
  })
  t.match(parsePostgresUrl('postgresql://a%40b@one:5433,[2001:db8::1]:6000,10.0.0.3/m%2Fx?sslmode=require'), {
    hosts: [
      { host: 'one', port: 5433 },
      { host: '2001:db8::1', port: 6000 },
      { host: '10.0.0.3', port: 5432 },
    ],
    user: 'a@b',
    database: 'm/x',
    tls: 'require',
  })
  t.match(parsePostgresUrl('postgres://r@127.0.0.1:1,localhost/m'), { tls: 'disable' }, 'on this machine')
  t.match(parsePostgresUrl('postgres://r@127.0.0.1,db.example.com/m'), { tls: 'verify-full' })
  t.match(parsePostgresUrl('postgres://r@/m?host=/run/postgresql'), {
    hosts: [{ host: '/run/postgresql' }],
    tls: 'disable',
  })
  for (const [url, what] of [
    ['postgres://r:secret@db/m', /must not have a password: write it into store\.password_file/],
    ['postgres://db/m', /the form postgres:\/\/user@host/],
    ['mysql://r@db/m', /the form/],
    ['postgres://r@db', /the form/],
    ['postgres://r@/m', /names no host/],
    ['postgres://r@db:99999/m', /db:99999 is no host/],
    ['postgres://r@db/m?sslmode=prefer', /one of disable, require, verify-full, not prefer/],
    ['postgres://r@db/m?target_session_attrs=primary', /the option target_session_attrs/],
  ] as const) {
    t.throws(() => parsePostgresUrl(url), { message: what }, url)
    t.throws(() => parsePostgresUrl(url), { message: /^(?!.*secret)/ })
  }
})

t.test('what is no database of ours is refused at once, and says why', options, async (t) => {
  const server = await testServer()
  await t.rejects(open(server.url('none')), { message: /database "none" does not exist/ })
  await t.rejects(open(server.url().replace('postgres@', 'stranger@')), { message: /role "stranger" does not exist/ })
  const { url } = await createTestDatabase()
  await (await open(url)).close()
  const name = new URL(url).pathname.slice(1)
  await server.sql('update restante_layout set tables = 99', name)
  await t.rejects(open(url), { message: /are of version 99, and this program knows version 1: start a version/ })
})

t.test('a database of another encoding is refused, with the command for a right one', options, async (t) => {
  const server = await testServer()
  await server.sql("create database ascii encoding 'SQL_ASCII' template template0")
  await t.rejects(open(server.url('ascii')), {
    message: /is SQL_ASCII, and has to be UTF8.*createdb --encoding UTF8 --template template0/,
  })
})

t.test('a user without rights is told so', options, async (t) => {
  const server = await testServer()
  const { url } = await createTestDatabase()
  await server.sql('create role guest login')
  await t.rejects(open(url.replace('postgres@', 'guest@')), { message: /permission denied for schema public/ })
})

t.test('two that are started on a new database at once both open it', options, async (t) => {
  const { url } = await createTestDatabase()
  const engines = await Promise.all([open(url), open(url), open(url)])
  await engines[0]?.commit([], [{ partition: 'p', key: Buffer.of(1), value: Buffer.of(2) }], 'm')
  t.ok((await engines[2]?.versions(['p']))?.[0])
  await Promise.all(engines.map((engine) => engine.close()))
})

t.test('a server that would lose what it has acknowledged is refused', options, async (t) => {
  const server = await startPostgres(['fsync=off', 'synchronous_commit=off'])
  t.teardown(() => server.stop())
  await t.rejects(open(server.url()), { message: /fsync, synchronous_commit must not be off/ })
})

t.test('a standby alone is no primary', { ...options, timeout: 60_000 }, async (t) => {
  const server = await startPostgres()
  t.teardown(() => server.stop())
  const standby = await startStandby(server, 'second')
  t.teardown(() => standby.stop())
  const engine = await open(`postgres://postgres@127.0.0.1:${standby.port},127.0.0.1:${server.port}/postgres`)
  t.teardown(() => engine.close())
  t.pass('the primary is found behind it')
  await t.rejects(open(standby.url()), { message: /No PostgreSQL primary: 127\.0\.0\.1:\d+: it is a standby/ })
})
