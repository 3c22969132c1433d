/** A zone that is really signed: keys and signatures by BIND's tools, served by NSD, asked through an unbound that validates. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { opensslPeer } from './certificates.js'
import { peer } from './peers.js'
import { freePort } from '../ports.js'

const NSD = '/usr/sbin/nsd'
const UNBOUND = '/usr/sbin/unbound'
const SIGN = '/usr/bin/dnssec-signzone'

export const signedZonePeers = (): { skip: string | false } => {
  for (const one of [peer('nsd', NSD), peer('unbound', UNBOUND), peer('dnssec-signzone', SIGN), opensslPeer()])
    if (one.skip) return one
  return { skip: false }
}

async function started(t: Test, command: string, args: string[], ready: string): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  t.teardown(async () => {
    if (child.exitCode !== null) return
    child.kill()
    await once(child, 'exit')
  })
  let log = ''
  for await (const chunk of child.stderr) {
    log += String(chunk)
    if (log.includes(ready)) return void child.stderr.resume()
  }
  throw new Error(`${command} did not start: ${log}`)
}

/**
 * A signed zone `peer.test` on NSD, and an unbound that trusts its key.
 *
 * @param tamper changes the zone once it is signed
 * @param plain a zone `plain.test` that is not signed
 * @returns the address of unbound
 */
export async function signedZone(
  t: Test,
  zone: string,
  tamper: (signed: string) => string = (signed) => signed,
  plain = '$TTL 300\n@ SOA ns.plain.test. hostmaster.plain.test. 1 3600 600 86400 60\n@ NS ns.plain.test.\nns A 127.0.0.1\n',
): Promise<string> {
  const dir = t.testdir({ zone, 'zone.plain': plain })
  const tool = (path: string, ...args: string[]): void => void execFileSync(path, args, { cwd: dir, stdio: 'ignore' })
  tool('/usr/bin/dnssec-keygen', '-a', 'ECDSAP256SHA256', '-f', 'KSK', '-K', dir, 'peer.test')
  tool('/usr/bin/dnssec-keygen', '-a', 'ECDSAP256SHA256', '-K', dir, 'peer.test')
  tool(SIGN, '-S', '-K', dir, '-o', 'peer.test', '-f', 'zone.signed', '-x', 'zone')
  const signed = join(dir, 'zone.signed')
  writeFileSync(signed, tamper(readFileSync(signed, 'utf8')))
  const anchor =
    readdirSync(dir)
      .filter((name) => name.endsWith('.key'))
      .map((name) => readFileSync(join(dir, name), 'utf8'))
      .find((text) => text.includes(' 257 3 ')) ?? ''
  writeFileSync(join(dir, 'anchor'), anchor)
  const [nsdPort, port] = [await freePort(), await freePort()]
  const files = ['pidfile', 'xfrdfile', 'zonelistfile', 'cookie-secret-file'].map(
    (name) => `  ${name}: "${dir}/${name}"`,
  )
  writeFileSync(
    join(dir, 'nsd.conf'),
    [
      'server:',
      `  ip-address: 127.0.0.1@${nsdPort}`,
      '  username: ""',
      '  chroot: ""',
      '  server-count: 1',
      `  zonesdir: "${dir}"`,
      `  xfrdir: "${dir}"`,
      '  verbosity: 1',
      ...files,
      'remote-control:',
      '  control-enable: no',
      'zone:',
      '  name: peer.test',
      '  zonefile: zone.signed',
      'zone:',
      '  name: plain.test',
      '  zonefile: zone.plain',
      '',
    ].join('\n'),
  )
  await started(t, NSD, ['-d', '-c', join(dir, 'nsd.conf')], 'nsd started')
  writeFileSync(
    join(dir, 'unbound.conf'),
    [
      'server:',
      '  interface: 127.0.0.1',
      `  port: ${port}`,
      '  username: ""',
      '  chroot: ""',
      `  directory: "${dir}"`,
      '  pidfile: ""',
      '  use-syslog: no',
      '  logfile: ""',
      '  verbosity: 1',
      '  do-daemonize: no',
      '  do-ip6: no',
      '  do-not-query-localhost: no',
      '  module-config: "validator iterator"',
      '  num-threads: 1',
      '  local-zone: "test." nodefault',
      `  trust-anchor-file: "${dir}/anchor"`,
      'remote-control:',
      '  control-enable: no',
      'stub-zone:',
      '  name: "peer.test"',
      `  stub-addr: 127.0.0.1@${nsdPort}`,
      'stub-zone:',
      '  name: "plain.test"',
      `  stub-addr: 127.0.0.1@${nsdPort}`,
      '',
    ].join('\n'),
  )
  await started(t, UNBOUND, ['-d', '-c', join(dir, 'unbound.conf')], 'start of service')
  return `127.0.0.1:${port}`
}
