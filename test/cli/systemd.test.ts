/** The shipped units are ones that systemd takes, and keep their promises to the daemon. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { loadConfig } from '../../src/config/load.js'
import { unitFor } from '../../src/ops/setup/unit.js'
import { run, startDaemon } from '../support/daemon.js'
import { peer } from '../support/peers/peers.js'

const unit = join(process.cwd(), 'systemd/restante.service')
const template = join(process.cwd(), 'systemd/restante@.service')
const LAUNCHER = join(process.cwd(), 'systemd/launch')

function systemdAnalyze(): false | string {
  try {
    execFileSync('systemd-analyze', ['--version'], { stdio: 'ignore' })
    return false
  } catch (error) {
    if (process.env.REQUIRE_PEERS === '1') throw error
    return 'systemd-analyze is not installed'
  }
}

t.test('systemd-analyze verify has nothing to say', { skip: systemdAnalyze() }, async (t) => {
  // Programs have to be there: the unit for this clone.
  const places = {
    installation: process.cwd(),
    node: process.execPath,
    configDir: '/etc/restante',
    dataDir: '/var/lib/restante',
  }
  for (const shipped of [unit, template]) {
    const name = basename(shipped)
    const dir = t.testdir({ [name]: unitFor(readFileSync(shipped, 'utf8'), places) })
    const { stdout, stderr } = await promisify(execFile)('systemd-analyze', ['verify', join(dir, name)])
    t.equal(stdout + stderr, '', name)
  }
})

t.test('the unit of one role is the unit, but for its role and its places', async (t) => {
  const sections = (path: string): string => readFileSync(path, 'utf8').replace(/^[^]*?(?=\[Unit\])/, '')
  const own: [string, string][] = [
    ['software agents', 'software agents: %i'],
    ['Identifier=restante', 'Identifier=restante-%i'],
    ['--config /etc/restante', '--config /etc/restante/%i --set server.roles=%i'],
    ['NotEmpty=/etc/restante', 'NotEmpty=/etc/restante/%i'],
    ['ConfigurationDirectory=restante', 'ConfigurationDirectory=restante/%i'],
    ['StateDirectory=restante', 'StateDirectory=restante-%i'],
    ['/var/lib/restante', '/var/lib/restante-%i'],
  ]
  t.equal(
    sections(template),
    own.reduce((text, [from, to]) => text.replace(`${from}\n`, `${to}\n`), sections(unit)),
  )
})

t.test('what the unit is exposed to stays as low as it can be', { skip: systemdAnalyze() }, async (t) => {
  for (const shipped of [unit, template]) {
    const ask = ['security', '--offline=true', '--no-pager', shipped]
    const { stdout } = await promisify(execFile)('systemd-analyze', ask)
    const level = Number(/Overall exposure level for restante\S*\.service: ([\d.]+)/.exec(stdout)?.[1])
    t.ok(level > 0 && level <= 1.5, `${basename(shipped)}: ${level}`)
  }
})

/** Stands for systemd: prints each datagram on a line of its own, the process that sent it first, its variables with blanks between them. */
const LISTENER = `
import socket, struct, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
s.bind(sys.argv[1].replace('@', '\\0', 1) if sys.argv[1].startswith('@') else sys.argv[1])
print('0 listening', flush=True)
while True:
    data, ancillary, _, _ = s.recvmsg(4096, socket.CMSG_SPACE(12))
    (pid, _, _), = [struct.unpack('3i', c) for level, kind, c in ancillary if kind == socket.SCM_CREDENTIALS]
    print(pid, data.decode().strip().replace('\\n', ' '), flush=True)
`

/** @param name of the socket; with @ in front, one that is not in the file system */
async function listen(t: Test, name: string) {
  const listener = spawn('/usr/bin/python3', ['-c', LISTENER, name], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => listener.kill())
  const heard: { pid: number; said: string }[] = []
  const lines = createInterface(listener.stdout)
  lines.on('line', (line) => {
    const [, pid, said = ''] = /^(\d+) (.*)$/.exec(line) ?? []
    heard.push({ pid: Number(pid), said })
  })
  const hear = async (what: RegExp, from = 0): Promise<void> => {
    while (!heard.slice(from).some(({ said }) => what.test(said))) await once(lines, 'line')
  }
  await hear(/listening/)
  return { heard, hear }
}

/** A path of a socket has at most 107 characters. */
function socketPath(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'notify-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  return join(folder, 'socket')
}

const python = peer('python3', '/usr/bin/python3')

t.test(
  'systemd hears of the real daemon, from its main process: ready, alive, reloading, stopping',
  python,
  async (t) => {
    const socket = socketPath(t)
    const { heard, hear } = await listen(t, socket)
    const env = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '1000000' }
    const daemon = await startDaemon({}, { env, launcher: [LAUNCHER] })
    t.teardown(() => daemon.remove())
    await hear(/^READY=1 STATUS=taking mail/)
    await hear(/^WATCHDOG=1/)
    const before = heard.length
    process.kill(daemon.pid(), 'SIGHUP')
    await hear(/^RELOADING=1 MONOTONIC_USEC=\d+/, before)
    await hear(/^READY=1/, before)
    const pid = daemon.pid()
    t.equal(await daemon.end('SIGTERM'), 0)
    await hear(/^STOPPING=1/, before)
    t.notOk(heard.slice(0, before).some(({ said }) => said.startsWith('STOPPING=1')))
    t.same([...new Set(heard.slice(1).map((each) => each.pid))], [pid], 'nobody but the daemon said anything')
  },
)

/** Says it is ready, as the daemon does, and tells of its environment. */
const SAYS_READY = `import { createServiceManager } from '${join(process.cwd(), 'dist/observe/systemd.js')}'
const log = { warn: (fields, message) => console.error(message) }
await createServiceManager({ env: process.env, pid: process.pid, log }).ready('up')
console.log(JSON.stringify({ pid: process.pid, fd: process.env.RESTANTE_NOTIFY_FD ?? null }))`
const node = ['--input-type=module', '-e', SAYS_READY]
const said = z.object({ pid: z.number(), fd: z.string().nullable() })

async function sayReady(program: string, args: string[], socket: string | undefined) {
  const { NOTIFY_SOCKET: _, ...others } = process.env
  const env = { ...others, NODE_OPTIONS: '', ...(socket === undefined ? {} : { NOTIFY_SOCKET: socket }) }
  const { stdout, stderr } = await promisify(execFile)(program, args, { env })
  return { ...said.parse(JSON.parse(stdout)), stderr }
}

t.test('a socket that is not in the file system is one like others', python, async (t) => {
  const socket = `@restante-test-${process.pid}`
  const { heard, hear } = await listen(t, socket)
  const { pid, stderr } = await sayReady(LAUNCHER, [process.execPath, ...node], socket)
  await hear(/^READY=1 STATUS=up$/)
  t.equal(heard[1]?.pid, pid)
  t.equal(stderr, '')
})

t.test(
  'a unit of before has no open socket, and systemd-notify says it',
  { skip: peer('systemd-notify', '/usr/bin/systemd-notify').skip || python.skip },
  async (t) => {
    const socket = socketPath(t)
    const { hear } = await listen(t, socket)
    const { fd } = await sayReady(process.execPath, node, socket)
    await hear(/^READY=1 STATUS=up$/)
    t.equal(fd, null)
  },
)

t.test('outside of systemd the launcher only starts the program', async (t) => {
  t.match(await sayReady(LAUNCHER, [process.execPath, ...node], undefined), { fd: null, stderr: '' })
  const { code, stderr } = await run(LAUNCHER, ['/none/such'])
  t.not(code, 0)
  t.match(stderr, '/none/such cannot be started: No such file or directory')
})

t.test('a socket that nobody listens at is told', async (t) => {
  const { code, stderr } = await run('/usr/bin/env', ['NOTIFY_SOCKET=/none/notify', LAUNCHER, 'true'])
  t.not(code, 0)
  t.match(stderr, '/none/notify cannot be connected to')
})

t.test('systemd waits longer for the stop than the daemon takes', async (t) => {
  const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(readFileSync(unit, 'utf8'))?.[1])
  t.ok(seconds > loadConfig().server.shutdown_seconds + 5)
})
