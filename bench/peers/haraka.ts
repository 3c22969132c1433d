/**
 * Haraka with its SPF and DKIM plugins, which throws away what it has checked. It is no dependency: npm installs it into a temporary folder, from
 * whatever registry npm is set to.
 */
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../../test/support/daemon.js'
import { freePort } from '../../test/support/ports.js'
import { createNamespace } from '../namespace.js'
import { listening, type Peer } from './postfix-stack.js'

/** libmime is held at the version this project has itself: newer ones ask for packages that are not always to be had. */
const PACKAGE = {
  private: true,
  dependencies: { Haraka: '3.3.4', 'haraka-plugin-spf': '1.3.0', 'haraka-plugin-dkim': '1.3.1' },
  overrides: { libmime: '5.4.5' },
}

/**
 * Takes every recipient, lets the loopback address be checked like any other, and writes down the header of the first message, which shows that
 * it was.
 */
const PLUGIN = `
const { writeFileSync } = require('node:fs')
let shown = false
exports.hook_connect = (next, connection) => { connection.set('remote.is_private', false); next() }
exports.hook_rcpt = (next) => next(OK)
exports.hook_queue = (next, connection) => {
  if (!shown) {
    shown = true
    const results = connection.transaction.results
    writeFileSync(process.env.BENCH_SHOWN, connection.auth_results() + '\\n' + JSON.stringify([results.get('spf'), results.get('dkim')]))
  }
  next()
}
`

export interface Haraka extends Peer {
  /** What it found out about its first message. */
  shown(): Promise<string>
}

/** @returns undefined when it can't be installed */
export async function startHaraka(nameserver: string): Promise<Haraka | undefined> {
  const dir = await mkdtemp(join(tmpdir(), 'restante-haraka-'))
  const remove = (): Promise<void> => rm(dir, { recursive: true, force: true })
  await writeFile(join(dir, 'package.json'), JSON.stringify(PACKAGE))
  const words = ['install', '--prefix', dir, '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund']
  const installed = await run('npm', words)
  if (installed.code !== 0) {
    await remove()
    return undefined
  }
  const port = await freePort()
  const home = join(dir, 'home')
  for (const folder of ['plugins', 'queue']) await mkdir(join(home, folder), { recursive: true })
  await cp(join(dir, 'node_modules', 'Haraka', 'config'), join(home, 'config'), { recursive: true })
  const files = {
    'config/smtp.ini': `listen=127.0.0.1:${port}\nnodes=0\n`,
    'config/log.ini': '[main]\nlevel=error\n',
    'config/plugins': 'bench\nspf\ndkim\nqueue/discard\n',
    'config/dkim.ini': '[sign]\nenabled=false\n[verify]\nenabled=true\n',
    'config/host_list': 'agents.test\n',
    'config/me': 'mx.agents.test\n',
    'plugins/bench.js': PLUGIN,
  }
  for (const [name, content] of Object.entries(files)) await writeFile(join(home, name), content)
  const namespace = await createNamespace(dir, nameserver)
  const shown = join(dir, 'shown')
  try {
    const program = join(dir, 'node_modules', 'Haraka', 'bin', 'haraka')
    namespace.start('env', [`BENCH_SHOWN=${shown}`, 'YES_REALLY_DO_DISCARD=1', process.execPath, program, '-c', home])
    await listening(port)
  } catch (error) {
    await namespace.close()
    await remove()
    throw error
  }
  return {
    port,
    cpuMs: namespace.cpuMs,
    shown: () => readFile(shown, 'utf8'),
    async stop() {
      await namespace.close()
      await remove()
    },
  }
}
