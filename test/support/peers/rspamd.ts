/** A real rspamd on a port of its own: offline rules only, no Redis, no network. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasCode } from '../../../src/lib/thrown.js'
import { freePort } from '../ports.js'

export const RSPAMD = '/usr/bin/rspamd'
/** The test string that every spam filter refuses, in two halves so that none stops at this file. */
export const GTUBE = ['XJS*C4JDBQADN1.NSBN3*2IDNEN', '*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X'].join('')

export async function startRspamd(): Promise<{ address: string; stop(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'restante-rspamd-'))
  const address = `127.0.0.1:${await freePort()}`
  const conf = join(dir, 'rspamd.conf')
  await writeFile(
    conf,
    `options {
  pidfile = "${dir}/pid"; cache_file = "${dir}/cache"; dynamic_conf = "${dir}/dynamic"; history_file = "${dir}/history";
  hs_cache_dir = "${dir}/"; tempdir = "${dir}"; control_socket = "${dir}/control.sock mode=0600";
  url_tld = "/usr/share/rspamd/effective_tld_names.dat";
  filters = "regexp"; explicit_modules = [];
  dns { nameserver = ["127.0.0.1:1"]; timeout = 0.1s; retransmits = 1; }
}
logging { type = "console"; level = "error"; }
lua = "/usr/share/rspamd/rules/rspamd.lua";
actions { reject = 15; add_header = 6; greylist = 4; }
worker "normal" { bind_socket = "${address}"; count = 1; mime = true; }
`,
  )
  // A group of its own: killed alone, its first process would leave the others running.
  const child = spawn(RSPAMD, ['-f', '-i', '-c', conf], { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  const killAll = (): void => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch (error) {
      // All of them have ended.
      if (!hasCode(error, 'ESRCH')) throw error
    }
  }
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  for (let tries = 0; ; tries++) {
    if (child.exitCode !== null || tries > 1800) {
      // Left running, they would keep the test's process.
      killAll()
      await rm(dir, { recursive: true, force: true })
      throw new Error(`rspamd: ${output}`)
    }
    const isUp = await fetch(`http://${address}/ping`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    address,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      killAll()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
