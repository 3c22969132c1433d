/** Debian's Thunderbird in a window that nobody sees (Xvfb), with a profile of its own, and no way to the Internet but the ports that a test gives. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Test } from 'tap'
import { freePort } from '../ports.js'
import { connectMarionette, type Marionette } from './marionette.js'
import { allPeers, peer } from './peers.js'
import { startSocksProxy, type SocksProxy } from './socks-proxy.js'

const PROGRAM = '/usr/lib/thunderbird/thunderbird'
const XVFB = '/usr/bin/Xvfb'
const CERTUTIL = '/usr/bin/certutil'
const IMPORT = '/usr/bin/import'

/** For the options of a test. */
export const thunderbirdPeer = (): { skip: string | false } =>
  allPeers(peer('Thunderbird', PROGRAM), peer('Xvfb', XVFB), peer('certutil', CERTUTIL), peer('ImageMagick', IMPORT))

export interface Thunderbird {
  /**
   * Runs the body of an asynchronous function in its main window.
   *
   * @param args what it has as `args`. It has too: `main`, the window; `pane()`, its part with folders and messages; `find(selector)`, also inside of
   * components; `type(selector, text)`; `until(test, what)`, which waits for something true and returns it
   */
  run(body: string, ...args: unknown[]): Promise<unknown>
  proxy: SocksProxy
  /** Writes what the screen shows into a file. */
  screenshot(file: string): Promise<void>
}

const SCREEN = { width: 1280, height: 800 }
const execute = promisify(execFile)

/** Quiet: nothing is shown at the first start, and nothing is asked of the makers. */
const PREFERENCES = {
  'app.donation.eoy.version.viewed': 999,
  'app.normandy.enabled': false,
  'app.update.auto': false,
  'app.update.disabledForTesting': true,
  'browser.safebrowsing.downloads.enabled': false,
  'calendar.timezone.local': 'UTC',
  'calendar.timezone.useSystemTimezone': false,
  'datareporting.healthreport.uploadEnabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'extensions.update.enabled': false,
  'mail.inappnotifications.enabled': false,
  'mail.rights.version': 1,
  'mail.shell.checkDefaultClient': false,
  'mail.spotlight.firstRunDone': true,
  'mail.winsearch.firstRunDone': true,
  'mailnews.start_page.enabled': false,
  'mailnews.start_page_override.mstone': 'ignore',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'network.dns.disablePrefetch': true,
  'toolkit.telemetry.enabled': false,
  'toolkit.telemetry.server': '',
  'services.settings.server': 'data:,#remote-settings-dummy/v1',
}

const TOOLS = `
  const main = await (async () => {
    for (;;) {
      const found = Services.wm.getMostRecentWindow('mail:3pane')
      if (found?.document.readyState === 'complete') return found
      await new Promise((resolve) => ChromeUtils.idleDispatch(resolve))
    }
  })()
  const pane = () => main.document.getElementById('tabmail').currentAbout3Pane
  const find = (selector, root = main.document) => {
    const hit = root.querySelector(selector)
    if (hit) return hit
    for (const { shadowRoot } of root.querySelectorAll('*')) {
      const inside = shadowRoot && find(selector, shadowRoot)
      if (inside) return inside
    }
    return null
  }
  const until = async (test, what) => {
    for (let tries = 0; tries < 600; tries++) {
      const value = await test()
      if (value) return value
      await new Promise((resolve) => main.setTimeout(resolve, 100))
    }
    throw new Error('never: ' + what)
  }
  const type = (selector, text) => {
    const field = find(selector)
    field.value = text
    field.dispatchEvent(new main.InputEvent('input', { bubbles: true }))
  }
  // MX records are asked of the system, past the proxy.
  ChromeUtils.importESModule('resource:///modules/DNS.sys.mjs').DNS.mx = async () => []
`

/** A program that ends with the test. */
function started(t: Test, program: string, args: string[], env: Record<string, string>) {
  const child = spawn(program, args, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  child.stderr.resume()
  return child
}

async function startScreen(t: Test): Promise<string> {
  const screen = started(
    t,
    XVFB,
    ['-displayfd', '1', '-screen', '0', `${SCREEN.width}x${SCREEN.height}x24`, '-nolisten', 'tcp', '-noreset'],
    {},
  )
  const [number] = await once(screen.stdout, 'data')
  screen.stdout.resume()
  return `:${String(number).trim()}`
}

async function whenListening(port: number): Promise<Marionette> {
  for (let tries = 0; ; tries++)
    try {
      return await connectMarionette(port)
    } catch (cause) {
      if (tries === 600) throw new Error('Thunderbird does not get ready', { cause })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
}

/**
 * @param dir a folder of the test
 * @param caFile the authority it trusts
 * @param ports what it can reach: ports of this machine by `name:port`
 */
export async function startThunderbird(
  t: Test,
  { dir, caFile, ports }: { dir: string; caFile: string; ports: Readonly<Record<string, number>> },
): Promise<Thunderbird> {
  const profile = join(dir, 'profile')
  await mkdir(profile)
  await execute(CERTUTIL, ['-N', '-d', `sql:${profile}`, '--empty-password'])
  await execute(CERTUTIL, ['-A', '-d', `sql:${profile}`, '-n', 'test', '-t', 'C,,', '-i', caFile])
  const proxy = await startSocksProxy(ports)
  t.teardown(() => proxy.close())
  const port = await freePort()
  const preferences = {
    ...PREFERENCES,
    'marionette.port': port,
    'network.proxy.type': 1,
    'network.proxy.socks': '127.0.0.1',
    'network.proxy.socks_port': proxy.port,
    'network.proxy.socks_version': 5,
    'network.proxy.socks_remote_dns': true,
    'network.proxy.allow_hijacking_localhost': true,
    'network.proxy.no_proxies_on': '',
    'network.proxy.failover_direct': false,
  }
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`)
  await writeFile(join(profile, 'user.js'), lines.join(''))
  const display = await startScreen(t)
  const env = { DISPLAY: display, HOME: dir, NO_AT_BRIDGE: '1', LANG: 'C.UTF-8', MOZ_CRASHREPORTER_DISABLE: '1' }
  const options = ['--marionette', '--remote-allow-system-access', '--no-remote', '--profile', profile]
  started(t, PROGRAM, options, env).stdout.resume()
  const marionette = await whenListening(port)
  await marionette.run(`${TOOLS} main.moveTo(0, 0); main.resizeTo(${SCREEN.width}, ${SCREEN.height})`)
  t.teardown(() => marionette.close())
  return {
    run: (body, ...args) => marionette.run(`${TOOLS}${body}`, ...args),
    proxy,
    async screenshot(file) {
      await execute(IMPORT, ['-display', display, '-window', 'root', file])
    },
  }
}
