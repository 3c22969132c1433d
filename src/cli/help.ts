/** The words of `restante help` and `-h`, made from the table of commands. */
import { COMMON, OPTIONS, optionsOf } from './command.js'
import type { Command, Option, OptionName } from './command.js'

export function overview(commands: readonly Command[]): string {
  return `Restante: a self-hosted mailbox service for software agents.

Usage: restante COMMAND [options]

${columns(commands.map((command) => [signature(command), command.summary]))}

Options of every command:
${optionLines(COMMON)}

Exit codes: 0 done, 1 refused or failed (the message says why), 64 the command line is wrong,
69 the daemon can't be reached, 78 the settings are wrong.`
}

export function commandHelp(command: Command): string {
  return `${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.

Usage: restante ${signature(command)} [options]

${command.about}

Options:
${optionLines(optionsOf(command), command.abouts)}

Examples:
${command.examples.map((example) => `  ${example}`).join('\n')}`
}

function signature(command: Command): string {
  return [command.name, ...command.args].join(' ')
}

function optionLines(names: readonly OptionName[], abouts: Command['abouts'] = {}): string {
  return columns(
    names.map((name) => {
      const option: Option = OPTIONS[name]
      const forms = [...(option.short === undefined ? [] : [`-${option.short}`]), `--${name}`].join(', ')
      return [option.value === undefined ? forms : `${forms} ${option.value}`, abouts[name] ?? option.about]
    }),
  )
}

function columns(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`).join('\n')
}
