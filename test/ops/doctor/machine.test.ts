/** The disk, the clock, Node, the unit and its limits. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { loadConfig } from '../../../src/config/load.js'
import { checkClock, clockElsewhere } from '../../../src/ops/doctor/clock.js'
import { checkInodes, checkSpace } from '../../../src/ops/doctor/disk.js'
import { openFilesLimit, processFacts } from '../../../src/ops/doctor/facts.js'
import { thisMachine } from '../../../src/ops/doctor/machine.js'
import {
  checkDaemonVersion,
  checkMemory,
  checkNatives,
  checkNode,
  checkOpenFiles,
  checkUnit,
} from '../../../src/ops/doctor/software.js'
import { DAY, MINUTE } from '../../../src/lib/clock.js'

const MIB = 2 ** 20
const room = (freeBytes: number, files = 0, freeFiles = 0) => ({ freeBytes, files, freeFiles })

t.test('room is told against server.min_free_bytes, with a warning before mail is refused', async (t) => {
  const state = (free: number, least = 256 * MIB) => checkSpace(room(free), '/var/lib/restante', least).state
  t.same(
    [255, 256, 511, 512].map((each) => state(each * MIB)),
    ['failed', 'warning', 'warning', 'ok'],
  )
  t.equal(state(1, 0), 'skipped')
})

t.test('files that can still be made', async (t) => {
  const state = (files: number, free: number) => checkInodes(room(0, files, free), '/').state
  t.same(
    [state(0, 0), state(100_000, 999), state(100_000, 4999), state(100_000, 5000)],
    ['skipped', 'failed', 'warning', 'ok'],
  )
})

t.test('a clock is right when time servers set it, and wrong when it is behind what is past', async (t) => {
  const now = Date.UTC(2026, 10, 22)
  const clock = (timedatectl?: string, at = now - DAY) =>
    checkClock({ now, timedatectl, past: [{ what: 'the store', at }] })
  t.equal(clock('NTP=yes\nNTPSynchronized=yes\n').state, 'ok')
  t.match(clock('NTP=no\nNTPSynchronized=no\n'), { state: 'warning', remedy: [{ text: 'timedatectl set-ntp true' }] })
  t.equal(clock().state, 'unknown')
  t.match(clock('NTPSynchronized=yes', now + DAY), {
    state: 'failed',
    finding: /the store was written at 2026-11-23T.*behind/,
  })
  t.equal(clock('NTPSynchronized=yes', now + MINUTE).state, 'ok')
})

t.test(
  'a clock that is ahead or behind is found by what a server elsewhere says, whatever systemd believes',
  async (t) => {
    const now = Date.UTC(2026, 10, 22)
    const clock = (at: number, timedatectl = 'NTPSynchronized=yes') =>
      checkClock({ now, timedatectl, past: [], elsewhere: { host: 'ca.example', at } })
    t.match(clock(now - DAY), {
      state: 'failed',
      finding:
        /^it is 2026-11-22T00:00:00\S* here, and ca\.example says 2026-11-21T00:00:00\S*: the clock is ahead by 1 d$/,
      remedy: [{ text: 'timedatectl set-ntp true' }, {}],
    })
    t.match(clock(now + 90 * MINUTE), { state: 'failed', finding: /the clock is behind by 2 h$/ })
    t.match(clock(now + MINUTE, ''), { state: 'ok', finding: /as ca\.example says too/ })
    const asked = (...set: string[]) => clockElsewhere(loadConfig({ set }))?.href
    t.equal(asked(), undefined, 'nobody is asked who is not in the settings')
    t.equal(
      asked('tls.acme=https://ca.example/dir', 'tls.acme_terms_agreed=true', 'domains.hostname=mx.agents.example'),
      'https://ca.example/dir',
    )
  },
)

t.test('an old Node, a missing binary, and an upgrade that is not in use', async (t) => {
  t.same(
    ['v18.20.0', 'v20.18.3', 'v20.19.0', 'v22.1.0', 'v22.19.0', 'v23.11.0', 'v24.0.0', 'v26.1.0'].map(
      (each) => checkNode(each, Date.parse('2026-01-01')).state,
    ),
    ['failed', 'failed', 'ok', 'failed', 'ok', 'failed', 'ok', 'ok'],
  )
  const days = ['2026-01-29', '2026-01-31', '2026-05-01', '2028-01-30', '2028-05-01']
  t.same(
    days.map((day) => ['v20.20.2', 'v24.21.0'].map((each) => checkNode(each, Date.parse(day)).state)),
    [
      ['ok', 'ok'],
      ['warning', 'ok'],
      ['warning', 'ok'],
      ['warning', 'ok'],
      ['warning', 'warning'],
    ],
  )
  t.match(checkNode('v20.20.2', Date.parse('2026-05-01')).finding, 'got its last security release on 2026-04-30')
  t.match(checkNatives({ lmdbProblem: 'no binding', uwsProblem: undefined }, '/opt/restante', 'auto'), {
    state: 'failed',
    remedy: [{ text: 'cd /opt/restante && npm ci' }],
  })
  const withoutUws = { lmdbProblem: undefined, uwsProblem: 'uWebSockets.js is not installed' }
  t.match(checkNatives(withoutUws, '/opt', 'uws'), { state: 'failed', finding: /uws.*is not installed/ })
  t.match(checkNatives(withoutUws, '/opt', 'auto'), {
    state: 'ok',
    finding: /served by node, since .*is not installed/,
  })
  t.match(checkNatives({ ...withoutUws, uwsProblem: undefined }, '/opt', 'auto'), {
    state: 'ok',
    finding: /served by uws/,
  })
  t.match(checkNatives(withoutUws, '/opt', 'node'), { state: 'ok', finding: /served by node/ })
  t.equal(checkNatives(await thisMachine.natives(), '/opt', 'auto').state, 'ok', 'those of this installation')
  t.same([checkDaemonVersion('1.0.0', '1.0.0').state, checkDaemonVersion('1.0.0', '1.1.0').state], ['ok', 'warning'])
})

t.test('limits of the process', async (t) => {
  t.equal(openFilesLimit('Max open files            1024                 524288               files\n'), 1024)
  t.equal(openFilesLimit('Max open files            unlimited            unlimited            files\n'), null)
  const config = loadConfig()
  t.same(
    [checkOpenFiles(1024, config).state, checkOpenFiles(65536, config).state, checkOpenFiles(null, config).state],
    ['warning', 'ok', 'ok'],
  )
  t.same(
    [
      checkMemory(128 * MIB, 4096 * MIB).state,
      checkMemory(null, 256 * MIB).state,
      checkMemory(1024 * MIB, 4096 * MIB).state,
    ],
    ['warning', 'warning', 'ok'],
  )
  t.match(await processFacts(), { pid: process.pid, node: process.version, systemd: false })
})

t.test('a unit that lacks lines of the shipped one is told with the lines', async (t) => {
  const shipped = {
    path: '/opt/restante/systemd/restante.service',
    text: readFileSync('systemd/restante.service', 'utf8'),
  }
  const unit = (text: string | undefined, hasSystemd = true) =>
    checkUnit(
      {
        shipped,
        hasSystemd,
        installed: text === undefined ? undefined : { path: '/etc/systemd/system/restante.service', text },
      },
      { systemd: true },
    )
  t.equal(unit(undefined, false).state, 'skipped')
  t.match(unit(undefined), { state: 'warning', remedy: [{ kind: 'command', text: /^cp \/opt\/restante/ }] })
  t.equal(unit(shipped.text).state, 'ok')
  t.equal(unit(shipped.text.replace('/opt/restante/bin', '/srv/restante/bin')).state, 'ok', 'paths are the operator’s')
  t.match(unit(shipped.text.replace('NoNewPrivileges=yes', '# NoNewPrivileges=yes')), {
    state: 'warning',
    finding: /lacks 1 lines of the shipped unit: NoNewPrivileges=yes/,
  })
  const behind = '/usr/lib/systemd/system/restante.service'
  t.match(checkUnit({ shipped, hasSystemd: true, installed: shipped, behind }, { systemd: true }), {
    state: 'warning',
    finding: /overrides \/usr\/lib\/systemd\/system\/restante\.service/,
    remedy: [{ text: /^rm / }],
  })
  t.match(checkUnit({ shipped, hasSystemd: true, installed: shipped }, { systemd: false }), {
    state: 'warning',
    finding: /systemd did not start/,
  })
})
