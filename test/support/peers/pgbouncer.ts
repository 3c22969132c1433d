/** A real pgbouncer in transaction mode before a PostgreSQL of the test, on loopback, as a user that is not root. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../ports.js'
import { peer } from './peers.js'
import { identityOf, ready, USER } from './postgres.js'

const PROGRAM = '/usr/sbin/pgbouncer'

/** For the options of a test. */
export function pgbouncerPeer(): { skip: string | false } {
  return peer('pgbouncer', PROGRAM)
}

export interface Pgbouncer {
  port: number
  /** The URL of a database, by way of it. */
  url(database: string): string
  /** A command of its console, such as `reconnect`. */
  command(text: string): Promise<Record<string, unknown>[]>
  /** Ends it as a crash does. */
  kill(): Promise<void>
  /** Starts it again on the same port, after `kill`. */
  start(): Promise<void>
  stop(): Promise<void>
}

/**
 * @param target port of PostgreSQL
 * @param poolSize max connections to a database, which all clients share
 */
export async function startPgbouncer(target: number, poolSize = 3): Promise<Pgbouncer> {
  const dir = await mkdtemp(join(tmpdir(), 'restante-pgbouncer-'))
  const port = await freePort()
  const identity = process.getuid?.() === 0 ? await identityOf(USER) : undefined
  const users = join(dir, 'users')
  await writeFile(users, `"${USER}" ""\n`)
  const file = join(dir, 'pgbouncer.ini')
  // As docs/cluster.md has it; all else as it comes, `ignore_startup_parameters` above all.
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${target}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${users}`,
    `admin_users = ${USER}`,
    'pool_mode = transaction',
    'server_login_retry = 1',
    `default_pool_size = ${poolSize}`,
  ]
  await writeFile(file, `${settings.join('\n')}\n`)
  if (identity) for (const path of [dir, users, file]) await chown(path, identity.uid, identity.gid)
  const url = (database: string): string => `postgres://${USER}@127.0.0.1:${port}/${database}`

  async function command(text: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: url('pgbouncer') })
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, unknown>>(text)
      return rows
    } finally {
      await client.end()
    }
  }

  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    // Ends with the test's process, should that be killed before it can stop it.
    const words = ['--pdeathsig', 'TERM', PROGRAM, file]
    const started = spawn('/usr/bin/setpriv', words, { cwd: dir, ...identity, stdio: ['ignore', 'ignore', 'pipe'] })
    child = started
    let log = ''
    started.stderr.on('data', (piece: Buffer) => (log = (log + piece.toString()).slice(-20_000)))
    await ready(
      'pgbouncer',
      started,
      () => command('show version'),
      () => log,
    )
  }

  async function kill(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  await start()
  return {
    port,
    url,
    command,
    kill,
    start,
    async stop() {
      await kill()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
