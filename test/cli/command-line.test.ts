/** What somebody at a terminal gets: answers, and for a slip what would be right. */
import { existsSync, statSync } from 'node:fs'
import t from 'tap'
import { main } from '../../src/cli/main.js'
import { openSecrets } from '../../src/config/secrets.js'
import { configReference } from '../../src/config/reference.js'
import { freePort } from '../support/ports.js'
import { standIn } from './stand-in.js'

async function restante(words: readonly string[], env: Record<string, string> = {}) {
  const out: string[] = []
  const err: string[] = []
  const code = await main(words, { env, print: (text) => out.push(text), note: (text) => err.push(text) })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

const slips: [line: string, expected: string][] = [
  ['strat', 'there is no command "strat". Did you mean "restante start"?\nSee: restante help'],
  [
    'claim',
    '"claim" is one of "restante claim list", "restante claim approve", "restante claim decline"\nSee: restante help',
  ],
  [
    'claim aprove a@b.example',
    '"claim" is one of "restante claim list", "restante claim approve", "restante claim decline"\nSee: restante help',
  ],
  ['claim approve', '"claim approve" needs ADDRESS\nSee: restante claim approve -h'],
  ['account sign-in', '"account sign-in" needs either ACCOUNT or --staff EMAIL\nSee: restante account sign-in -h'],
  [
    'account sign-in bob@example.com --staff amy@example.com',
    '"account sign-in" needs either ACCOUNT or --staff EMAIL\nSee: restante account sign-in -h',
  ],
  ['claim list now', '"claim list" does not take "now"\nSee: restante claim list -h'],
  ['start --json', '"start" takes no --json\nSee: restante start -h'],
  ['start --confg /etc', "Unknown option '--confg'. Did you mean --config?\nSee: restante help"],
  ['start --config', "Option '--config <value>' argument missing\nSee: restante help"],
  [
    'dkim new not_a_domain',
    '"not_a_domain" is no domain; it takes one such as agents.example.com\nSee: restante dkim new -h',
  ],
  ['config reference --file smpt', 'there is no smpt.toml. Did you mean smtp?'],
]
for (const [line, expected] of slips) {
  t.test(`restante ${line}: says what would be right, exit code 64`, async (t) => {
    t.same(await restante(line.split(' ')), { code: 64, out: '', err: `restante: ${expected}` })
  })
}

t.test('without a command the commands are listed, exit code 64', async (t) => {
  const { code, out, err } = await restante([])
  t.equal(code, 64)
  t.equal(out, '')
  t.match(err, 'claim approve ADDRESS')
})

t.test('help lists every command; each explains itself with examples', async (t) => {
  const { code, out } = await restante(['help'])
  t.equal(code, 0)
  t.equal((await restante(['-h'])).out, out)
  const names = [...out.matchAll(/^ {2}((?:[a-z][a-z-]* ?)+)/gm)].map(([, name = '']) => name.trim())
  t.match(names, [
    'setup',
    'start',
    'doctor',
    'top',
    'claim list',
    'claim approve',
    'claim decline',
    'mailbox list',
    'mailbox key',
    'mailbox pause',
    'mailbox resume',
    'import',
    'account list',
    'account show',
    'account sign-in',
    'account trust',
    'account suspend',
    'account reinstate',
    'account delete',
    'audit',
    'receipts',
    'trace',
    'reports',
    'reports list',
    'reports show',
    'cluster status',
    'retention',
    'backup',
    'restore',
    'store status',
    'store init',
    'store migrate',
    'store copy',
    'verify',
    'repair',
    'webhook list',
    'webhook show',
    'webhook disable',
    'connection list',
    'connection revoke',
    'review list',
    'review show',
    'review approve',
    'review reject',
    'review suspend',
    'review log',
    'guard explain',
    'guard measure',
    'guard correction show',
    'guard correction reset',
    'queue list',
    'queue show',
    'queue hold',
    'queue release',
    'queue retry',
    'queue delete',
    'queue stats',
    'queue holds',
    'tls-reports list',
    'tls-reports send',
    'mta-sts list',
    'mta-sts show',
    'mta-sts forget',
    'certificate list',
    'certificate renew',
    'dkim new',
    'dkim list',
    'dkim rotate',
    'dkim check',
    'dns',
    'config check',
    'config reference',
    'openapi',
    'completion',
    'version',
    'help',
  ])
  for (const name of names) {
    const help = await restante([...name.split(' '), '-h'])
    t.equal(help.code, 0)
    t.match(help.out, `Usage: restante ${name}`)
    t.match(help.out, /Examples:\n {2}restante /)
  }
})

t.test('a command line that works', async (t) => {
  t.match((await restante(['version'])).out, /^restante \d+\.\d+\.\d+ \(Node v\d+/)
  t.equal((await restante(['config', 'reference'])).out, configReference().trimEnd())
  t.match((await restante(['config', 'reference', '--file', 'smtp.toml'])).out, /^# listen = /m)
  t.match(await restante(['config', 'check', '--set', 'domains.names=a.example']), {
    out: 'The settings are right. Not at their defaults: domains.names.',
  })
  t.match(await restante(['config', 'check']), { code: 0, out: 'The settings are right. All are at their defaults.' })
})

t.test('options may stand anywhere, and RESTANTE_CONFIG stands in for --config', async (t) => {
  const dir = t.testdir({ 'limits.toml': 'claim_difficulty = 5\n' })
  const set = ['--set', 'relay.port=2500']
  const expected = 'The settings are right. Not at their defaults: relay.port, limits.claim_difficulty.'
  t.equal((await restante(['--config', dir, 'config', 'check', ...set])).out, expected)
  t.equal((await restante([...set, 'config', 'check'], { RESTANTE_CONFIG: dir })).out, expected)
})

t.test('wrong settings are told with exit code 78', async (t) => {
  const dir = t.testdir({ 'smtp.toml': 'lisen = 1\n' })
  t.same(await restante(['config', 'check', '--config', dir]), {
    code: 78,
    out: '',
    err: `restante: the settings are wrong:\n  ${dir}/smtp.toml:1: there is no smtp.lisen. Did you mean smtp.listen?\nAll settings: restante config reference`,
  })
})

t.test('without a daemon, a command that needs one says how to get one, exit code 69', async (t) => {
  const dataDir = t.testdir({})
  const set = ['--set', `server.data_dir=${dataDir}`, '--set', `server.admin=127.0.0.1:${await freePort()}`]
  const never = await restante(['claim', 'list', ...set])
  t.equal(never.code, 69)
  t.match(never.err, `No daemon has been started on the data folder ${dataDir}`)
  await openSecrets(dataDir)
  const stopped = await restante(['claim', 'list', ...set])
  t.equal(stopped.code, 69)
  t.match(stopped.err, "The daemon can't be reached at 127.0.0.1:")
  t.match(stopped.err, 'nobody listens there')
})

t.test('dkim new prints both records as lines of a zone file, without a daemon', async (t) => {
  const dataDir = t.testdir({})
  const set = ['--set', `server.data_dir=${dataDir}`, '--set', `server.admin=127.0.0.1:${await freePort()}`]
  const { code, out, err } = await restante(['dkim', 'new', 'Agents.Example', ...set])
  t.equal(code, 0)
  t.match(out, /^r\d{8}\._domainkey\.agents\.example\. IN TXT \( "v=DKIM1; k=rsa; p=[^"]{1,255}" "[^"]+" \)$/m)
  t.match(out, /^e\d{8}\._domainkey\.agents\.example\. IN TXT \( "v=DKIM1; k=ed25519; p=[^"]+" \)$/m)
  t.match(err, 'agents.example is not in domains.names')
  const listed: unknown = JSON.parse((await restante(['dkim', 'list', '--json', ...set])).out)
  if (!Array.isArray(listed)) throw new Error('no list')
  t.equal(listed.length, 2)
  for (const key of listed) {
    t.ok(existsSync(key.path))
    t.equal(statSync(key.path).mode & 0o777, 0o600)
  }
  t.match((await restante(['dkim', 'list', ...set])).out, /rsa-sha256 +signs/)
})

t.test('claims are listed for people and for machines; what a stranger wrote cannot steer the terminal', async (t) => {
  const set = await standIn(t, {
    'GET /claims': {
      data: [
        {
          address: 'ada@a.example',
          agent_name: 'A\u001b[2Jda\u202e',
          created_at: '2026-01-01T00:00:00.000Z',
          expires_at: '2026-01-02T00:00:00.000Z',
        },
      ],
    },
  })
  const { code, out } = await restante(['claim', 'list', ...set])
  t.equal(code, 0)
  t.match(out, /^ADDRESS +AGENT +CLAIMED +EXPIRES\nada@a\.example +A\ufffd\[2Jda\ufffd +2026-01-01T/)
  t.match(JSON.parse((await restante(['claim', 'list', '--json', ...set])).out), [{ address: 'ada@a.example' }])
})

t.test(
  'an approval is sent with its owner and reported; a refusal is passed on with its hint, exit code 1',
  async (t) => {
    const set = await standIn(t, {
      'POST /claims/approve': { address: 'ada@a.example', account_id: 'acc_1', already_approved: false },
      'POST /mailboxes/key': {
        error: {
          code: 'not_found',
          message: 'There is no such mailbox.',
          hint: 'List them with restante mailbox list.',
        },
      },
    })
    const approved = await restante(['claim', 'approve', 'ada@a.example', '--owner', 'bob@b.example', ...set])
    t.match(approved, { code: 0, out: 'ada@a.example is approved (account acc_1)' })
    t.same(await restante(['mailbox', 'key', 'ada@a.example', ...set]), {
      code: 1,
      out: '',
      err: 'restante: There is no such mailbox. List them with restante mailbox list.',
    })
  },
)

t.test('something else on the admin port is not taken for a daemon', async (t) => {
  const set = await standIn(t, { 'GET /claims': 'Welcome to nginx' })
  const { code, err } = await restante(['claim', 'list', ...set])
  t.equal(code, 69)
  t.match(err, 'answered with something else than a Restante daemon')
})
