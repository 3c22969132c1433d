/** restante(1), from the table of commands. */
import {
  COMMON,
  EXIT_ABOUT,
  OPTIONS,
  optionsOf,
  type Command,
  type Option,
  type OptionName,
} from '../../src/cli/terminal/command.js'

export function manual(commands: readonly Command[], version: string): string {
  return `${[
    `.TH RESTANTE 1 "" "Restante ${version}"`,
    '.SH NAME',
    'restante \\- mailbox service for software agents',
    '.SH SYNOPSIS',
    '.B restante',
    '.I COMMAND',
    '[\\fIOPTION\\fR ...]',
    '.SH DESCRIPTION',
    plain('Starts, sets up and runs a mailbox service. A new server begins with "restante setup"; the guide is'),
    '.I /usr/share/doc/restante/docs/install.md',
    '.SH OPTIONS OF EVERY COMMAND',
    ...COMMON.flatMap((name) => option(name)),
    '.SH COMMANDS',
    ...commands.flatMap(chapter),
    '.SH EXIT STATUS',
    ...Object.entries(EXIT_ABOUT).flatMap(([code, about]) => ['.TP', `.B ${code}`, plain(about)]),
    '.SH FILES',
    ...[
      ['/etc/restante/*.toml', 'settings; each is explained there'],
      ['/var/lib/restante', 'mail, keys and all else that is kept'],
    ].flatMap(([path = '', about = '']) => ['.TP', `.I ${plain(path)}`, plain(about)]),
  ].join('\n')}\n`
}

function chapter(command: Command): string[] {
  return [
    `.SS ${plain(command.usage)}`,
    plain(command.about),
    ...optionsOf(command)
      .filter((name) => !COMMON.includes(name) || command.abouts?.[name] !== undefined)
      .flatMap((name) => option(name, command.abouts?.[name])),
    '.PP',
    'Examples:',
    '.PP',
    '.nf',
    ...command.examples.map((example) => `    ${plain(example)}`),
    '.fi',
  ]
}

function option(name: OptionName, about?: string): string[] {
  const { short, value, about: general }: Option = OPTIONS[name]
  const forms = [...(short === undefined ? [] : [`-${short}`]), `--${name}`].join(', ')
  return [
    '.TP',
    `\\fB${plain(forms)}\\fR${value === undefined ? '' : ` \\fI${plain(value)}\\fR`}`,
    plain(about ?? general),
  ]
}

/** Text that means nothing to roff. */
function plain(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&')
    .replace(/^\n/gm, '')
}
