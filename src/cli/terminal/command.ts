/** The model of a command of `restante`, and the parsing of command lines. */
import { parseArgs } from 'node:util'
import { nearest } from '../../config/nearest.js'
import type { Config } from '../../config/schema.js'
import type { Terminal } from './screen.js'

/** Exit codes: those of sysexits.h, which systemd and shells know. */
export const EXIT = { ok: 0, failed: 1, usage: 64, unreachable: 69, config: 78 } as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
export const EXIT_ABOUT: Record<ExitCode, string> = {
  [EXIT.ok]: 'done',
  [EXIT.failed]: 'refused, failed, or not confirmed; the message says why. Of a check: it found something',
  [EXIT.usage]: 'the command line is wrong',
  [EXIT.unreachable]: "the daemon can't be reached, or there is no data folder",
  [EXIT.config]: 'the settings are wrong, or the data folder is damaged or of a newer version',
}

export class CommandError extends Error {
  constructor(
    readonly exitCode: ExitCode,
    message: string,
  ) {
    super(message)
    this.name = 'CommandError'
  }
}

export interface Option {
  type: 'string' | 'boolean'
  multiple?: true
  short?: string
  /** Name of the value in the help. */
  value?: string
  about: string
}

const flag = (about: string) => ({ type: 'boolean', about }) as const
const valued = (value: string, about: string) => ({ type: 'string', value, about }) as const

export const OPTIONS = {
  config: valued('DIR', 'folder of settings (default: RESTANTE_CONFIG, else built-in defaults)'),
  set: { ...valued('FILE.SETTING=VALUE', 'one setting, over the files; repeatable'), multiple: true },
  help: { ...flag('show this'), short: 'h' },
  json: flag('print JSON'),
  staff: valued('EMAIL', 'one of identity.staff'),
  owner: valued('EMAIL', "whose account the mailbox joins (default: the operator's own)"),
  file: valued('SECTION', 'print config/SECTION.toml instead'),
  address: valued('ADDRESS', 'only what came from this address or for it'),
  since: valued('T', 'not before T: 2026-11-20T08:00:00Z, 2026-11-20, or an age such as 30m, 2h, 3d'),
  until: valued('T', 'before T'),
  now: flag('sign with them at once, whatever DNS says'),
  quick: flag('skip the checks that take longest'),
  check: flag('ask DNS for each record'),
  zone: flag('print lines of a zone file'),
  action: valued('ACTION', 'only this action, such as key.made, or all of a kind, such as key'),
  account: valued('ID', 'only what was done to this account (acc_…)'),
  actor: valued(
    'WHO',
    'only what was done by: operator, staff, key, session, system …, an id, an email address or a user',
  ),
  limit: valued('N', 'at most N (default: 100)'),
  mailbox: valued('ADDRESS', 'mail that this mailbox sends'),
  hostname: valued('NAME', "this host's name in DNS, such as mx.example.com (default: mx. and the domain)"),
  operator: valued('EMAIL', 'address for warnings of this server, on another server'),
  url: valued('URL', 'address of the web pages and the API (default: https:// and the host name)'),
  data: valued('DIR', 'folder of data (default: /var/lib/restante)'),
  root: valued('DIR', 'write below this folder, the root of another machine'),
  'mail-programs': flag('open the ports for mail programs: 993 for reading, 465 for sending'),
  'no-systemd': flag('create no user and no unit'),
  days: valued('N', 'the last N days (default: 7)'),
  remove: flag('stop the daemon and remove its unit; settings, mail, keys and user stay'),
  domain: valued('DOMAIN', 'mail to this domain and its subdomains'),
  state: valued('STATE', 'only what is sending, queued, deferred or held'),
  reason: valued(
    'TEXT',
    'why; of a held message for other operators, of a suspension for its owner, of a rejection for the sender',
  ),
  to: valued('PATH', 'a new file, or a folder to write it to'),
  key: valued('FILE', 'file with the key of an encrypted backup (default: backup.key_file)'),
  level: valued('N', 'this trust level, 0 to 6'),
  pin: flag('keep the level: it does not change by itself'),
  unpin: flag('let the level change by itself again'),
  outward: flag('also connect to the mail server of doctor.outward, to see whether port 25 is open'),
  strict: flag('end with 1 for warnings too'),
  blocked: flag('messages blocked in the last 7 days, instead of held ones'),
  all: flag('all deferred mail; of a pause: keys and connections too'),
  withdraw: flag('withdraw mail of the agent that waits: it is not sent, and stays in the mailbox as cancelled'),
  interval: valued('SECONDS', 'seconds between two readings (default: 2)'),
  once: flag('print it once, also on a terminal'),
  mbox: valued('FILE', 'a file in the mbox format'),
  maildir: valued('DIR', 'a Maildir, with its folders'),
  imap: valued('HOST[:PORT]', 'an IMAP server: port 993 with TLS (default), or 143 with STARTTLS'),
  user: valued('NAME', 'name to sign in with there'),
  'password-file': valued('FILE', 'file with the password in its first line (default: it is asked for)'),
  folder: valued('NAME', 'folder of the mailbox (default: INBOX)'),
  incoming: flag('as mail that comes in'),
  list: flag('one line for each'),
  yes: flag('do not ask first; in a script nothing is done without this'),
} as const satisfies Record<string, Option>

export type OptionName = keyof typeof OPTIONS
export type Options = ReturnType<typeof readWords>['values']

export interface Invocation {
  /** At most as many as the command declares. */
  args: string[]
  options: Options
  /** Options that select the same settings, as typed in a shell. */
  settings: string
  /** Undefined if no files are read. */
  configDir: string | undefined
  /** Each `--set`, as typed. */
  overrides: readonly string[]
  /** Loads the settings. @throws ConfigError */
  config(): Config
  commands(): Promise<readonly Command[]>
  print(text: string): void
  /** Undefined without a terminal. */
  ask: ((question: string) => Promise<string>) | undefined
  /** True if output goes to a terminal with colours. */
  colours: boolean
  /** Full-screen terminal; undefined if there is none. */
  terminal: Terminal | undefined
  /** Prints warnings and notes, not results. */
  note(text: string): void
  /** The error of a wrong command line, with the way to the help of the command. */
  usage(problem: string): CommandError
}

interface Definition {
  /** The words after `restante`, then the arguments; optional ones are in brackets, last. */
  usage: string
  /** From `OPTIONS`, besides the common ones. */
  options: readonly OptionName[]
  /** Meanings that differ for this command. */
  abouts?: Partial<Record<OptionName, string>>
  /** One line for the overview. */
  summary: string
  /** Text of its own help. */
  about: string
  examples: readonly string[]
  /** @returns the exit code, if it is not EXIT.ok */
  run(invocation: Invocation): Promise<ExitCode | void>
}

export interface Command extends Definition {
  /** The words after `restante`. */
  name: string
  args: readonly string[]
}

export function defineCommand(definition: Definition): Command {
  const words = definition.usage.split(' ')
  const [name, args] = [words.filter((word) => !isArgument(word)), words.filter(isArgument)]
  return { ...definition, name: name.join(' '), args }
}

function isArgument(word: string): boolean {
  return /^\[?[A-Z]/.test(word)
}

/** Accepted by every command. */
export const COMMON: readonly OptionName[] = ['config', 'set', 'help']

export function optionsOf(command: Command): OptionName[] {
  return [...command.options, ...COMMON]
}

/** Parsed words: options may be anywhere; others are `positionals`. */
export type CommandLine = ReturnType<typeof readWords>

/**
 * Finds the command and checks its arguments and options.
 *
 * @param commands candidates
 * @throws CommandError (usage) that names the unknown word and similar ones
 */
export function parseCommandLine({ values, positionals }: CommandLine, commands: readonly Command[]) {
  const command = commands
    .filter(({ name }) => name.split(' ').every((word, index) => positionals[index] === word))
    .sort((a, b) => b.name.length - a.name.length)[0]
  if (command === undefined) {
    if (positionals.length === 0) return { args: [], values }
    throw unknownCommand(positionals, commands)
  }
  const args = positionals.slice(command.name.split(' ').length)
  const allowed = optionsOf(command)
  const stray = Object.keys(values).find((name) => !allowed.some((known) => known === name))
  if (stray !== undefined) throw usage(`"${command.name}" takes no --${stray}`, command)
  if (values.help !== true) checkArguments(command, args)
  return { command, args, values }
}

/** @throws CommandError (usage) that names the unknown option and similar ones */
export function readWords(argv: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: OPTIONS,
      allowPositionals: true,
      strict: true,
    })
    return { values, positionals }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const option = /'(--?[^' ]+)/.exec(error.message)?.[1]
    const guess = option === undefined ? undefined : nearest(option.replace(/^-+/, ''), Object.keys(OPTIONS))
    const [what = 'the options could not be read'] = error.message.split('. ')
    throw usage(guess === undefined || option === `--${guess}` ? what : `${what}. Did you mean --${guess}?`)
  }
}

function checkArguments(command: Command, args: string[]): void {
  const missing = command.args[args.length]
  if (missing !== undefined && !missing.startsWith('[')) throw usage(`"${command.name}" needs ${missing}`, command)
  if (args.length > command.args.length)
    throw usage(`"${command.name}" does not take "${args[command.args.length] ?? ''}"`, command)
}

function unknownCommand(words: string[], commands: readonly Command[]): CommandError {
  const group = commands.filter(({ name }) => name.split(' ')[0] === words[0])
  if (group.length > 0)
    return usage(`"${words[0]}" is one of ${group.map(({ name }) => `"restante ${name}"`).join(', ')}`)
  const names = commands.map(({ name }) => name)
  const guess =
    nearest(words.slice(0, 2).join(' '), names) ??
    nearest(
      words[0] ?? '',
      names.flatMap((name) => name.split(' ')[0] ?? []),
    )
  return usage(`there is no command "${words[0]}"${guess === undefined ? '' : `. Did you mean "restante ${guess}"?`}`)
}

export function usage(problem: string, command?: Command): CommandError {
  return new CommandError(
    EXIT.usage,
    `${problem}\nSee: restante ${command === undefined ? 'help' : `${command.name} -h`}`,
  )
}
