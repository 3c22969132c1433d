/** The real daemon, as an operator starts it: `bin/restante start` in its own process, on free ports and a data folder of its own. */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/lib/clock.js'
import { openLmdb } from '../../src/store/engines/lmdb/lmdb.js'
import { openPostgres } from '../../src/store/engines/postgres/postgres.js'
import { createStore } from '../../src/store/store.js'
import type { Store } from '../../src/store/types.js'
import { startDnsServer } from './peers/dns-server.js'
import type { TestDatabase } from './store/test-database.js'
import { freePort } from './ports.js'

export interface CliResult {
  code: number
  stdout: string
  stderr: string
}

export interface Daemon {
  url: string
  adminUrl: string
  smtpPort: number
  dataDir: string
  pid(): number
  /** Its stdout and stderr so far. */
  output(): string
  cli(...args: string[]): Promise<CliResult>
  /** What Node.js is started with for a command, for a test that starts it itself. */
  cliArgs(...args: string[]): string[]
  /** Sends a signal and waits for the end of the process. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** Resolves when its process has ended, however. */
  ended(): Promise<void>
  /** Starts it again on the same data and ports, after `end`; with a clock that is ahead of the time, if so wanted. */
  start(clockAheadMs?: number): Promise<void>
  /** Its store, opened beside it or in its place, as an operator's tool would. */
  openStore(): Promise<Store>
  /** Ends it and removes its data. */
  remove(): Promise<void>
}

export interface DaemonOptions {
  /** A folder of settings. */
  configDir?: string
  /** Environment of its process, added to the test's own. */
  env?: Record<string, string>
  /** A program that starts it, with its arguments, when it is not started directly. */
  launcher?: string[]
  /** The program of Node.js that runs it and its commands; that of the test when not given. */
  node?: string
  /** Offset of its clock and that of its commands; negative for a clock that is behind. */
  clockAheadMs?: number
  /** Folder of the built checkout it is of; that of the test when not given. */
  checkout?: string
  /** The name of this machine in the address of its pages, such as `localhost`; 127.0.0.1 when not given. */
  host?: string
  /** A program of the test that takes the words of a command line, and is started in place of the command. */
  program?: string
}

/** Settings of the listeners, on loopback. */
export const listenersOn = (http: number, admin: number, smtp: number): Record<string, string> => ({
  'server.http': `127.0.0.1:${http}`,
  'server.admin': `127.0.0.1:${admin}`,
  'smtp.listen': `127.0.0.1:${smtp}`,
})

/** On free ports, for a daemon that should refuse to start. */
export const freeListeners = async (): Promise<Record<string, string>> =>
  listenersOn(await freePort(), await freePort(), await freePort())

export const setArgs = (settings: Record<string, string>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`])

/** @returns the path of a file with a key for `server.secret_key_file` */
export async function writeSecretKey(dir: string, key = '5e'.repeat(32)): Promise<string> {
  const file = join(dir, 'secret.key')
  await writeFile(file, `${key}\n`, { mode: 0o600 })
  return file
}

async function testDatabase(): Promise<TestDatabase | undefined> {
  if (process.env.TEST_STORE !== 'postgres') return undefined
  // Loaded here: it belongs to tap, which a bench has not.
  const { createTestDatabase } = await import('./store/test-database.js')
  return createTestDatabase()
}

/**
 * With `TEST_STORE=postgres` its store is a new database of a PostgreSQL server.
 *
 * @param settings by dotted name, as for `--set`; ports and data folder are chosen here
 */
export async function startDaemon(
  settings: Record<string, string> = {},
  {
    configDir,
    env = {},
    launcher = [],
    node = process.execPath,
    checkout = process.cwd(),
    clockAheadMs = 0,
    host,
    program: own,
  }: DaemonOptions = {},
): Promise<Daemon> {
  const bin = join(checkout, 'bin/restante')
  const dataDir = await mkdtemp(join(tmpdir(), 'restante-test-'))
  // Every name but those of a test's own server does not exist: no test asks the machine's resolver.
  const dns = await startDnsServer({})
  const database = await testDatabase()
  const [http, admin, smtp] = [await freePort(), await freePort(), await freePort()]
  const all: Record<string, string> = {
    'server.data_dir': dataDir,
    ...listenersOn(http, admin, smtp),
    'domains.names': 'agents.test',
    'limits.claim_difficulty': '8',
    'server.dns': dns.address,
    ...(host === undefined ? {} : { 'server.base_url': `http://${host}:${http}` }),
    ...(database === undefined ? {} : { 'store.url': database.url }),
    ...settings,
  }
  // The same for all daemons: those on one database share it.
  if (all['store.url']) all['server.secret_key_file'] ??= await writeSecretKey(dataDir)
  const args = [...(configDir === undefined ? [] : ['--config', configDir]), ...setArgs(all)]
  const url = `http://${host ?? '127.0.0.1'}:${http}`
  let child: ChildProcess | undefined
  let output = ''

  async function start(aheadMs = clockAheadMs) {
    const [program = '', ...words] = [...launcher, node, ...clockArgs(aheadMs), own ?? bin, 'start', ...args]
    const started = spawn(program, words, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // The test runner's own hooks slow every start down.
      env: { ...process.env, NODE_OPTIONS: '', ...env },
    })
    child = started
    const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-200_000))
    started.stdout.on('data', keep)
    started.stderr.on('data', keep)
    for (let tries = 0; tries < 1200; tries++) {
      const ending = started.exitCode ?? started.signalCode
      if (ending !== null) throw new Error(`the daemon ended with ${ending}:\n${output}`)
      const ready = await fetch(`${url}/healthz`).then(
        (answer) => answer.ok,
        () => false,
      )
      if (ready) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`the daemon did not get ready:\n${output}`)
  }

  async function end(signal: NodeJS.Signals) {
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    child.kill(signal)
    await once(child, 'exit')
    return child.exitCode
  }

  async function ended() {
    if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }

  const remove = async () => {
    await end('SIGKILL')
    await dns.close()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await start()
  } catch (error) {
    await remove()
    throw error
  }
  return {
    url,
    adminUrl: `http://127.0.0.1:${admin}`,
    smtpPort: smtp,
    dataDir,
    pid: () => child?.pid ?? 0,
    output: () => output,
    cli: (...words) => run(node, [...clockArgs(clockAheadMs), bin, ...words, ...args]),
    cliArgs: (...words) => [...clockArgs(clockAheadMs), bin, ...words, ...args],
    end,
    ended,
    start,
    openStore: async () =>
      createStore(
        database
          ? await openPostgres({ url: database.url, clock: systemClock })
          : openLmdb({ path: join(dataDir, 'store') }),
      ),
    remove,
  }
}

/** A process of Node whose clock is ahead: of all that it asks, only the time of day is another. */
export function clockArgs(aheadMs: number): string[] {
  const code = `const now = Date.now; Date.now = () => now() + ${aheadMs}`
  return aheadMs === 0 ? [] : ['--import', `data:text/javascript,${encodeURIComponent(code)}`]
}

/** Runs a program to its end. */
export function run(program: string, args: string[], input?: string | Buffer): Promise<CliResult> {
  return new Promise((resolve) => {
    const child = execFile(
      program,
      args,
      { maxBuffer: 64 << 20, env: { ...process.env, NODE_OPTIONS: '' } },
      (error, stdout, stderr) => {
        const code = error ? (typeof error.code === 'number' ? error.code : 255) : 0
        resolve({ code, stdout, stderr: error && code === 255 ? `${stderr}\n${error.message}` : stderr })
      },
    )
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}
