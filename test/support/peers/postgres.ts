/** A real PostgreSQL on loopback, in a folder of its own, as a user that is not root. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from '../ports.js'
import { peer } from './peers.js'

const run = promisify(execFile)
const DEBIAN = '/usr/lib/postgresql'
const USER = 'postgres'

/** For the options of a test. */
export async function postgresPeer(): Promise<{ skip: string | false }> {
  return peer('PostgreSQL', join(await binaries(), 'postgres'))
}

/** The folder of the newest installed version. */
async function binaries(): Promise<string> {
  let versions: string[] = []
  try {
    versions = await readdir(DEBIAN)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  const newest = versions.map(Number).sort((a, b) => b - a)[0]
  return join(DEBIAN, String(newest ?? 'none'), 'bin')
}

export interface Postgres {
  port: number
  dir: string
  /** URL of a database. */
  url(database?: string): string
  /** Creates an empty database. */
  createDatabase(name: string): Promise<void>
  /** Runs statements as the superuser. */
  sql(text: string, database?: string): Promise<Record<string, unknown>[]>
  stop(): Promise<void>
}

/** @param settings lines of postgresql.conf */
export async function startPostgres(settings: readonly string[] = []): Promise<Postgres> {
  const bin = await binaries()
  const dir = await mkdtemp(join(tmpdir(), 'restante-postgres-'))
  const port = await freePort()
  const identity = process.getuid?.() === 0 ? await identityOf(USER) : undefined
  if (identity) await chown(dir, identity.uid, identity.gid)
  const data = join(dir, 'data')
  await run(join(bin, 'initdb'), ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C'], {
    cwd: dir,
    ...identity,
  })
  const options = [
    ['listen_addresses', '127.0.0.1'],
    ['port', String(port)],
    ['unix_socket_directories', dir],
    ['max_connections', '200'],
    ...settings.map((line) => line.split('=')),
  ].flatMap(([name = '', value = '']) => ['-c', `${name.trim()}=${value.trim()}`])
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...options], {
    cwd: dir,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...identity,
  })
  let log = ''
  server.stderr.on('data', (piece: Buffer) => (log = (log + piece.toString()).slice(-20_000)))
  const url = (database = USER): string => `postgres://${USER}@127.0.0.1:${port}/${database}`

  async function sql(text: string, database = USER): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: url(database) })
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, unknown>>(text)
      return rows
    } finally {
      await client.end()
    }
  }

  await ready(server, () => sql('select 1'), () => log)
  return {
    port,
    dir,
    url,
    sql,
    async createDatabase(name) {
      await sql(`create database ${name}`)
    },
    async stop() {
      if (server.exitCode === null) {
        // Fast shutdown: open sessions are ended.
        server.kill('SIGINT')
        await once(server, 'exit')
      }
      await rm(dir, { recursive: true, force: true })
    },
  }
}

async function identityOf(user: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, user])))
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
}

async function ready(server: ChildProcess, ask: () => Promise<unknown>, log: () => string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await ask()
      return
    } catch (error) {
      if (server.exitCode !== null || tries === 100) throw new Error(`PostgreSQL does not start: ${log()}`, { cause: error })
      await pause(100)
    }
  }
}
