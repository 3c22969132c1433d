/** What an operator is told of settings, right and wrong. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { changedSettings, mayRelayOut, offersMailSignIn, offersPasskeys } from '../../src/config/derived.js'
import { ConfigError } from '../../src/config/errors.js'
import { loadConfig } from '../../src/config/load.js'
import { settingsOf, type SectionName } from '../../src/config/schema.js'

/** The problems of a folder with these files, with the folder's own path cut out. */
function problems(t: Test, files: Record<string, string>, set: string[] = []): string[] {
  const dir = t.testdir(files)
  try {
    loadConfig({ dir, set })
  } catch (error) {
    if (error instanceof ConfigError) return error.message.replaceAll(`${dir}/`, '').split('\n')
    throw error
  }
  return []
}

t.test('with no config at all the defaults are local and safe', async (t) => {
  const config = loadConfig()
  t.equal(config.server.data_dir, resolve('var'))
  t.equal(config.server.http, '127.0.0.1:8080')
  t.equal(config.server.admin, '127.0.0.1:8081')
  t.equal(config.server.base_url, 'http://127.0.0.1:8080')
  t.same(config.smtp.listen, ['127.0.0.1:2525'])
  t.same(config.domains.names, ['agents.localhost'])
  t.equal(config.domains.hostname, 'agents.localhost')
  t.equal(config.domains.dkim_dir, resolve('var/dkim'))
  t.equal(mayRelayOut(config), false, 'mail goes to nowhere but itself')
})

t.test('an empty folder is a complete configuration', async (t) => {
  t.same(loadConfig({ dir: t.testdir({}) }), loadConfig())
})

t.test('files set what they name and leave the rest at the defaults; other files are not looked at', async (t) => {
  const dir = t.testdir({
    'server.toml': 'data_dir = "/srv/mail"\nbase_url = "https://mail.example.com/"\n',
    'domains.toml': 'names = ["Agents.Example.COM", "bücher.example"]\ndkim_dir = "/etc/dkim"\n',
    'README.md': 'not TOML',
  })
  const config = loadConfig({ dir })
  t.equal(config.server.data_dir, '/srv/mail')
  t.equal(config.server.base_url, 'https://mail.example.com')
  t.same(config.domains.names, ['agents.example.com', 'xn--bcher-kva.example'])
  t.equal(config.domains.hostname, 'agents.example.com')
  t.equal(config.domains.dkim_dir, '/etc/dkim')
  t.equal(config.limits.claim_difficulty, 22)
  t.equal(mayRelayOut(config), true, 'a real domain may send')
})

t.test('--set goes over the files, and the last one counts', async (t) => {
  const dir = t.testdir({ 'limits.toml': 'claim_difficulty = 20\nrequests_per_minute = 10\n' })
  const config = loadConfig({ dir, set: ['limits.claim_difficulty=8', 'limits.claim_difficulty = 9'] })
  t.equal(config.limits.claim_difficulty, 9)
  t.equal(config.limits.requests_per_minute, 10)
})

const readings: [
  set: string,
  section: 'server' | 'smtp' | 'relay' | 'domains' | 'scan',
  name: string,
  value: unknown,
][] = [
  ['smtp.listen=127.0.0.1:2526', 'smtp', 'listen', ['127.0.0.1:2526']],
  ['smtp.listen=127.0.0.1:1, [::1]:2', 'smtp', 'listen', ['127.0.0.1:1', '[::1]:2']],
  ['smtp.listen=["127.0.0.1:1", "127.0.0.1:2"]', 'smtp', 'listen', ['127.0.0.1:1', '127.0.0.1:2']],
  ['server.dns=127.0.0.1:5300', 'server', 'dns', ['127.0.0.1:5300']],
  ['server.dns=', 'server', 'dns', []],
  ['relay.smarthost=127.0.0.1:2600', 'relay', 'smarthost', '127.0.0.1:2600'],
  ['relay.outbound=on', 'relay', 'outbound', 'on'],
  ['relay.allow_private_addresses=true', 'relay', 'allow_private_addresses', true],
  ['relay.port=2_525', 'relay', 'port', 2525],
  ['server.data_dir=2026', 'server', 'data_dir', resolve('2026')],
  ['server.data_dir="/srv/a b"', 'server', 'data_dir', '/srv/a b'],
  ['domains.hostname=true', 'domains', 'hostname', 'true'],
  ['domains.names=a.example,b.example', 'domains', 'names', ['a.example', 'b.example']],
  ['scan.clamav=/run/clamav/clamd.ctl', 'scan', 'clamav', '/run/clamav/clamd.ctl'],
  ['scan.clamav=', 'scan', 'clamav', ''],
]
for (const [set, section, name, value] of readings) {
  t.test(`--set '${set}' is understood`, async (t) => {
    t.match(loadConfig({ set: [set] })[section], { [name]: value })
  })
}

const settingNames = (section: SectionName): string => [...settingsOf(section).keys()].join(', ')

const mistakes: [title: string, file: string, text: string, ...expected: string[]][] = [
  [
    'a misspelt setting',
    'smtp.toml',
    '\n\nlisten_on = 1\nlissten = 1',
    `smtp.toml:3: there is no smtp.listen_on. smtp.toml has ${settingNames('smtp')}`,
    'smtp.toml:4: there is no smtp.lissten. Did you mean smtp.listen?',
  ],
  [
    'a setting of another file',
    'server.toml',
    'smarthost = "a:1"',
    'server.toml:1: there is no server.smarthost. Did you mean relay.smarthost, a setting of relay.toml?',
  ],
  ['a misspelt file', 'sever.toml', '', 'sever.toml: unknown settings file. Did you mean server.toml?'],
  [
    'a table nobody asked for',
    'smtp.toml',
    '# mine\n[smtp]\nlisten = "127.0.0.1:1"',
    'smtp.toml:2: settings in smtp.toml need no [smtp]. Remove that line',
  ],
  [
    'a text where a number belongs',
    'limits.toml',
    'body_bytes = "a lot"',
    'limits.toml:1: limits.body_bytes is "a lot"; it takes a whole number from 1024 to 1073741824',
  ],
  [
    'a number out of its range',
    'smtp.toml',
    'max_depth = 1000',
    'smtp.toml:1: smtp.max_depth is 1000; it takes a whole number from 1 to 200',
  ],
  [
    'a broken number',
    'relay.toml',
    'port = 25.5',
    'relay.toml:1: relay.port is 25.5; it takes a whole number from 1 to 65535',
  ],
  [
    'a word that is no choice',
    'scan.toml',
    'on_error = "ignore"',
    'scan.toml:1: scan.on_error is "ignore"; it takes one of "defer", "accept"',
  ],
  [
    'an address without a port',
    'server.toml',
    'http = "127.0.0.1"',
    'server.toml:1: server.http is "127.0.0.1"; it takes an address with a port such as "127.0.0.1:8080" or "[::1]:8080"',
  ],
  [
    'a resolver by name',
    'server.toml',
    'dns = ["dns.example:53"]',
    'server.toml:1: server.dns is ["dns.example:53"]; it takes a list of resolvers, each an IP address, with a port or without, such as "127.0.0.1:5300"',
  ],
  [
    'a base_url with a path',
    'server.toml',
    'base_url = "https://a.example/mail"',
    'server.toml:1: server.base_url is "https://a.example/mail"; it takes an http or https address without a path, such as "https://mail.example.com", or "" for none',
  ],
  [
    'something that is no domain',
    'domains.toml',
    'names = ["a_b.example"]',
    'domains.toml:1: domains.names is ["a_b.example"]; it takes a list of domains, each a domain such as "agents.example.com"',
  ],
  [
    'no domain at all',
    'domains.toml',
    'names = []',
    'domains.toml:1: domains.names is []; it takes a list of domains, each a domain such as "agents.example.com"',
  ],
  [
    'one domain twice',
    'domains.toml',
    'hostname = "a.b"\nnames = ["a.example", "A.example"]',
    'domains.toml:2: domains.names: a.example is listed twice. Remove one',
  ],
  [
    'a line that is no TOML',
    'relay.toml',
    'port = 25\nsmarthost = mail.example.com:25\n',
    'relay.toml:2: invalid value. A setting is written name = value, with quotes around text',
  ],
  [
    'one name twice',
    'relay.toml',
    'port = 25\nport = 26\n',
    'relay.toml:2: trying to redefine an already defined table or value. A setting is written name = value, with quotes around text',
  ],
  [
    'HTTP and admin on one port',
    'server.toml',
    'admin = "0.0.0.0:8080"',
    'server.toml:1: server.admin: 0.0.0.0:8080 is also taken by server.http (127.0.0.1:8080). Give each its own port',
  ],
  [
    'SMTP and HTTP on one port',
    'smtp.toml',
    'listen = "127.0.0.1:8080"',
    'smtp.toml:1: smtp.listen: 127.0.0.1:8080 is also taken by server.http (127.0.0.1:8080). Give each its own port',
  ],
  [
    'a key without its certificate, and not there',
    'smtp.toml',
    'tls_key = "/nowhere/key.pem"',
    "smtp.toml:1: smtp.tls_key: this file can't be read: ENOENT: no such file or directory, access '/nowhere/key.pem'",
    'smtp.toml:1: smtp.tls_key: smtp.tls_cert has to be set too',
  ],
  [
    'a user for no smart host',
    'relay.toml',
    'smarthost_user = "me"',
    'relay.toml:1: relay.smarthost_user: has no effect without relay.smarthost. Set that, or remove this',
  ],
  [
    'a user without a password',
    'relay.toml',
    'smarthost = "a.example:587"\nsmarthost_user = "me"',
    'relay.toml:2: relay.smarthost_user: relay.smarthost_user and relay.smarthost_password_file belong together. Set both, or none',
  ],
  [
    'a smart host that is off',
    'relay.toml',
    'smarthost = "a.example:587"\noutbound = "off"',
    'relay.toml:1: relay.smarthost: has no effect while relay.outbound is "off". Remove one of them',
  ],
  [
    "the operator's mail forwarded to this server",
    'identity.toml',
    'forward_operator_mail = "me@agents.localhost"',
    'identity.toml:1: identity.forward_operator_mail: me@agents.localhost is on this server. Name an address elsewhere, or remove it',
  ],
  [
    "the operator's mail forwarded from a server that sends nothing out",
    'identity.toml',
    'forward_operator_mail = "me@example.com"',
    'identity.toml:1: identity.forward_operator_mail: has no effect while no mail leaves this server. Set relay.outbound = "on"',
  ],
  [
    'a default that does not fit another setting',
    'smtp.toml',
    'max_message_bytes = 131072',
    'the default: smtp.max_header_bytes: has to be less than smtp.max_message_bytes (131072)',
  ],
  [
    'a provider with the name of a way to sign in of this server',
    'identity.toml',
    '[[providers]]\nid = "email"\nkind = "oidc"\nname = "Mail"\nclient_id = "x"\nissuer = "https://id.example"\n',
    'identity.toml:1: identity.providers: number 1 has the id "email", which stands for a way to sign in of this server. Choose another one',
  ],
]
for (const [title, file, text, ...expected] of mistakes) {
  t.test(`${title}: file, line, setting and remedy are named`, async (t) => {
    t.same(problems(t, { [file]: text }), expected)
  })
}

const slips: [set: string, expected: string][] = [
  ['smtp.listen', '--set smtp.listen: takes the form file.setting=value, such as smtp.listen=127.0.0.1:2525'],
  [
    'listen=127.0.0.1:1',
    '--set listen=127.0.0.1:1: takes the form file.setting=value, such as smtp.listen=127.0.0.1:2525',
  ],
  ['relai.port=1', '--set relai.port: there is no relai. Did you mean relay.port?'],
  ['relay.prot=1', '--set relay.prot: there is no relay.prot. Did you mean relay.port?'],
  ['relay.port=no', '--set relay.port: relay.port is "no"; it takes a whole number from 1 to 65535'],
  [
    'server.__proto__=1',
    `--set server.__proto__: there is no server.__proto__. server.toml has ${settingNames('server')}`,
  ],
  [
    'constructor.name=1',
    '--set constructor.name: there is no constructor. A setting begins with one of server, store, blobs, domains, smtp, submission, imap, tls, relay, scan, guard, limits, webhooks, identity, oauth, retention, backup, names, doctor',
  ],
]
for (const [set, expected] of slips) {
  t.test(`--set '${set}' is refused with what would be right`, async (t) => {
    t.same(problems(t, {}, [set]), [expected])
  })
}

t.test('all problems are told at once', async (t) => {
  const found = problems(t, { 'smtp.toml': 'max_depth = 0\nmax_parts = 0\n', 'extra.toml': '' }, ['relay.port=0'])
  t.equal(found.length, 4)
})

t.test('a folder that is not there is named', async (t) => {
  t.throws(() => loadConfig({ dir: '/nowhere/restante' }), {
    message: /^\/nowhere\/restante: the folder given with --config can't be read: ENOENT/,
  })
})

t.test(
  'a file the user may not read is named',
  { skip: process.getuid?.() === 0 ? 'root reads everything' : false },
  async (t) => {
    const dir = t.testdir({})
    writeFileSync(join(dir, 'smtp.toml'), '')
    chmodSync(join(dir, 'smtp.toml'), 0)
    t.throws(() => loadConfig({ dir }), { message: /smtp\.toml: can't be read: EACCES/ })
  },
)

t.test('mail may leave when the operator has said where to', async (t) => {
  for (const set of ['relay.smarthost=127.0.0.1:2600', 'relay.allow_private_addresses=true', 'relay.outbound=on'])
    t.equal(mayRelayOut(loadConfig({ set: [set] })), true, set)
  t.equal(mayRelayOut(loadConfig({ set: ['domains.names=a.example', 'relay.outbound=off'] })), false)
})

t.test(
  'links by mail are offered where mail leaves and browsers keep a session, unless the operator says no',
  async (t) => {
    const offers = (...set: string[]): boolean => offersMailSignIn(loadConfig({ set }))
    const real = ['domains.names=a.example', 'server.base_url=https://a.example']
    t.equal(offers(...real), true)
    t.equal(offers(...real, 'identity.mail_sign_in=false'), false)
    t.equal(offers(...real, 'relay.outbound=off'), false)
    t.equal(offers('domains.names=a.example', 'server.base_url=http://a.example'), false)
    t.equal(offers(), false)
  },
)

t.test('passkeys need a host name and a secure address', async (t) => {
  for (const origin of ['https://a.example', 'http://localhost:8080', 'https://a.example:8443'])
    t.equal(offersPasskeys(origin), true, origin)
  for (const origin of ['http://a.example', 'http://127.0.0.1:8080', 'http://[::1]:8080', 'https://192.0.2.1'])
    t.equal(offersPasskeys(origin), false, origin)
})

t.test('a reload knows which changes it can take over', async (t) => {
  const changes = changedSettings(
    loadConfig(),
    loadConfig({ set: ['server.log_level=debug', 'smtp.listen=127.0.0.1:1'] }),
  )
  t.same(changes, [
    { name: 'server.log_level', reload: true },
    { name: 'smtp.listen', reload: false },
  ])
})

t.test(
  'a language model is asked only where its words cannot be read on their way, unless the operator says so',
  async (t) => {
    const model =
      (url: string, ...more: string[]) =>
      () =>
        loadConfig({ set: [`guard.model_url=${url}`, 'guard.model_name=judge-1', ...more] })
    for (const url of ['https://models.example.com/v1', 'http://127.0.0.1:8000/v1', 'http://localhost:8000'])
      t.equal(model(url)().guard.model_url, url)
    t.throws(model('http://192.0.2.1/v1'), /guard\.model_url.*model_plain_http/s)
    t.equal(model('http://192.0.2.1/v1', 'guard.model_plain_http=true')().guard.model_url, 'http://192.0.2.1/v1')
    t.throws(model('https://user:secret@models.example.com'), /guard\.model_url/)
    t.throws(model('https://models.example.com', 'guard.second_opinion_score=0.9'), /guard\.second_opinion_score/)
    t.throws(() => loadConfig({ set: ['guard.model_url=https://models.example.com'] }), /guard\.model_name/)
  },
)
