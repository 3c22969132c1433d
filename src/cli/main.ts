/** `restante`: finds the command, runs it, and turns errors into messages and exit codes. */
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { ConfigError, SettingError } from '../config/errors.js'
import { loadConfig } from '../config/load.js'
import { hasCode } from '../lib/thrown.js'
import { UnfitFolderError } from '../store/schema-version.js'
import { allCommands, commandsOf } from './catalogue.js'
import { OVERVIEW } from './terminal/overview.js'
import {
  CommandError,
  EXIT,
  parseCommandLine,
  readWords,
  usage,
  type ExitCode,
  type Invocation,
} from './terminal/command.js'
import { commandHelp, overview } from './terminal/help.js'

/** Environment of a command line; replaced in tests. */
export interface Surroundings
  extends Pick<Invocation, 'print' | 'note'>, Partial<Pick<Invocation, 'ask' | 'colours' | 'terminal'>> {
  env: Record<string, string | undefined>
}

async function askOnTerminal(question: string): Promise<string> {
  // Standard output is only for the command's result.
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return await Promise.race([lines.question(question), once(lines, 'close').then(() => '')])
  } catch (error) {
    // End of input (Ctrl-D, Ctrl-C) is no answer.
    if (hasCode(error, 'ABORT_ERR')) return ''
    throw error
  } finally {
    lines.close()
  }
}

const OWN: Surroundings = {
  env: process.env,
  print: (text) => void process.stdout.write(`${text}\n`),
  note: (text) => void process.stderr.write(`${text}\n`),
  ask:
    process.stdin.isTTY === true && process.stdout.isTTY === true && process.stderr.isTTY === true
      ? askOnTerminal
      : undefined,
  colours: process.stdout.isTTY === true && process.env.TERM !== 'dumb' && !process.env.NO_COLOR,
  terminal:
    process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.TERM !== 'dumb'
      ? { input: process.stdin, output: process.stdout, unicode: showsUnicode(process.env) }
      : undefined,
}

/** By the first of these that is set (POSIX locale variables). */
function showsUnicode({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  return /utf-?8/i.test(LC_ALL || LC_CTYPE || LANG || '')
}

/**
 * Runs one command line.
 *
 * @param argv words after `restante`
 * @returns the exit code; errors were printed
 */
export async function main(
  argv: readonly string[],
  { env, print, note, colours = false, ask, terminal }: Surroundings = OWN,
): Promise<ExitCode> {
  try {
    // A habit from other programs.
    if (argv.length === 1 && argv[0] === '--version') return await main(['version'], { env, print, note })
    const line = readWords(argv)
    const { command, args, values } = parseCommandLine(line, await commandsOf(line.positionals[0]))
    if (command === undefined) {
      const asked = values.help === true
      ;(asked ? print : note)(overview(OVERVIEW))
      return asked ? EXIT.ok : EXIT.usage
    }
    if (values.help === true) {
      print(commandHelp(command))
      return EXIT.ok
    }
    // An empty RESTANTE_CONFIG means none.
    const dir = values.config ?? (env.RESTANTE_CONFIG || undefined)
    const code = await command.run({
      args,
      options: values,
      settings: shellWords([
        ...(dir === undefined ? [] : ['--config', dir]),
        ...(values.set ?? []).flatMap((override) => ['--set', override]),
      ]),
      configDir: dir,
      overrides: values.set ?? [],
      config: () => loadConfig({ dir, set: values.set }),
      ask,
      colours,
      terminal,
      print,
      note,
      commands: allCommands,
      usage: (problem) => usage(problem, command),
    })
    return code ?? EXIT.ok
  } catch (error) {
    const [code, message] = explained(error)
    note(`restante: ${message}`)
    return code
  }
}

function shellWords(words: string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
}

/** Exit code and message of an error. */
function explained(error: unknown): [ExitCode, string] {
  if (error instanceof ConfigError) {
    const problems = error.message.replace(/^/gm, '  ')
    return [EXIT.config, `the settings are wrong:\n${problems}\nAll settings: restante config reference`]
  }
  if (error instanceof UnfitFolderError) return [EXIT.config, `${error.message}.`]
  if (error instanceof SettingError) return [EXIT.failed, error.message]
  if (error instanceof CommandError) return [error.exitCode, error.message]
  return [EXIT.failed, error instanceof Error ? (error.stack ?? error.message) : String(error)]
}
