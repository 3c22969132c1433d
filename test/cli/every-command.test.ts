/** What holds for each command of the table: `--json`, and exit codes for what goes wrong before it can begin. */
import t from 'tap'
import { EXIT, EXIT_ABOUT, type Command } from '../../src/cli/terminal/command.js'
import { overview } from '../../src/cli/terminal/help.js'
import { allCommands, commandsOf } from '../../src/cli/catalogue.js'
import { main } from '../../src/cli/main.js'
import { openSecrets } from '../../src/config/secrets.js'
import { freePort } from '../support/ports.js'

const COMMANDS = await allCommands()

async function restante(words: readonly string[]) {
  const out: string[] = []
  const err: string[] = []
  const code = await main(words, { env: {}, print: (text) => out.push(text), note: (text) => err.push(text) })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

const WITHOUT_JSON: Record<string, string> = {
  start: 'its log on standard output is JSON already',
  'config reference': 'a file of settings or of docs, as it is',
  completion: 'a script for a shell, as it is',
  help: 'for people',
}

t.test('a word loads its own commands and no others, and one that nothing begins with loads all', async (t) => {
  const words = [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0]))]
  const namesOf = async (word: string): Promise<string[]> => (await commandsOf(word)).map(({ name }) => name)
  const whole = COMMANDS.map(({ name }) => name)
  for (const word of words)
    t.same(
      await namesOf(word ?? ''),
      whole.filter((name) => name.split(' ')[0] === word),
    )
  t.same(await namesOf('clam'), whole)
})

t.test('each command takes --json, or has a reason not to', (t) => {
  for (const { name, options } of COMMANDS) t.equal(options.includes('json'), !Object.hasOwn(WITHOUT_JSON, name), name)
  for (const name of Object.keys(WITHOUT_JSON)) t.ok(COMMANDS.some((command) => command.name === name))
  t.end()
})

t.test('those without a daemon print one JSON value and nothing else', async (t) => {
  const dataDir = t.testdir({})
  const set = ['--set', `server.data_dir=${dataDir}`, '--set', 'relay.port=2500']
  const read = async (line: string): Promise<unknown> => {
    const { code, out, err } = await restante([...line.split(' '), '--json', ...set])
    t.same({ code, err }, { code: 0, err: '' }, line)
    return JSON.parse(out)
  }
  t.same(await read('config check'), { changed: ['server.data_dir', 'relay.port'] })
  t.match(await read('version'), { restante: /^\d+\.\d+\.\d+/, node: process.version, platform: process.platform })
  t.same(await restante(['--version']), await restante(['version']), 'as other programs have it')
  t.match(await read('openapi'), { openapi: /^3\.1/, paths: { '/v1/messages': {} } })
})

t.test('the help says what each exit code is for', (t) => {
  const help = overview(COMMANDS)
  for (const code of Object.values(EXIT))
    t.match(help, new RegExp(`^ {2}${code} +${EXIT_ABOUT[code].slice(0, 20)}`, 'm'))
  t.end()
})

t.test('a wrong option, an argument too much or too few: 64, with the way to the help', async (t) => {
  for (const { name, args } of COMMANDS) {
    const words = name.split(' ')
    const see = new RegExp(`See: restante ${name} -h$`)
    const filled = args.map(() => 'x')
    const wrong = await restante([...words, ...filled, '--jsno'])
    t.match(wrong, { code: EXIT.usage, out: '', err: /Unknown option '--jsno'\. Did you mean --json\?/ }, name)
    const stray = ['receipts', 'audit'].includes(name) ? '--zone' : '--since'
    t.match(
      await restante([...words, ...filled, stray, '1h']),
      { code: EXIT.usage, out: '', err: /takes no --|does not take/ },
      name,
    )
    t.match(await restante([...words, ...filled, 'more']), { code: EXIT.usage, out: '', err: see }, name)
    const needed = args.filter((arg) => !arg.startsWith('['))
    const last = needed.at(-1)
    if (last !== undefined) {
      const few = await restante([...words, ...needed.slice(1).map(() => 'x')])
      t.match(few, { code: EXIT.usage, out: '', err: see }, name)
      t.match(few.err, `"${name}" needs ${last}`)
    }
  }
})

/** Those that do their work without the daemon, or are the daemon. */
const ALONE =
  /^(setup|start|doctor|backup|restore|verify|repair|cluster status|store .*|dns|openapi|completion|version|help|guard explain|guard measure|config .*|dkim .*)$/
const ARGUMENTS: Record<string, string> = {
  ACCOUNT: 'bob@b.example',
  ADDRESS: 'ada@a.example',
  DOMAIN: 'a.example',
  ID: 'msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3',
  MESSAGE_ID: 'msg_01J9Z6Y2V5C7Q3H8K4M0N1P2R3',
}
const NEEDED: Record<string, string[]> = {
  'account suspend': ['--reason', 'x'],
  'review suspend': ['--reason', 'x'],
  import: ['--mbox', 'old.mbox'],
}

t.test('no daemon: 69, and how to start one', async (t) => {
  const dataDir = t.testdir({})
  const set = ['--set', `server.data_dir=${dataDir}`, '--set', `server.admin=127.0.0.1:${await freePort()}`]
  const asking = COMMANDS.filter(({ name }) => !ALONE.test(name))
  const lines = asking.map((command) => [...lineOf(command), ...set])
  for (const line of lines)
    t.match(
      await restante(line),
      { code: EXIT.unreachable, out: '', err: /No daemon has been started on .*\nStart one with "restante start"/ },
      line.join(' '),
    )
  await openSecrets(dataDir)
  for (const line of lines)
    t.match(
      await restante(line),
      { code: EXIT.unreachable, out: '', err: /nobody listens there\.\nStart it with "restante start"/ },
      line.join(' '),
    )
  t.ok(lines.length > 25)
})

/** Those that read no settings, write them, or (doctor) tell of them as a finding. */
const WITHOUT_SETTINGS = /^(setup|start|doctor|restore|completion|version|help|config reference)$/

t.test('settings that are wrong: 78', async (t) => {
  for (const command of COMMANDS.filter(({ name }) => !WITHOUT_SETTINGS.test(name))) {
    const { code, out, err } = await restante([...lineOf(command), '--set', 'smtp.lisen=1'])
    t.same({ code, out }, { code: EXIT.config, out: '' }, `${command.name}: ${err}`)
  }
})

/** The command with arguments that could be right, agreed to. */
function lineOf({ name, args, options }: Command): string[] {
  return [
    ...name.split(' '),
    ...args.map((arg) => ARGUMENTS[arg.replace(/^\[|\]$/g, '')] ?? 'x'),
    ...(NEEDED[name] ?? []),
    ...(options.includes('yes') ? ['--yes'] : []),
  ]
}
