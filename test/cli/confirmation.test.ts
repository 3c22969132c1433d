/** What can't be undone is asked about on a terminal, and takes `--yes` from a script; the rest is not asked about. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { allCommands } from '../../src/cli/catalogue.js'
import { main } from '../../src/cli/main.js'
import { mailboxPartition } from '../../src/mailbox/keys.js'
import { saveLists } from '../../src/mailbox/lists.js'
import { makeFolder } from '../ops/backup/folder.js'
import { run } from '../support/daemon.js'
import { peer } from '../support/peers/peers.js'
import { freePort } from '../support/ports.js'
import { standIn } from './stand-in.js'

const COMMANDS = await allCommands()

const BIN = join(process.cwd(), 'bin/restante')
const MESSAGE = 'msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3'
const AT = '2026-11-01T00:00:00.000Z'

/** Commands with a question, each as it is typed; those that write without the daemon have their own tests below. */
const ASK: Record<string, { words: string[]; call: string; then?: string[]; says: RegExp }> = {
  'account delete': {
    words: ['bob@b.example'],
    call: 'POST /accounts/delete',
    says: /would delete the account bob@b\.example \(acc_1\) with 2 mailboxes\./,
  },
  'queue delete': {
    words: ['--domain', 'dead.example'],
    call: 'POST /queue/delete',
    says: /would delete 3 \(sending 0, queued 1, deferred 2, held 0\)\./,
  },
  'mailbox pause': {
    words: ['ada@a.example', '--withdraw'],
    call: 'POST /mailboxes/pause',
    then: ['POST /mailboxes/withdraw'],
    says: /would pause ada@a\.example and cancel for good what its agent sent and waits\./,
  },
  'review suspend': {
    words: [MESSAGE, '--reason', 'Phishing'],
    call: 'POST /review/suspend',
    says: /would reject msg_\w+ for good, and suspend its account/,
  },
  'guard correction reset': {
    words: [],
    call: 'POST /guard/correction/reset',
    says: /would forget for good what the guard has learnt/,
  },
}
const ELSEWHERE = ['dkim rotate', 'repair', 'setup']

/** Commands that change something and do not ask, and why that is right. */
const NO_QUESTION: Record<string, string> = {
  start: 'stopping it undoes it',
  'claim approve': 'the decision itself; the account can be suspended',
  'claim decline': 'the decision itself; the agent can claim again',
  'mailbox key': 'adds a key and takes none away',
  'mailbox resume': '"mailbox pause" stops it again',
  import: 'adds mail and takes none away',
  'account sign-in': 'the link works once and for ten minutes',
  'account trust': 'the level can be set back',
  'account suspend': '"account reinstate" ends it',
  'account reinstate': '"account suspend" stops it again',
  backup: 'writes a new file only',
  'store init': 'creates what is missing only',
  'store migrate':
    'what the first start of the version does without a question, and the backup has to be made before either',
  'store copy': 'the source stays as it is, and the target has to be empty or an incomplete copy',
  restore: 'writes to a folder that is missing or empty only',
  'webhook disable': 'a key of the mailbox enables it again',
  'connection revoke': 'its human can connect the program again',
  'review approve': 'the decision itself, made many times a day after "review show"',
  'review reject': 'the decision itself, made many times a day after "review show"',
  'queue hold': '"queue release" ends it',
  'queue release': '"queue hold" holds what still waits',
  'queue retry': 'only sooner what would be done anyway',
  'tls-reports send': 'only sooner what would be done anyway',
  'mta-sts forget': 'the next mail fetches the policy again',
  'certificate renew': 'only sooner what would be done anyway',
  'dkim new': 'only where there are no keys yet',
}
const ONLY_READ =
  /^(doctor|top|trace|audit|reports|retention|receipts|verify|dns|openapi|completion|version|help|guard explain|guard measure|config (check|reference)|queue (stats|holds)|cluster status|store status|dkim check|review log|.* (list|show))$/

t.test('each command either asks, or has a reason not to', (t) => {
  for (const { name, options } of COMMANDS) {
    const asks = Object.hasOwn(ASK, name) || ELSEWHERE.includes(name)
    t.equal(options.includes('yes'), asks, `${name} takes --yes when it asks`)
    t.equal([asks, Object.hasOwn(NO_QUESTION, name), ONLY_READ.test(name)].filter(Boolean).length, 1, name)
  }
  t.end()
})

async function restante(words: string[], answer?: string) {
  const out: string[] = []
  const err: string[] = []
  const questions: string[] = []
  const ask = (question: string): Promise<string> => {
    questions.push(question)
    return Promise.resolve(answer ?? '')
  }
  const code = await main(words, {
    env: {},
    print: (text) => out.push(text),
    note: (text) => err.push(text),
    ask: answer === undefined ? undefined : ask,
  })
  return { code, out: out.join('\n'), err: err.join('\n'), questions }
}

const ACCOUNT = {
  id: 'acc_1',
  owner: 'bob@b.example',
  status: 'active',
  suspension: null,
  mailboxes: 2,
  created_at: AT,
  trust_level: 0,
  trust: {
    level: 0,
    is_pinned: false,
    last_change: null,
    days: [],
    next_level: null,
    suspension_lines: {
      days: 7,
      recipients: 0,
      min_recipients: 0,
      bounce_percent: 0,
      max_bounce_percent: 0,
      complaint_percent: 0,
      max_complaint_percent: 0,
    },
  },
  deletion: null,
  identities: [],
  shown_mailboxes: [],
}
const STATES = { sending: 0, queued: 1, deferred: 2, held: 0 }
const ANSWERS = {
  'GET /accounts/show?account=bob%40b.example': ACCOUNT,
  'GET /queue/stats?domain=dead.example': {
    tasks: 3,
    notices: 0,
    states: STATES,
    oldest_queued_at: AT,
    destinations: [],
    tasks_elsewhere: 0,
  },
  'POST /accounts/delete': { account_id: 'acc_1', started_at: AT, ends_at: AT },
  'POST /mailboxes/pause': { id: 'mbx_1', address: 'ada@a.example', paused: 'sending' },
  'POST /mailboxes/withdraw': { id: 'mbx_1', withdrawn: 2, on_their_way: 1, has_more: false },
  'POST /queue/delete': { changed: 3, busy: 0, finished: true },
  'POST /review/suspend': { error: { message: 'There is no such message.', hint: 'List them.' } },
  'POST /guard/correction/reset': {
    learns: true,
    approvals: 0,
    rejections: 0,
    oldest_at: null,
    newest_at: null,
    strongest_weight: 0,
  },
}

for (const [name, { words, call, then = [], says }] of Object.entries(ASK))
  t.test(`${name}: asks on a terminal, and takes --yes from a script`, async (t) => {
    const calls: string[] = []
    const set = await standIn(t, ANSWERS, (each) => calls.push(each))
    const line = [...name.split(' '), ...words, ...set]
    const isDone = (): boolean => calls.includes(call)

    const script = await restante(line)
    t.match(script, { code: 1, out: '', err: says })
    t.match(script.err, /Nothing was done; repeat it with --yes\.$/)
    for (const answer of ['', 'n', 'yess']) {
      const declined = await restante(line, answer)
      t.match(declined, { code: 1, out: '', err: says, questions: [/^Go on\? \[y\/N\] $/] })
      t.match(declined.err, /Nothing was done\.$/)
    }
    t.notOk(isDone(), 'the daemon was told nothing')
    t.match(await restante(line, 'Y'), { questions: { length: 1 } })
    t.ok(isDone())
    calls.length = 0
    const agreed = await restante([...line, '--yes', '--json'], 'n')
    t.same(agreed.questions, [])
    t.same(calls, [call, ...then], 'what it would do is not looked up')
  })

t.test('queue delete ID: says what becomes of the message', async (t) => {
  const set = await standIn(t, ANSWERS)
  t.match(await restante(['queue', 'delete', MESSAGE, ...set]), {
    code: 1,
    err: /would delete msg_\w+ from the queue; recipients who do not have it yet never get it\. Nothing was done/,
  })
})

t.test('dkim rotate --now: no key is made before it is agreed to; without --now it does not ask', async (t) => {
  const set = await withoutDaemon(t)
  const states = async (): Promise<string> => (await restante(['dkim', 'list', ...set])).out
  t.equal((await restante(['dkim', 'new', 'agents.example', ...set])).code, 0)
  const before = await states()
  const now = ['dkim', 'rotate', 'agents.example', '--now', ...set]
  t.match(await restante(now), { code: 1, out: '', err: /old ones never again.*repeat it with --yes\.$/ })
  t.match(await restante(now, 'no'), { code: 1, out: '', questions: { length: 1 } })
  t.equal(await states(), before)
  t.match(await restante(['dkim', 'rotate', 'agents.example', ...set], 'n'), { code: 0, questions: { length: 0 } })
  t.match(await states(), /waits/)
  t.match(await restante(now, 'yes'), { code: 0, questions: { length: 1 } })
  t.match(await states(), /retired/)
})

t.test(
  'repair: on a terminal it says what it found and asks, and shows how far it is',
  peer('script', '/usr/bin/script'),
  async (t) => {
    const { dataDir, world } = await makeFolder(t)
    await world.deliver({ subject: 'hello' })
    // What this world lacks besides, an account, only a backup can give back.
    await world.store.write(mailboxPartition(world.id), (tx) =>
      saveLists(tx, 'thread', undefined, { seq: 3, names: ['label:none'] }),
    )
    const words = ['repair', '--set', `server.data_dir=${dataDir}`]
    const script = await run(BIN, words)
    t.match(script, { code: 1, stdout: /list-row/, stderr: /^1 of them can be repaired\. .*repeat it with --yes\.\n$/ })
    const declined = await onTerminal(words, 'n\n')
    t.match(declined, { code: 1, out: /list-row[^]*Go on\? \[y\/N\][^]*Nothing was done\./ })
    t.match(
      declined.out,
      /\r\u001b\[K\[#+-*\] \d+% {2}\d of 3 parts, 0 read, \d findings?/,
      'a line that is written over',
    )
    t.match(await onTerminal(words, '\u0004'), { code: 1, out: /Nothing was done\./ }, 'the end of the input is no yes')
    t.match(await run(BIN, ['verify', ...words.slice(1)]), { code: 1, stdout: /list-row/, stderr: '' })
    t.match(await onTerminal(words, 'y\n'), { out: /1 of 1 repaired[^]*Repaired 1 of 2\./ })
    t.notMatch((await run(BIN, ['verify', ...words.slice(1)])).stdout, 'list-row')
  },
)

/** With a real terminal around it, at which `typed` is typed. */
function onTerminal(words: string[], typed: string): Promise<{ code: number | null; out: string }> {
  const child = spawn('/usr/bin/script', ['-qec', [BIN, ...words].join(' '), '/dev/null'], {
    env: { ...process.env, NODE_OPTIONS: '', TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => {
    if (!out.includes('[y/N]') && `${out}${chunk}`.includes('[y/N]')) child.stdin.write(typed)
    out += String(chunk)
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, out }))
  })
}

async function withoutDaemon(t: Test): Promise<string[]> {
  return ['--set', `server.data_dir=${t.testdir({})}`, '--set', `server.admin=127.0.0.1:${await freePort()}`]
}
