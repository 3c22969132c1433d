/** The model of a command of `restante`, and the parsing of command lines. */
import { parseArgs } from 'node:util'
import { nearest } from '../../config/nearest.js'
import type { Config } from '../../config/schema.js'
import type { Terminal } from './screen.js'

/** Exit codes: those of sysexits.h, which systemd and shells know. */
export const EXIT = { ok: 0, failed: 1, usage: 64, unreachable: 69, config: 78 } as const
/** Meanings, for help and docs/cli.md. */
export const EXIT_ABOUT: Record<keyof typeof EXIT, string> = {
  ok: 'done',
  failed: 'refused, failed, or not agreed to; the message says why. Of a check: it found something',
  usage: 'the command line is wrong',
  unreachable: "the daemon can't be reached, or there is no data folder",
  config: 'the settings are wrong, or the data folder is damaged or of a newer version',
}
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Ends a command with a message and an exit code. */
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
  /** Repeatable. */
  multiple?: true
  short?: string
  /** Name of the value in the help. */
  value?: string
  about: string
}

export interface Invocation {
  /** At most as many as the command declares. */
  args: string[]
  flags: Record<FlagOption, boolean>
  /** Values of the command's own options. */
  options: Partial<Record<ValueOption, string>>
  /** Options that select the same settings, as typed in a shell. */
  settings: string
  /** Undefined if no files are read. */
  configDir: string | undefined
  /** Each `--set`, as typed. */
  overrides: readonly string[]
  /** Loads the settings. @throws ConfigError */
  config(): Config
  print(text: string): void
  /** Undefined without a terminal. */
  ask: ((question: string) => Promise<string>) | undefined
  /** True if output goes to a terminal with colours. */
  colours: boolean
  /** Full-screen terminal; undefined if there is none. */
  terminal: Terminal | undefined
  /** Prints warnings and notes, not results. */
  note(text: string): void
}

export interface Command {
  /** The words after `restante`. */
  name: string
  /** Optional ones are in brackets, last. */
  args: readonly string[]
  /** From `OPTIONS`, besides the common ones. */
  options: readonly OptionName[]
  /** Meanings that differ for this command. */
  abouts?: Partial<Record<OptionName, string>>
  /** One line for the overview. */
  summary: string
  /** Text of its own help. */
  about: string
  examples: readonly string[]
  run(invocation: Invocation): Promise<ExitCode>
}

export const OPTIONS = {
  config: {
    type: 'string',
    value: 'DIR',
    about: 'folder of settings (default: RESTANTE_CONFIG, else built-in defaults)',
  },
  set: {
    type: 'string',
    multiple: true,
    value: 'FILE.SETTING=VALUE',
    about: 'one setting, over the files; repeatable',
  },
  help: { type: 'boolean', short: 'h', about: 'show this' },
  json: { type: 'boolean', about: 'print JSON' },
  owner: { type: 'string', value: 'EMAIL', about: "whose account the mailbox joins (default: the operator's own)" },
  file: { type: 'string', value: 'SECTION', about: 'print config/SECTION.toml instead' },
  address: { type: 'string', value: 'ADDRESS', about: 'only what came from this address or for it' },
  since: {
    type: 'string',
    value: 'T',
    about: 'not before T: 2026-11-20T08:00:00Z, 2026-11-20, or an age such as 30m, 2h, 3d',
  },
  until: { type: 'string', value: 'T', about: 'before T' },
  now: { type: 'boolean', about: 'sign with them at once, whatever DNS says' },
  quick: { type: 'boolean', about: 'leave out what takes most of the time' },
  check: { type: 'boolean', about: 'ask DNS for each record' },
  zone: { type: 'boolean', about: 'print lines of a zone file' },
  action: {
    type: 'string',
    value: 'ACTION',
    about: 'only this action, such as key.made, or all of a kind, such as key',
  },
  account: { type: 'string', value: 'ID', about: 'only what was done to this account (acc_…)' },
  actor: {
    type: 'string',
    value: 'WHO',
    about: 'only what was done by: operator, staff, key, session, system …, an id, an email address or a user',
  },
  limit: { type: 'string', value: 'N', about: 'at most N (default: 100)' },
  mailbox: { type: 'string', value: 'ADDRESS', about: 'mail that this mailbox sends' },
  hostname: {
    type: 'string',
    value: 'NAME',
    about: "this host's name in DNS, such as mx.example.com (default: mx. and the domain)",
  },
  operator: { type: 'string', value: 'EMAIL', about: 'where you are told of what goes wrong; an address elsewhere' },
  url: {
    type: 'string',
    value: 'URL',
    about: 'address of the web pages and the API (default: https:// and the host name)',
  },
  data: { type: 'string', value: 'DIR', about: 'folder of data (default: /var/lib/restante)' },
  root: { type: 'string', value: 'DIR', about: 'write below this folder, for another root than that of this machine' },
  'no-systemd': { type: 'boolean', about: 'make no user and no unit' },
  days: { type: 'string', value: 'N', about: 'the last N days (default: 7)' },
  remove: { type: 'boolean', about: 'stop the daemon and take its unit away; settings, mail, keys and user stay' },
  domain: { type: 'string', value: 'DOMAIN', about: 'mail to this domain and its subdomains' },
  state: { type: 'string', value: 'STATE', about: 'only what is sending, queued, deferred or held' },
  reason: {
    type: 'string',
    value: 'TEXT',
    about: 'why; of a held message for other operators, of a suspension for its owner, of a rejection for the sender',
  },
  to: { type: 'string', value: 'PATH', about: 'where to: a file that is not there yet, or a folder' },
  key: { type: 'string', value: 'FILE', about: 'file with the key of an encrypted backup (default: backup.key_file)' },
  level: { type: 'string', value: 'N', about: 'this trust level, 0 to 6' },
  pin: { type: 'boolean', about: 'keep the level: it does not move by itself' },
  unpin: { type: 'boolean', about: 'let the level move by itself again' },
  outward: {
    type: 'boolean',
    about: 'also connect to the mail server of doctor.outward, to see whether port 25 is open',
  },
  strict: { type: 'boolean', about: 'end with 1 for warnings too' },
  blocked: { type: 'boolean', about: 'what was blocked of late, in place of what is held' },
  all: { type: 'boolean', about: 'everything that waits' },
  interval: { type: 'string', value: 'SECONDS', about: 'between two looks (default: 2)' },
  once: { type: 'boolean', about: 'print it once, also on a terminal' },
  yes: { type: 'boolean', about: 'do it without a question; from a script nothing is done without this' },
} as const satisfies Record<string, Option>

export type OptionName = keyof typeof OPTIONS
/** Options with a value. */
export type ValueOption = Exclude<OptionName, 'config' | 'set' | 'help' | FlagOption>
/** Options without a value. */
export type FlagOption =
  | 'json'
  | 'now'
  | 'quick'
  | 'check'
  | 'zone'
  | 'all'
  | 'yes'
  | 'pin'
  | 'unpin'
  | 'blocked'
  | 'outward'
  | 'strict'
  | 'no-systemd'
  | 'remove'
  | 'once'

/** Accepted by every command. */
export const COMMON: readonly OptionName[] = ['config', 'set', 'help']

/** Options of a command, its own first. */
export function optionsOf(command: Command): OptionName[] {
  return [...command.options, ...COMMON]
}

export interface Parsed {
  /** Undefined without a command. */
  command: Command | undefined
  args: string[]
  values: { config?: string; set?: string[]; help?: boolean } & Partial<Record<FlagOption, boolean>> &
    Partial<Record<ValueOption, string>>
}

/** Parsed words: options may be anywhere; others are `positionals`. */
export type CommandLine = ReturnType<typeof readWords>

/**
 * Finds the command and checks its arguments and options.
 *
 * @param commands candidates
 * @throws CommandError (usage) that names the unknown word and similar ones
 */
export function parseCommandLine({ values, positionals }: CommandLine, commands: readonly Command[]): Parsed {
  const command = commands
    .filter(({ name }) => name.split(' ').every((word, index) => positionals[index] === word))
    .sort((a, b) => b.name.length - a.name.length)[0]
  if (command === undefined) {
    if (positionals.length === 0) return { command, args: [], values }
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

function usage(problem: string, command?: Command): CommandError {
  return new CommandError(
    EXIT.usage,
    `${problem}\nSee: restante ${command === undefined ? 'help' : `${command.name} -h`}`,
  )
}
