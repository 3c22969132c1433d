/**
 * The Debian package on a bare Debian that is booted with its own systemd, by docs/install.md alone: every command of the page in its order, to a mail that
 * was delivered and one that came in; then the watchdog, an upgrade, and the removal. The rest of the world is a neighbour on the only cable.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Test } from 'tap'
import { buildPackage } from '../../systemd/debian/package.js'
import { ownTarget } from '../../systemd/debian/target.js'
import { ROLES } from '../../src/cluster/types.js'
import { run, type CliResult } from '../support/daemon.js'
import { createAuthority } from '../support/peers/certificates.js'
import { boot, connectNeighbour, debianPeers, makeDebian } from '../support/peers/debian-root.js'
import { peer } from '../support/peers/peers.js'

const SERVER = '44.1.0.1'
const ELSEWHERE = '44.2.0.2'
const programs = [
  '/usr/sbin/nsd',
  '/usr/sbin/smtp-sink',
  '/usr/bin/swaks',
  '/usr/bin/lintian',
  '/usr/bin/openssl',
  '/usr/bin/pebble',
]
const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'
const AUTHORITY = 'https://acme.example.org:14000/dir'
/** For the options of a test that plays it. */
export const debianSkip =
  [debianPeers(), ...programs.map((path) => peer(path, path))].find((each) => each.skip)?.skip ?? false

const page = readFileSync('docs/install.md', 'utf8')
/** A chapter's commands, block by block. */
const blocksOf = (chapter: string): string[] => {
  const text = page.split(/^## /m).find((each) => each.startsWith(chapter))
  if (text === undefined) throw new Error(`docs/install.md has no chapter "${chapter}"`)
  return [...text.matchAll(/^```sh\n([\s\S]*?)\n```/gm)].map(([, block = '']) => block)
}

/** @param suite the release of Debian, by its code name */
export async function debianStory(t: Test, suite: string): Promise<void> {
  // In memory where there is enough: dpkg waits for the disk often.
  const dir = mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), 'restante-debian-'))
  t.teardown(() => rmSync(dir, { recursive: true, force: true }))
  // What smtp-sink and nsd write there, they write as somebody else.
  chmodSync(dir, 0o755)
  const root = join(dir, 'root')
  const making = makeDebian(root, suite, ['systemd-sysv', 'adduser', 'unbound', 'dns-root-data'])
  const build = { clone: process.cwd(), staging: join(dir, 'staging'), target: ownTarget(), isFast: true }
  const first = buildPackage({ ...build, out: join(dir, 'first'), version: '0.1.0' })
  const linting = lintOurs(join(dir, 'thin'), first)
  const second = buildPackage({ ...build, out: join(dir, 'second'), version: '0.1.1' })
  await making
  copyFileSync(first, join(root, 'root/restante_0.1.0_amd64.deb'))
  playTheRootOfDns(root)

  const machine = await boot(root, 'mx.agents.example.com')
  t.teardown(() => machine.powerOff())
  const neighbour = await connectNeighbour(machine, SERVER, ELSEWHERE)
  t.teardown(() => neighbour.stop())
  const inbox = join(dir, 'inbox')
  mkdirSync(inbox)
  chmodSync(inbox, 0o777)
  const mx = neighbour.start('/usr/sbin/smtp-sink', ['-u', 'nobody', '-d', `${inbox}/%M.`, `${ELSEWHERE}:25`, '100'])
  const nameServer = neighbour.start('/usr/sbin/nsd', ['-d', '-c', zones(join(dir, 'zones'), '')])
  const pebble = neighbour.start('/usr/bin/env', [
    'PEBBLE_VA_NOSLEEP=1',
    '/usr/bin/pebble',
    ...authority(join(dir, 'pebble'), root),
  ])
  t.teardown(() => void [mx, nameServer, pebble].map((child) => child.kill('SIGKILL')))

  const transcript: string[] = []
  /** In root's own folder, as an operator who is logged in. */
  async function type(script: string): Promise<CliResult> {
    const result = await machine.shell(`cd /root\n${script}`)
    transcript.push(`# ${script.replaceAll('\n', '\n> ')}\n${result.stdout}${result.stderr}`)
    return result
  }
  async function must(script: string): Promise<string> {
    const { code, stdout, stderr } = await type(script)
    if (code !== 0) throw new Error(`${script}\nended with ${code}:\n${stdout}${stderr}`)
    return stdout
  }
  if (process.env.TRANSCRIPT) t.teardown(() => writeFileSync(process.env.TRANSCRIPT ?? '', transcript.join('\n')))

  await t.test('the package is installed, and nothing is started that is not set up', async (t) => {
    const [install = ''] = blocksOf('1. The package')
    t.match(await must(install.replace('apt install', 'apt install -y')), 'Next: restante setup')
    t.match(await must('dpkg -s restante'), 'Status: install ok installed')
    t.equal((await type('systemctl is-enabled restante')).stdout.trim(), 'disabled')
    const start = await type('systemctl start restante')
    t.not(start.code, 0)
    t.match(start.stderr, 'Assertion failed', 'nobody runs it on the defaults of a trial')
    t.equal((await type('systemctl is-enabled restante@relay')).stdout.trim(), 'disabled')
    t.match((await type('systemctl start restante@relay')).stderr, 'Assertion failed', 'nor a role without settings')
    for (const unit of ['restante', ...ROLES.map((role) => `restante@${role}`)]) {
      t.equal((await type(`systemd-analyze --man=no verify ${unit}.service 2>&1`)).stdout, '', unit)
      const security = await must(`systemd-analyze security --no-pager ${unit}`)
      const [, level] = /Overall exposure level for \S+: ([\d.]+)/.exec(security) ?? []
      t.ok(Number(level) > 0 && Number(level) <= 1.5, `${unit}: ${level}`)
      const started = await must(`systemctl show -P ExecStart ${unit}`)
      for (const [, path = ''] of started.matchAll(/(\/usr\/lib\/restante\/[^ ;]+)/g))
        t.ok(existsSync(join(root, path)), `${unit} runs ${path} of the package`)
      t.match(started, '/usr/lib/restante/', 'not the folder of the checkout')
    }
    t.match(await must('stat -c "%U %a" /var/lib/restante'), 'restante 700')
    t.match(await must('restante version'), '0.1.0')
    t.match(await must('zcat /usr/share/man/man1/restante.1.gz'), '.SH COMMANDS')
    t.match(await must('systemd-analyze cat-config systemd/journald@restante.conf'), 'MaxRetentionSec=30day')
  })

  await t.test('setup, records, certificate, start', async (t) => {
    const [ask = '', write = ''] = blocksOf('2. Setup')
    t.match((await type(ask)).stderr, 'Nothing was changed: give --yes to write it.')
    t.match(await must(write), 'Next:')
    t.notOk(existsSync(join(root, 'etc/systemd/system/restante.service')), 'the unit is that of the package')

    const [certificates = ''] = blocksOf('3. Certificates')
    t.match(certificates, LETS_ENCRYPT)
    await must(
      `restante setup --set tls.acme=${AUTHORITY} --set tls.acme_terms_agreed=true --set tls.acme_ca_file=/etc/pebble.pem --set limits.claim_difficulty=8 --yes`,
    )
    await must(certificates.replace(LETS_ENCRYPT, AUTHORITY))

    const [print = ''] = blocksOf('4. DNS')
    zones(join(dir, 'zones'), await must(print))
    nameServer.kill('SIGHUP')
    await delay(0)
    // What was not there a moment ago is remembered for a minute.
    await must('unbound-control reload || systemctl restart unbound')
    const [start = '', certificateList = '', look = ''] = blocksOf('5. Start')
    await must(start)
    const list = async (): Promise<string> => must(`${certificateList} --json`)
    while ((await list()).includes('"ordering": true')) await delay(200)
    t.equal((await list()).match(/"error": null/g)?.length, 2, await list())
    const [check = '', doctor = ''] = look.split('\n')
    const notOk = (await type(check)).stdout
      .split('\n')
      .map((line) => line.split(/ +/))
      .filter(([kind = '', , state]) => /^(?:A|MX|PTR|TLSA|TXT)$/.test(kind) && state !== 'ok')
      .map(([, name, state]) => `${name} ${state}`)
    // The policy is read by HTTPS, and nobody but the test trusts its authority; TLSA is advised only.
    t.same(notOk, ['mta-sts.agents.example.com differs', '_25._tcp.mx.agents.example.com missing'])
    const { stdout } = await type(`${doctor} --json`)
    const failed = JSON.parse(stdout)
      .checks.filter((each: { state: string }) => each.state === 'failed')
      .map((each: { id: string }) => each.id)
    t.same(failed.sort(), ['dns.mta_sts_policy', 'tls.web'], stdout)
  })

  await t.test('an agent claims, sends, and reads', async (t) => {
    const [agent = '', approve = '', send = '', read = ''] = blocksOf('6. The first mail')
    t.match(await must(agent), 'first.agent@agents.example.com waits for approval')
    t.match(await must(approve), 'first.agent@agents.example.com is approved')
    t.match(await must(send), 'msg_')
    const delivered = async (): Promise<string | undefined> =>
      readdirSync(inbox)
        .map((name) => readFileSync(join(inbox, name), 'latin1'))
        .find((mail) => mail.includes('My first mail.'))
    while ((await delivered()) === undefined) await delay(100)
    const mail = (await delivered()) ?? ''
    t.match(mail, /^From: .*first\.agent@agents\.example\.com/m)
    t.match(mail, /^DKIM-Signature: /m)
    const swaks = [
      '--server',
      SERVER,
      '--helo',
      'mx.example.org',
      '--from',
      'you@example.org',
      '--to',
      'first.agent@agents.example.com',
    ]
    const { code, stdout } = await neighbour.run('/usr/bin/swaks', [
      ...swaks,
      '--tls',
      '--header',
      'Subject: Welcome',
      '--body',
      'Glad to hear from you.',
    ])
    t.equal(code, 0, stdout)
    const got = await must(read)
    t.match(got, 'Welcome')
    t.match(got, /you@example\.org.*first\.agent@agents\.example\.com/s, 'and in the receipts')
  })

  await t.test('an upgrade loses nothing, and the new daemon is watched', async (t) => {
    const pid = async (): Promise<string> => (await must('systemctl show -P MainPID restante')).trim()
    await must('systemctl reload restante')
    // Until the daemon says that it is over: one that does not is ended by the limit of this file.
    while ((await type('systemctl is-active restante')).stdout.trim() !== 'active') await delay(50)
    const before = await pid()
    // The watchdog of a minute is one of a second here.
    await must(
      'mkdir -p /etc/systemd/system/restante.service.d; printf "[Service]\\nWatchdogSec=1\\n" > /etc/systemd/system/restante.service.d/quick.conf',
    )
    copyFileSync(second, join(root, 'root/restante_0.1.1_amd64.deb'))
    rmSync(join(root, 'root/restante_0.1.0_amd64.deb'))
    const [upgrade = '', purge = ''] = blocksOf('Upgrading and removing')
    await must(upgrade.replace('apt install', 'apt install -y'))
    t.match(await must('restante version'), '0.1.1')
    const after = await pid()
    t.not(after, before)
    t.match(await must('restante verify'), /./)
    t.match(await must(blocksOf('6. The first mail')[3] ?? ''), 'Welcome', 'the mail of before is there')
    t.equal((await must('systemctl show -P NRestarts restante')).trim(), '0', 'fed in time')
    await must(`kill -STOP ${after}`)
    while ((await must('systemctl show -P NRestarts restante')).trim() === '0') await delay(200)
    t.match(await must('journalctl -u restante --no-pager'), 'Watchdog timeout')
    while ((await must('systemctl is-active restante || true')).trim() !== 'active') await delay(200)

    t.match(await must('restante setup --remove 2>&1 || true'), 'apt purge restante')
    const gone = await must(purge.replace('apt purge', 'apt purge -y'))
    t.match(gone, 'The mail and the keys of Restante stay in /var/lib/restante')
    t.equal((await type('systemctl is-active restante')).stdout.trim(), 'inactive')
    t.match(await must('journalctl --namespace=restante --no-pager'), /"stopped"|stopping|ended/, 'it ended in order')
    t.notOk(existsSync(join(root, 'etc/restante')))
    t.notOk(existsSync(join(root, 'usr/lib/restante')))
    t.ok(existsSync(join(root, 'var/lib/restante/store')))
  })

  const { code, stdout, stderr } = await linting
  t.equal(code, 0, stdout + stderr)
}

function hasRoom(path: string): boolean {
  if (!existsSync(path)) return false
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize > 4 * 2 ** 30
}

/** What resolves the rest of the world: the name servers of the neighbour, whose answers nobody has signed. */
function playTheRootOfDns(root: string): void {
  const conf = join(root, 'etc/unbound/unbound.conf.d')
  rmSync(join(conf, 'root-auto-trust-anchor-file.conf'))
  writeFileSync(
    join(conf, 'test.conf'),
    `server:\n  do-not-query-localhost: no\nforward-zone:\n  name: "."\n  forward-addr: ${ELSEWHERE}\n`,
  )
  rmSync(join(root, 'etc/resolv.conf'), { force: true })
  writeFileSync(join(root, 'etc/resolv.conf'), 'nameserver 127.0.0.1\n')
}

/** @param published lines of the zone file that setup printed. @returns path of NSD's settings */
function zones(dir: string, published: string): string {
  mkdirSync(dir, { recursive: true })
  const soa = '$TTL 60\n@ IN SOA ns.example.org. hostmaster.example.org. 1 3600 600 86400 1\n@ IN NS ns.example.org.\n'
  const all: Record<string, string> = {
    '.': `ns.example.org. IN A ${ELSEWHERE}\n`,
    'example.org': `@ IN MX 10 mx\nmx IN A ${ELSEWHERE}\nns IN A ${ELSEWHERE}\nacme IN A ${ELSEWHERE}\n@ IN TXT "v=spf1 mx -all"\n`,
    'google.com': `gmail-smtp-in.l IN A ${ELSEWHERE}\n`,
    '44.in-addr.arpa': `1.0.1 IN PTR mx.agents.example.com.\n2.0.2 IN PTR mx.example.org.\n`,
    'agents.example.com': published,
  }
  const lines = [
    'server:',
    ' username: ""',
    ` ip-address: ${ELSEWHERE}`,
    ' pidfile: ""',
    ' xfrdfile: ""',
    ' zonelistfile: ""',
    ' database: ""',
    ' server-count: 1',
    'remote-control:',
    ' control-enable: no',
  ]
  for (const [name, records] of Object.entries(all)) {
    const file = join(dir, `${name === '.' ? 'root' : name}.zone`)
    writeFileSync(file, `$ORIGIN ${name === '.' ? '.' : `${name}.`}\n${soa}${records}\n`)
    lines.push('zone:', ` name: "${name}"`, ` zonefile: ${file}`)
  }
  writeFileSync(join(dir, 'nsd.conf'), `${lines.join('\n')}\n`)
  return join(dir, 'nsd.conf')
}

/** @returns the options of pebble, whose own certificate the root can check */
function authority(dir: string, root: string): string[] {
  mkdirSync(dir)
  const { certFile: certificate, keyFile: privateKey } = createAuthority(dir).issue(['acme.example.org'])
  copyFileSync(join(dir, 'ca.pem'), join(root, 'etc/pebble.pem'))
  const listen = { listenAddress: `${ELSEWHERE}:14000`, managementListenAddress: `${ELSEWHERE}:15000` }
  const settings = { ...listen, certificate, privateKey, httpPort: 80, tlsPort: 443 }
  writeFileSync(join(dir, 'pebble.json'), JSON.stringify({ pebble: settings }))
  return ['-config', join(dir, 'pebble.json'), '-dnsserver', `${ELSEWHERE}:53`]
}

/** Lintian on what is ours: with Node, its packages and the compiled code it takes a minute (CONTRIBUTING.md). */
async function lintOurs(dir: string, file: string): Promise<CliResult> {
  mkdirSync(dir)
  execFileSync('dpkg-deb', ['-R', file, join(dir, 'tree')])
  for (const others of ['node', 'node_modules', 'dist', 'clients'])
    rmSync(join(dir, 'tree/usr/lib/restante', others), { recursive: true })
  const sums = join(dir, 'tree/DEBIAN/md5sums')
  const ours = readFileSync(sums, 'utf8')
    .split('\n')
    .filter((line) => line === '' || existsSync(join(dir, 'tree', line.slice(34))))
  writeFileSync(sums, ours.join('\n'))
  const thin = join(dir, 'restante_0.1.0_amd64.deb')
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '-z1', '-b', join(dir, 'tree'), thin], { stdio: 'pipe' })
  return run('/usr/bin/lintian', [
    '--allow-root',
    '--fail-on',
    'error,warning',
    '--suppress-tags',
    'missing-depends-line',
    thin,
  ])
}
