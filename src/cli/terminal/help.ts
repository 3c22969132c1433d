/** Text of `restante help` and `-h`, generated from the commands. */
import { COMMON, EXIT, EXIT_ABOUT, OPTIONS, optionsOf, type Command, type Option, type OptionName } from './command.js'

export function overview(commands: readonly Pick<Command, 'usage' | 'summary'>[]): string {
  return `Restante: a self-hosted mailbox service for software agents.

Usage: restante COMMAND [options]

${columns(commands.map(({ usage, summary }) => [usage, summary]))}

Options of every command:
${optionLines(COMMON)}

Exit codes:
${columns(Object.entries(EXIT_ABOUT))}

Commands that can't be undone ask first on a terminal; in a script they need --yes, and end with ${EXIT.failed} without it.`
}

export function commandHelp(command: Command): string {
  return `${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}.

Usage: restante ${command.usage} [options]

${command.about}

Options:
${optionLines(optionsOf(command), command.abouts)}

Examples:
${command.examples.map((example) => `  ${example}`).join('\n')}`
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
