/** Databases of one PostgreSQL server, which the tests of a file share. */
import t from 'tap'
import { startPostgres, type Postgres } from '../peers/postgres.js'

let server: Promise<Postgres> | undefined
let databases = 0

export interface TestDatabase {
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

/** An empty database. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const postgres = await testServer()
  const name = `restante_${++databases}`
  await postgres.createDatabase(name)
  return {
    url: postgres.url(name),
    drop: async () => void (await postgres.sql(`drop database ${name} with (force)`)),
  }
}
