/** Databases of one PostgreSQL server, which the tests of a file share. */
import t from 'tap'
import { startPgbouncer, type Pgbouncer } from '../peers/pgbouncer.js'
import { startPostgres, type Postgres } from '../peers/postgres.js'

let server: Promise<Postgres> | undefined
let bouncer: Promise<Pgbouncer> | undefined
let databases = 0

export interface TestDatabase {
  name: string
  url: string
  drop(): Promise<void>
}

export async function testServer(): Promise<Postgres> {
  if (!server) {
    server = startPostgres()
    t.teardown(async () => (await server)?.stop())
  }
  return server
}

/** A pgbouncer before that server. */
export async function testBouncer(): Promise<Pgbouncer> {
  if (!bouncer) {
    bouncer = testServer().then(({ port }) => startPgbouncer(port))
    t.teardown(async () => (await bouncer)?.stop())
  }
  return bouncer
}

/** An empty database. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const postgres = await testServer()
  const name = `restante_${++databases}`
  await postgres.createDatabase(name)
  return {
    name,
    url: postgres.url(name),
    drop: async () => void (await postgres.sql(`drop database ${name} with (force)`)),
  }
}
