/** `restante setup` as an operator meets it: on a terminal, from a script, in a root that is not this machine's, and with mistakes. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { z } from 'zod'
import { main } from '../../src/cli/main.js'
import { loadConfig } from '../../src/config/load.js'
import { reportSchema } from '../../src/ops/doctor/types.js'
import { run } from '../support/daemon.js'
import { startDnsServer } from '../support/peers/dns-server.js'
import { peer, programPath } from '../support/peers/peers.js'
import { listenAnywhere } from '../support/ports.js'

const ANSWERS = [
  '--domain',
  'agents.example.com',
  '--hostname',
  'mx.example.com',
  '--operator',
  'ada@elsewhere.example',
]

async function restante(words: readonly string[], answers?: string[]) {
  const out: string[] = []
  const err: string[] = []
  const asked: string[] = []
  const ask = async (question: string): Promise<string> => {
    asked.push(question)
    return answers?.shift() ?? ''
  }
  const code = await main(words, {
    env: {},
    print: (text) => out.push(text),
    note: (text) => err.push(text),
    ask: answers && ask,
  })
  return { code, out: out.join('\n'), err: err.join('\n'), asked }
}

/** Nothing leaves this machine: names are asked of a server of the test, and port 25 outward is a listener here. */
async function world(t: Test) {
  const dns = await startDnsServer({ org: { MX: [] }, 'mx.example.com': { A: ['127.0.0.1'] } })
  const mx = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.end('220 mx.far.example\r\n')
  })
  const port = await listenAnywhere(mx)
  t.teardown(async () => {
    mx.close()
    await dns.close()
  })
  const dir = t.testdir({})
  const places = ['--config', join(dir, 'etc'), '--data', join(dir, 'data'), '--no-systemd']
  const sets = ['--set', `server.dns=${dns.address}`, '--set', `doctor.outward=127.0.0.1:${port}`]
  return { dir, etc: join(dir, 'etc'), data: join(dir, 'data'), common: ['setup', ...places, ...sets] }
}

function snapshot(dir: string): Record<string, string> {
  const files = readdirSync(dir, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path, `${statSync(path).mtimeMs} ${readFileSync(path, 'utf8')}`]
    }),
  )
}

t.test('from a script: everything is written, the records are printed, and a second run changes nothing', async (t) => {
  const { dir, etc, data, common } = await world(t)
  const only = await restante([...common, ...ANSWERS])
  t.match(only, { code: 0, err: 'Nothing was changed: give --yes to write it.' })
  t.same(readdirSync(dir), [], 'without --yes nothing is')

  const { code, out } = await restante([...common, ...ANSWERS, '--yes'])
  t.equal(code, 0)
  t.match(out, /ok {7}network\.outward: 127\.0\.0\.1:\d+ answers: mail can leave/)
  t.match(out, /FAILED {3}dns\.addresses: mx\.example\.com resolves to 127\.0\.0\.1/)
  const config = loadConfig({ dir: etc })
  t.match(config.domains, { names: ['agents.example.com'], hostname: 'mx.example.com' })
  t.match(config.server, { data_dir: data, base_url: 'https://mx.example.com' })
  t.match(config.identity, { operator: 'ada@elsewhere.example', forward_operator_mail: 'ada@elsewhere.example' })
  t.match(
    readFileSync(join(etc, 'smtp.toml'), 'utf8'),
    /^# Receiver of incoming mail\./m,
    'with what each setting means',
  )
  t.equal(statSync(data).mode & 0o777, 0o700)
  t.equal(readdirSync(join(data, 'dkim/agents.example.com')).length, 2)
  for (const name of [
    'MX agents',
    'TXT agents',
    '_domainkey.agents',
    '_dmarc.agents',
    '_mta-sts.agents',
    '_smtp._tls.agents',
    'PTR mx.example.com',
  ])
    t.match(out, name)
  t.match(out.slice(out.indexOf('Next:')).match(/^ {2}\S.*/gm)?.length, 3)

  const before = snapshot(dir)
  const again = await restante([...common, '--yes'])
  t.match(again.out, 'Every file is as it should be.')
  t.same(snapshot(dir), before)
  t.equal(again.code, 0)
})

t.test('on a terminal: what is missing is asked for, and what is there is changed only after a yes', async (t) => {
  const { etc, common } = await world(t)
  const first = await restante(common, ['agents.example.com', '', 'ada@elsewhere.example', '', 'y'])
  t.equal(first.code, 0, first.err)
  t.match(first.asked, [
    /^Domain of the addresses/,
    /\[mx\.agents\.example\.com\]: $/,
    /email/,
    /\[https:\/\/mx\.agents/,
    /Write what is new\?/,
  ])
  const file = join(etc, 'domains.toml')
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n# a note of mine\n`)
  const before = readFileSync(file, 'utf8')

  const refused = await restante([...common, '--domain', 'agents.example.com,more.example.com'], ['n'])
  t.match(refused.out, '- names = ["agents.example.com"]\n+ names = ["agents.example.com", "more.example.com"]')
  t.same(refused.asked, [`Change ${file}? [y/N] `])
  t.equal(readFileSync(file, 'utf8'), before)

  await restante([...common, '--domain', 'agents.example.com,more.example.com'], ['yes'])
  t.equal(
    readFileSync(file, 'utf8'),
    before.replace('"agents.example.com"]', '"agents.example.com", "more.example.com"]'),
  )
})

t.test('with a certificate to come, it is asked whether mail programs may connect', async (t) => {
  for (const [given, isOpen] of [
    ['y', true],
    ['', false],
  ] as const) {
    const { etc, common } = await world(t)
    const acme = ['--set', 'tls.acme=https://acme.example.org/directory', '--set', 'tls.acme_terms_agreed=true']
    const { code, err, asked } = await restante([...common, ...acme, ...ANSWERS], ['', given, 'y'])
    t.equal(code, 0, err)
    t.match(asked, [/web pages/, /mail programs.*993 and 465\)\? \[y\/N\] $/, /Write what is new\?/])
    const { imap, submission } = loadConfig({ dir: etc })
    t.equal(imap.listen_tls.length, isOpen ? 1 : 0)
    t.equal(submission.listen_tls.length, isOpen ? 1 : 0)
    const again = await restante([...common, '--domain', 'more.example.com'], ['n'])
    t.notMatch(again.asked.join(' '), 'mail programs', 'once')
    rmSync(etc, { recursive: true })
  }
})

t.test(
  'the zone file is one that name servers load',
  { ...peer('nsd-checkzone', '/usr/sbin/nsd-checkzone') },
  async (t) => {
    const { dir, common } = await world(t)
    const words = ['--domain', 'agents.example.com', '--operator', 'ada@elsewhere.example', '--yes', '--json']
    const { out, code } = await restante([...common, ...words])
    t.equal(code, 0)
    const answer = z
      .object({ zone: z.string(), written: z.array(z.string()), next: z.array(z.string()), report: reportSchema })
      .parse(JSON.parse(out))
    const head =
      '$TTL 300\n@ IN SOA ns1.example.net. hostmaster.example.net. 1 3600 600 86400 60\n@ IN NS ns1.example.net.\nmx IN A 192.0.2.1\n'
    const file = join(dir, 'zone')
    writeFileSync(file, `${head}${answer.zone}\n`)
    t.match(
      String(execFileSync('/usr/sbin/nsd-checkzone', ['agents.example.com', file])),
      'zone agents.example.com is ok',
    )
    const named = programPath('named-checkzone')
    if (named === undefined) t.comment('named-checkzone is not installed')
    else t.match(String(execFileSync(named, ['agents.example.com', file])), /\nOK/)
  },
)

t.test(
  'in another root: user, unit, journal and folders, each with its rights',
  { skip: process.getuid?.() !== 0 && 'takes root' },
  async (t) => {
    const root = t.testdir({ etc: { passwd: '', group: '', shadow: '', gshadow: '' } })
    const words = ['setup', '--root', root, ...ANSWERS, '--yes']
    const { code, err } = await restante(words)
    t.equal(code, 0, err)
    const [, , uid, gid] = readFileSync(join(root, 'etc/passwd'), 'utf8').split(':').map(Number)
    t.match(
      readFileSync(join(root, 'etc/passwd'), 'utf8'),
      /^restante:x:\d+:\d+::\/var\/lib\/restante:\/usr\/sbin\/nologin\n$/,
    )
    const data = join(root, 'var/lib/restante')
    for (const path of [data, join(data, 'dkim'), join(data, 'dkim/agents.example.com')])
      t.match(statSync(path), { uid, gid, mode: 0o40700 }, path)
    for (const name of readdirSync(join(data, 'dkim/agents.example.com')))
      t.match(statSync(join(data, 'dkim/agents.example.com', name)), { uid, gid, mode: 0o100600 })
    t.match(
      readFileSync(join(root, 'etc/systemd/system/restante.service'), 'utf8'),
      `ExecStart=${process.cwd()}/systemd/launch /usr/bin/env node ${process.cwd()}/bin/restante start --config /etc/restante\n`,
    )
    t.ok(existsSync(join(root, 'etc/systemd/journald@restante.conf')))
    t.match(loadConfig({ dir: join(root, 'etc/restante') }).server, { data_dir: '/var/lib/restante' })
    const before = snapshot(root)
    t.match((await restante(['setup', '--root', root, '--yes'])).out, 'Every file is as it should be.')
    t.same(snapshot(root), before)
  },
)

const mistakes: [what: string, words: string[], code: number, expected: RegExp][] = [
  ['a domain with a typo', ['--domain', 'agents.example.con'], 64, /no top-level domain \.con/],
  ['two equal domains', ['--domain', 'a.example.com,a.example.com'], 64, /given twice/],
  ['an address as host name', ['--hostname', '192.0.2.1'], 64, /the host name is an address/],
  ['a public suffix as host name', ['--hostname', 'co.uk'], 64, /under which others register/],
  [
    'a setting that is none',
    ['--set', 'smtp.lisen=x'],
    78,
    /--set smtp\.lisen: there is no smtp\.lisen\. Did you mean smtp\.listen\?/,
  ],
  ['a setting of a wrong type', ['--set', 'smtp.max_recipients=many'], 78, /takes a whole number/],
  ['two listeners on one port', ['--set', 'server.http=127.0.0.1:8081'], 78, /also taken by server\.http/],
  [
    'a certificate that is not there',
    ['--set', 'smtp.tls_cert=/none', '--set', 'smtp.tls_key=/none'],
    78,
    /this file can't be read/,
  ],
  ['no operator', ['--operator', ''], 64, /no address of the operator/],
  ['a folder inside of the other', ['--data', '<dir>/etc/data'], 64, /are nested/],
  ['a root that is not there', ['--root', '<dir>/none'], 64, /--root .*\/none is not there/],
]
for (const [what, words, expectedCode, expected] of mistakes)
  t.test(`${what}: says what to do, and changes nothing`, async (t) => {
    const { dir, common } = await world(t)
    const given = words.map((word) => word.replace('<dir>', dir))
    const { code, err } = await restante([...common, ...ANSWERS, '--yes', ...given])
    t.match(err, expected)
    t.equal(code, expectedCode)
    t.same(readdirSync(dir), [])
  })

t.test('what is in the way on the disk is told before anything is written', async (t) => {
  const { dir, etc, data, common } = await world(t)
  writeFileSync(data, '')
  t.match(await restante([...common, ...ANSWERS, '--yes']), { code: 64, err: /data is a file/ })
  t.same(readdirSync(dir), ['data'])
  const other = [...common, ...ANSWERS, '--yes', '--data', join(dir, 'mail')]
  mkdirSync(join(etc, 'smtp.toml'), { recursive: true })
  t.match(await restante(other), { code: 78, err: /smtp\.toml: can't be read/ })
  t.same(readdirSync(etc), ['smtp.toml'])
})

t.test('settings that are wrong are told with file and line, and left as they are', async (t) => {
  const { etc, common } = await world(t)
  mkdirSync(etc)
  writeFileSync(join(etc, 'smtp.toml'), '# mine\nmax_recipients = "many"\n')
  const { code, err } = await restante([...common, ...ANSWERS, '--yes'])
  t.equal(code, 78)
  t.match(err, `${etc}/smtp.toml:2: smtp.max_recipients is "many"; it takes a whole number`)
  t.same(readdirSync(etc), ['smtp.toml'])
})

t.test('without a terminal, what is missing is named', async (t) => {
  const { dir, common } = await world(t)
  t.match(await restante([...common, '--yes']), { code: 64, err: /give --domain and --operator/ })
  t.same(readdirSync(dir), [])
})

t.test(
  'somebody without the right to write is told how',
  { skip: process.getuid?.() !== 0 && 'takes root to be somebody else' },
  async (t) => {
    const dir = t.testdir({})
    chmodSync(dir, 0o755)
    const words = ['setup', '--config', join(dir, 'etc'), '--data', join(dir, 'data'), ...ANSWERS, '--yes']
    const as = (...more: string[]) =>
      run('/usr/bin/setpriv', [
        '--reuid=65534',
        '--regid=65534',
        '--clear-groups',
        process.execPath,
        join(process.cwd(), 'bin/restante'),
        ...words,
        ...more,
      ])
    t.match(await as('--no-systemd'), { code: 64, stderr: /this user may not write in .*Run setup as root/ })
    t.match(await as(), {
      code: 64,
      stderr: /needs root\. Run it as root \(sudo restante setup\), or with --no-systemd/,
    })
    t.same(readdirSync(dir), [])
  },
)

t.test('--mail-programs opens the ports for them, and the records name these', async (t) => {
  const { etc, common } = await world(t)
  const without = await restante([...common, ...ANSWERS, '--mail-programs', '--yes'])
  t.match(without, { code: 64, err: /--mail-programs needs a certificate.*--set tls\.acme=/ })
  t.notOk(existsSync(etc))
  const acme = ['--set', 'tls.acme=https://ca.example/dir', '--set', 'tls.acme_terms_agreed=true']
  const { code, out } = await restante([...common, ...ANSWERS, ...acme, '--mail-programs', '--yes'])
  t.equal(code, 0)
  const ports = { imap: { listen_tls: [/:993$/], listen: [] }, submission: { listen_tls: [/:465$/], listen: [] } }
  t.match(loadConfig({ dir: etc }), ports)
  t.match(out, /^_imaps\._tcp\.agents\.example\.com\. IN SRV 0 1 993 mx\.example\.com\.$/m)
  t.match(out, /^_submission\._tcp\.agents\.example\.com\. IN SRV 0 0 0 \.$/m)
  t.match(out, /^_autodiscover\._tcp\.agents\.example\.com\. IN SRV 0 1 443 mx\.example\.com\.$/m)
  t.match(out, 'autoconfig.agents.example.com')

  const again = await restante([...common, '--yes'])
  t.match(again.out, 'Every file is as it should be.', 'the ports stay open without the option')
  t.match(again.out, '_imaps._tcp.agents.example.com')
  t.match(loadConfig({ dir: etc }), ports)
})
