/** The parts of setup: what is taken for an answer, how settings are written into a file, what a change looks like, and the unit. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { shippedFile } from '../../../src/config/reference.js'
import { checkAnswers, problemsOfFolders } from '../../../src/ops/setup/answers.js'
import { difference } from '../../../src/ops/setup/diff.js'
import { withSetting } from '../../../src/ops/setup/settings-text.js'
import { planUnit, problemsOfUnit } from '../../../src/ops/setup/plan.js'
import { dropInFor, problemsOfPlaces, unitFor } from '../../../src/ops/setup/unit.js'
import { writeFiles } from '../../../src/ops/setup/write.js'
import { programPath } from '../../support/peers/peers.js'

const good = {
  domains: ['Agents.Example.com'],
  hostname: 'MX.example.com.',
  operator: 'ada@elsewhere.example',
  baseUrl: 'https://mail.example.com/',
}

t.test('answers are brought into the form in which they are written down', async (t) => {
  t.same(checkAnswers(good), {
    answers: {
      domains: ['agents.example.com'],
      hostname: 'mx.example.com',
      operator: 'ada@elsewhere.example',
      baseUrl: 'https://mail.example.com',
    },
    problems: [],
  })
  t.same(checkAnswers({ ...good, domains: ['bücher.example.com'] }).answers.domains, ['xn--bcher-kva.example.com'])
  t.same(checkAnswers({ ...good, domains: ['agents.internal'], hostname: 'mx.agents.test' }).problems, [])
  t.same(
    checkAnswers({ ...good, domains: ['agents.github.io'] }).problems,
    [],
    'a name below one where others register',
  )
})

const bad: [change: Partial<typeof good>, problem: RegExp][] = [
  [{ domains: [] }, /no domain is given\. Give the one after the @/],
  [{ domains: ['agents.example.con'] }, /no top-level domain \.con: check the spelling of agents\.example\.con/],
  [{ domains: ['agents_example.com'] }, /"agents_example\.com" is not a domain/],
  [{ domains: ['you@example.com'] }, /is an email address\. Give only the domain after its @/],
  [{ domains: ['co.uk'] }, /co\.uk is a public suffix, under which others register names/],
  [{ domains: ['github.io'] }, /github\.io is a public suffix, under which others register names/],
  [{ domains: ['a.example.com', 'A.example.com'] }, /the domain a\.example\.com is given twice/],
  [{ hostname: '192.0.2.1' }, /the host name is an address \(192\.0\.2\.1\)/],
  [{ hostname: '[2001:db8::1]' }, /the host name is an address/],
  [{ hostname: 'mail' }, /the host name mail has no domain/],
  [{ hostname: 'com' }, /the host name com has no domain/],
  [{ hostname: 'co.uk' }, /can't be a host name\. Give one of your own, such as mx\.example\.com/],
  [{ hostname: 'mx.example.con' }, /no top-level domain \.con/],
  [{ hostname: 'mx example.com' }, /"mx example\.com" is not a host name/],
  [{ operator: '' }, /no address of the operator is given/],
  [{ operator: 'ada' }, /"ada" is not an email address/],
  [{ operator: 'ada@agents.example.com' }, /is on the server that you set up/],
  [{ baseUrl: 'mail.example.com' }, /is not a valid --url/],
]
for (const [change, problem] of bad)
  t.test(`${JSON.stringify(change)} is told with what would be right`, async (t) => {
    t.match(checkAnswers({ ...good, ...change }).problems, [problem])
  })

t.test('folders', async (t) => {
  t.same(problemsOfFolders('/etc/restante', '/var/lib/restante'), [])
  t.match(problemsOfFolders('etc', '/var/lib/restante'), [/Give a full path/])
  t.match(problemsOfFolders('/', '/var/lib/restante'), [/root folder/])
  t.match(problemsOfFolders('/srv/restante', '/srv/restante'), [/are nested/])
  t.match(problemsOfFolders('/srv/restante', '/srv/restante/var'), [/are nested/])
  t.same(problemsOfFolders('/srv/restante', '/srv/restante-data'), [])
  t.match(problemsOfFolders('/srv/%h', '/srv/a b'), [/not allowed in a systemd unit/, /not allowed in a systemd unit/])
})

t.test('a setting is written where it belongs, and all else stays', async (t) => {
  const shipped = shippedFile('smtp')
  const set = withSetting(shipped, 'listen', '["[::]:25"]') ?? ''
  t.equal(set, shipped.replace('# listen = ["127.0.0.1:2525"]', 'listen = ["[::]:25"]'))
  t.equal(withSetting(set, 'listen', '[ "[::]:25" ]'), set, 'what is so already is left as it is written')
  t.equal(withSetting('listen = [\n  "a", # mine\n]\nx = 1\n', 'listen', '["b"]'), 'listen = ["b"]\nx = 1\n')
  t.equal(withSetting('# mine\n[[routes]]\nhost = "x"\n', 'port', '25'), '# mine\nport = 25\n[[routes]]\nhost = "x"\n')
  t.equal(withSetting('"listen" = ["a"]\n', 'listen', '["b"]'), undefined, 'what cannot be found is left to a hand')
  t.equal(withSetting("a = '''\nb = 1\n'''\n", 'b', '2'), undefined, 'no text is taken for a setting')
  const long = shippedFile('names')
  t.match(withSetting(long, 'reserved', '["root"]'), /^reserved = \["root"\]$/m)
})

t.test('a change is shown with the lines around it', async (t) => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`)
  const after = [...lines(20).slice(0, 10), 'new', ...lines(20).slice(11)]
  t.equal(
    difference(lines(20).join('\n'), after.join('\n')),
    ['…', '  line 7', '  line 8', '  line 9', '- line 10', '+ new', '  line 11', '  line 12', '  line 13', '…']
      .join('\n')
      .slice(2),
  )
  t.equal(difference('a\nb', 'a\nb'), '')
  t.equal(difference('', 'a'), '-\n+ a')
})

t.test('the unit follows its places, and systemd has nothing to say about it', async (t) => {
  const shipped = readFileSync('systemd/restante.service', 'utf8')
  const usual = {
    installation: '/opt/restante',
    node: '/usr/bin/node',
    configDir: '/etc/restante',
    dataDir: '/var/lib/restante',
  }
  const body = (text: string) => text.split('\n').filter((line) => !line.startsWith('#'))
  t.same(body(unitFor(shipped, usual)), body(shipped))
  const other = unitFor(shipped, {
    installation: '/srv/app',
    node: '/opt/node/bin/node',
    configDir: '/srv/conf',
    dataDir: '/srv/mail',
  })
  t.match(
    other,
    'ExecStart=/srv/app/systemd/launch /opt/node/bin/node /srv/app/bin/restante start --config /srv/conf\n',
  )
  t.match(other, 'WorkingDirectory=/srv/mail\nReadWritePaths=/srv/mail\n')
  t.notMatch(other, /StateDirectory|ConfigurationDirectory|\/opt\/restante|\/etc\/restante/)
  t.same(problemsOfPlaces(usual), [])
  t.match(problemsOfPlaces({ ...usual, installation: '/root/restante', node: '/home/ada/.nvm/node' }), [
    /mv \/root\/restante/,
    /apt-get install nodejs/,
  ])
  if (programPath('systemd-analyze') === undefined) return void t.comment('systemd-analyze is not installed')
  const dir = t.testdir({
    'restante.service': other
      .replace('/opt/node/bin/node', process.execPath)
      .replace('/srv/app/systemd', join(process.cwd(), 'systemd')),
  })
  execFileSync('systemd-analyze', ['verify', join(dir, 'restante.service')], { stdio: 'pipe' })
})

t.test('beside the unit of a package there is a drop-in, and only where something is otherwise', async (t) => {
  const places = {
    installation: '/usr/lib/restante',
    node: '/usr/lib/restante/node/bin/node',
    configDir: '/etc/restante',
    dataDir: '/var/lib/restante',
  }
  const unit = unitFor(readFileSync('systemd/restante.service', 'utf8'), places)
  const root = t.testdir({
    usr: { lib: { systemd: { system: { 'restante.service': unit } } } },
    etc: { systemd: { system: {} } },
  })
  t.same(planUnit({ root, ...places }), [])
  const elsewhere = { ...places, configDir: '/srv/conf', dataDir: '/srv/mail' }
  const [dropIn, ...others] = planUnit({ root, ...elsewhere })
  t.same(others, [])
  t.equal(dropIn?.path, join(root, 'etc/systemd/system/restante.service.d/setup.conf'))
  t.equal(dropIn?.text, dropInFor(elsewhere))
  t.match(
    dropIn?.text,
    'ExecStart=\nExecStart=/usr/lib/restante/systemd/launch /usr/lib/restante/node/bin/node /usr/lib/restante/bin/restante start --config /srv/conf\n',
  )
  t.match(dropIn?.text, 'ReadWritePaths=/srv/mail')
  await writeFiles(dropIn ? [dropIn] : [])
  t.match(
    planUnit({ root, ...places }),
    [{ text: /^# No differences from the unit of the package\.\n$/ }],
    'and back again',
  )

  t.same(problemsOfUnit({ root, ...places }), [])
  const hiding = join(root, 'etc/systemd/system/restante.service')
  writeFileSync(hiding, unit)
  t.same(problemsOfUnit({ root, ...places }), [], 'one that the operator has changed is the same installation')
  writeFileSync(hiding, readFileSync('systemd/restante.service'))
  t.match(problemsOfUnit({ root, ...places }), [/starts another installation\. Remove it: rm /])
})

t.test('when one file cannot be written, none is, and no draft stays', async (t) => {
  const dir = t.testdir({ file: '', old: { 'a.toml': 'before' } })
  const files = [
    { path: join(dir, 'old/a.toml'), text: 'after' },
    { path: join(dir, 'file/b.toml'), text: 'x' },
  ]
  await t.rejects(writeFiles(files), /ENOTDIR|EEXIST/)
  t.same(readdirSync(join(dir, 'old')), ['a.toml'])
  t.equal(readFileSync(join(dir, 'old/a.toml'), 'utf8'), 'before')
})

t.test('a file that is changed keeps its rights, a new one can be read by all', async (t) => {
  const dir = t.testdir({})
  mkdirSync(join(dir, 'etc'))
  writeFileSync(join(dir, 'etc/a.toml'), '', { mode: 0o600 })
  await writeFiles(['a', 'b'].map((name) => ({ path: join(dir, `etc/${name}.toml`), text: 'x = 1\n' })))
  const mode = (name: string) => statSync(join(dir, `etc/${name}.toml`)).mode & 0o777
  t.same([mode('a'), mode('b')], [0o600, 0o644])
})
