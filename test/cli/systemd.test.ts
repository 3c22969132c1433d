/** The shipped unit is one that systemd takes, and keeps its promises to the daemon. */
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { loadConfig } from '../../src/config/load.js'

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

t.test('systemd waits longer for the stop than the daemon takes', async (t) => {
  const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(readFileSync(unit, 'utf8'))?.[1])
  t.ok(seconds > loadConfig().server.shutdown_seconds + 5)
})
