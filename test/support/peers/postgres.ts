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
/** The superuser, and the user of the machine as whom it runs. */
export const USER = 'postgres'

/** For the options of a test. */
export async function postgresPeer(): Promise<{ skip: string | false }> {
  return peer('PostgreSQL', join(await binaries(), 'postgres'))
}

/** The folder of the newest installed version. */
export async function binaries(): Promise<string> {
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
  /** Makes a standby the primary. */
  promote(): Promise<void>
  /** Ends it as a lost machine does. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** @param settings lines of postgresql.conf */
export async function startPostgres(settings: readonly string[] = []): Promise<Postgres> {
  return serve(settings, (bin, data) => [
    join(bin, 'initdb'),
    ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C'],
  ])
}

/** A standby that follows a primary of this machine. @param name as in the primary's `synchronous_standby_names` */
export async function startStandby(primary: Postgres, name: string): Promise<Postgres> {
  const from = `host=127.0.0.1 port=${primary.port} user=${USER} application_name=${name}`
  return startCopy((bin, data) => [
    join(bin, 'pg_basebackup'),
    ['-D', data, '-d', from, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
  ])
}

/** The command that makes the data folder of a server. @param bin the folder of the programs of PostgreSQL */
export type Making = (bin: string, data: string) => [program: string, args: string[]]

/** A server on data that a command of the test has made. */
export async function startCopy(make: Making): Promise<Postgres> {
  return serve([], make)
}

async function serve(settings: readonly string[], make: Making): Promise<Postgres> {
  const bin = await binaries()
  const dir = await mkdtemp(join(tmpdir(), 'restante-postgres-'))
  const port = await freePort()
  const identity = process.getuid?.() === 0 ? await identityOf(USER) : undefined
  if (identity) await chown(dir, identity.uid, identity.gid)
  const as = { cwd: dir, ...identity }
  const data = join(dir, 'data')
  await run(...make(bin, data), as)
  const options = [
    ['listen_addresses', '127.0.0.1'],
    ['port', String(port)],
    ['unix_socket_directories', dir],
    ['max_connections', '200'],
    ...settings.map((line) => line.split('=')),
  ].flatMap(([name = '', value = '']) => ['-c', `${name.trim()}=${value.trim()}`])
  // Ends with the test's process, should that be killed before it can stop it.
  const command = ['--pdeathsig', 'INT', join(bin, 'postgres'), '-D', data, ...options]
  const server = spawn('/usr/bin/setpriv', command, { ...as, stdio: ['ignore', 'ignore', 'pipe'] })
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

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill(signal)
    await once(server, 'exit')
  }

  await ready(
    'PostgreSQL',
    server,
    () => sql('select 1'),
    () => log,
  )
  return {
    port,
    dir,
    url,
    sql,
    async createDatabase(name) {
      await sql(`create database ${name}`)
    },
    promote: async () => void (await run(join(bin, 'pg_ctl'), ['promote', '-w', '-D', data], as)),
    // Its processes end with the postmaster at once.
    kill: () => end('SIGQUIT'),
    async stop() {
      // Open sessions are ended.
      await end('SIGINT')
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** The ids of a user of the machine. */
export async function identityOf(user: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => run('id', [flag, user])))
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
}

/** Asks until there is an answer. @throws Error with the log when the program has ended, or does not answer within seconds */
export async function ready(
  name: string,
  server: ChildProcess,
  ask: () => Promise<unknown>,
  log: () => string,
): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await ask()
      return
    } catch (error) {
      if (server.exitCode !== null || tries === 100)
        throw new Error(`${name} does not start: ${log()}`, { cause: error })
      await pause(100)
    }
  }
}
