/** The shipped unit is one that systemd takes, and keeps its promises to the daemon. */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import t from 'tap'
import { loadConfig } from '../../src/config/load.js'
import { startDaemon } from '../support/daemon.js'
import { peer } from '../support/peers.js'

const unit = join(process.cwd(), 'systemd/restante.service')

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
  const { stdout, stderr } = await promisify(execFile)('systemd-analyze', ['verify', unit])
  t.equal(stdout + stderr, '')
})

t.test('what the unit is exposed to stays as low as it can be', { skip: systemdAnalyze() }, async (t) => {
  const { stdout } = await promisify(execFile)('systemd-analyze', ['security', '--offline=true', '--no-pager', unit])
  const level = Number(/Overall exposure level for restante\.service: ([\d.]+)/.exec(stdout)?.[1])
  // 1.5, and 0.1 for telling systemd through a child process (NotifyAccess=all): Node can't send a datagram to it.
  t.ok(level > 0 && level <= 1.6, String(level))
})

/** Stands for systemd: prints each datagram on a line of its own, its variables with blanks between them. */
const LISTENER = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('listening', flush=True)
while True:
    print(s.recv(4096).decode().strip().replace('\\n', ' '), flush=True)
`

t.test(
  'systemd hears of the real daemon: ready, alive, reloading, stopping',
  { skip: peer('systemd-notify', '/usr/bin/systemd-notify').skip || peer('python3', '/usr/bin/python3').skip },
  async (t) => {
    // A path of a socket has at most 107 characters.
    const folder = mkdtempSync(join(tmpdir(), 'notify-'))
    t.teardown(() => rmSync(folder, { recursive: true }))
    const socket = join(folder, 'socket')
    const listener = spawn('/usr/bin/python3', ['-c', LISTENER, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
    t.teardown(() => listener.kill())
    const heard: string[] = []
    const lines = createInterface(listener.stdout)
    lines.on('line', (line) => heard.push(line))
    const hear = async (what: RegExp, from = 0): Promise<void> => {
      while (!heard.slice(from).some((line) => what.test(line))) await once(lines, 'line')
    }
    await hear(/listening/)
    const daemon = await startDaemon({}, { env: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '1000000' } })
    t.teardown(() => daemon.remove())
    await hear(/^READY=1 STATUS=taking mail/)
    await hear(/^WATCHDOG=1/)
    const before = heard.length
    process.kill(daemon.pid(), 'SIGHUP')
    await hear(/^RELOADING=1 MONOTONIC_USEC=\d+/, before)
    await hear(/^READY=1/, before)
    t.equal(await daemon.end('SIGTERM'), 0)
    await hear(/^STOPPING=1/, before)
    t.notOk(heard.slice(0, before).includes('STOPPING=1'))
  },
)

t.test('systemd waits longer for the stop than the daemon takes', async (t) => {
  const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(readFileSync(unit, 'utf8'))?.[1])
  t.ok(seconds > loadConfig().server.shutdown_seconds + 5)
})
