/** Checks Node, native modules, the unit and its limits, and that the running version is the installed one. */
import type { Config } from '../../config/schema.js'
import { DAY } from '../../lib/clock.js'
import { advice, command, failed, ok, shellWord, skipped, warning } from './finding.js'
import type { Facts } from './facts.js'
import type { Finding } from './types.js'

/** Supported versions as in package.json (`engines`): lowest minor version of these majors, and every major from EVERY_FROM on. */
const LEAST_MINOR: Readonly<Record<number, number>> = { 20: 19, 22: 19 }
const EVERY_FROM = 24
const MIB = 2 ** 20
/** Memory of the daemon with its threads, the model and an index being written. */
const LEAST_MEMORY = 512 * MIB

/** Last security release of a line (schedule of Node's release working group). */
const LINE_ENDS: Readonly<Record<number, string>> = { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30' }
/** Warned of this long before. */
const NOTICE_MS = 90 * DAY

/** @param version as `process.version` */
export function checkNode(version: string, now: number): Finding {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  const isSupported = major >= EVERY_FROM || minor >= (LEAST_MINOR[major] ?? Infinity)
  if (!isSupported)
    return failed(
      `Node ${version} is not supported: use 24 or later, 22.19 or later of 22, or 20.19 or later of 20`,
      command('apt-get install nodejs'),
    )
  const end = LINE_ENDS[major]
  if (end === undefined || Date.parse(end) - NOTICE_MS > now) return ok(`Node ${version}`)
  const verb = Date.parse(end) > now ? 'gets' : 'got'
  return warning(
    `Node ${version}: its line ${verb} its last security release on ${end}`,
    advice('Install a newer Node, or the newest package of Restante, which includes one.'),
  )
}

const OF_PACKAGE = '/usr/lib/restante'

/** The binaries that npm installs for one version of Node and one platform. */
export interface Natives {
  /** Reason why lmdb cannot be loaded; undefined if it can. */
  lmdbProblem: string | undefined
  uwsProblem: string | undefined
}

/** @param folder of the installation */
export function checkNatives(
  { lmdbProblem, uwsProblem }: Natives,
  folder: string,
  driver: Config['server']['http_driver'],
): Finding {
  const again =
    folder === OF_PACKAGE
      ? advice('Install the package of Restante again: apt install --reinstall with its file.')
      : command(`cd ${shellWord(folder)} && npm ci`)
  if (lmdbProblem !== undefined) return failed(`the store (lmdb) cannot be loaded: ${lmdbProblem}`, again)
  if (driver === 'node')
    return ok('the binary of lmdb fits this Node and platform; HTTP is served by node (server.http_driver)')
  if (uwsProblem === undefined)
    return ok('the binaries of lmdb and uWebSockets.js fit this Node and platform; HTTP is served by uws')
  return driver === 'uws'
    ? failed(`server.http_driver is "uws", and ${uwsProblem}`, advice('Set server.http_driver to "auto".'))
    : ok(`the binary of lmdb fits this Node and platform; HTTP is served by node, since ${uwsProblem}`)
}

export function checkDaemonVersion(running: string, installed: string): Finding {
  return running === installed
    ? ok(`version ${running} is installed and running`)
    : warning(
        `version ${running} is running, but ${installed} is installed: the daemon was not restarted after the upgrade`,
        command('systemctl restart restante'),
      )
}

/** Open files needed: one for each connection, delivery, look-up and file of the store. */
export function checkOpenFiles(limit: number | null, { smtp, relay }: Config): Finding {
  const needed = 2 * smtp.max_connections + 4 * relay.concurrency + 2048
  if (limit === null) return ok('there is no limit on open files')
  return limit >= needed
    ? ok(`${limit} open files are allowed`)
    : warning(
        `${limit} open files are allowed, but the settings may need ${needed}: connections are refused beyond that`,
        command('systemctl edit restante   # [Service] LimitNOFILE=65536'),
      )
}

export function checkMemory(limit: number | null, total: number): Finding {
  const words = `${Math.round(Math.min(limit ?? total, total) / MIB)} MiB of memory`
  if (limit !== null && limit < LEAST_MEMORY)
    return warning(
      `the unit may use ${words}, but up to ${LEAST_MEMORY / MIB} are needed`,
      command('systemctl edit restante   # [Service] MemoryMax=1G'),
    )
  return total < LEAST_MEMORY
    ? warning(`the machine has ${words}; ${LEAST_MEMORY / MIB} are needed`, advice('Use a larger server.'))
    : ok(words)
}

export interface UnitFiles {
  /** The installed unit; undefined if there is none. */
  installed: { path: string; text: string } | undefined
  /** Path of another one that it overrides, usually of a package. */
  behind?: string | undefined
  shipped: { path: string; text: string }
  hasSystemd: boolean
}

/** Lines that depend on the paths and the user of the installation. */
const OWN_LINES =
  /^(?:StateDirectory|StateDirectoryMode|ConfigurationDirectory|ExecStart|ExecReload|WorkingDirectory|Documentation|User|Group|Environment|TimeoutStopSec|Description|After|Wants|AssertDirectoryNotEmpty)=/

/** @param facts undefined while no daemon runs */
export function checkUnit(
  { installed, behind, shipped, hasSystemd }: UnitFiles,
  facts: Pick<Facts, 'systemd'> | undefined,
): Finding {
  if (!hasSystemd) return skipped('this machine does not run systemd')
  if (!installed)
    return warning(
      'there is no unit restante.service: nothing starts the daemon after a reboot',
      command(
        `cp ${shellWord(shipped.path)} /etc/systemd/system/ && systemctl daemon-reload && systemctl enable --now restante`,
      ),
    )
  if (behind !== undefined)
    return warning(
      `${installed.path} overrides ${behind}: upgrades of the package have no effect on the unit`,
      command(`rm ${shellWord(installed.path)} && systemctl daemon-reload && systemctl restart restante`),
    )
  const present = linesOf(installed.text)
  const missing = linesOf(shipped.text).filter((line) => !OWN_LINES.test(line) && !present.includes(line))
  if (missing.length > 0)
    return warning(
      `${installed.path} lacks ${missing.length} lines of the shipped unit: ${missing.slice(0, 3).join(', ')}${missing.length > 3 ? ', …' : ''}`,
      command(`diff ${shellWord(installed.path)} ${shellWord(shipped.path)}`),
    )
  if (facts?.systemd === false)
    return warning(
      'systemd did not start the running daemon: it does not restart after a crash or a reboot',
      command('systemctl enable --now restante'),
    )
  return ok(`${installed.path} is as shipped`)
}

function linesOf(unit: string): string[] {
  return unit
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[#;]/.test(line))
}
