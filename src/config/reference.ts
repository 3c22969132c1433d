/** docs/config.md and config/*.toml, made from the schemas. */
import type { z } from 'zod'
import { sectionAbout, sectionNames, settingsOf } from './schema.js'
import type { SectionName } from './schema.js'
import { wordsOf } from './setting/setting.js'
import type { TableKey } from './setting/setting.js'

/** The reference of all settings, as docs/config.md. */
export function configReference(): string {
  return `${INTRODUCTION}\n${sectionNames.map(referenceOf).join('\n')}`
}

const INTRODUCTION = `# Settings

Made by \`restante config reference\` from the schemas in \`src/config\`; change it there.

Settings are read from the folder given with \`--config DIR\` (or in the environment as \`RESTANTE_CONFIG\`). Each section below is one file in that
folder, \`<section>.toml\`; in \`server.toml\` the setting \`server.http\` is written \`http = "127.0.0.1:8080"\`. A file or a setting that is missing has its
default, so an empty folder is a complete configuration, and without \`--config\` no file is read at all. The files in \`config/\` hold every setting,
commented out, to start from.

\`--set server.http=127.0.0.1:9000\` sets one value over the files, and can be given many times. Where a list is taken, one value or several with commas
between them will do: \`--set domains.names=a.example,b.example\`.

An unknown or wrong setting stops the start, with its file, line and what would be right (exit code 78). \`restante config check\` tells the same without
starting. On SIGHUP the files are read again: settings marked *reload* below are taken over, the log names changed ones that need a restart, and when
anything is wrong the daemon keeps the settings it has and says so.
`

function referenceOf(section: SectionName): string {
  const entries = [...settingsOf(section)].map(([name, schema]) => {
    const words = wordsOf(schema)
    const facts = [
      `Takes ${words.takes}.`,
      ...(words.unit === undefined ? [] : [`Counts ${words.unit}.`]),
      defaultWords(schema),
      applied(schema),
    ]
    const keys =
      words.keys === undefined ? '' : `\n${words.keys.map((key) => `- \`${key.name}\`: ${keyWords(key)}`).join('\n')}\n`
    return `### ${section}.${name}\n\n${words.about}\n\n${facts.join(' ')}\n${keys}`
  })
  return `## ${section}\n\n${sectionAbout[section]}\n\n${entries.join('\n')}`
}

function defaultWords(schema: z.ZodDefault<z.ZodType>): string {
  const { otherwise } = wordsOf(schema)
  return `Default: \`${toml(schema.def.defaultValue)}\`${otherwise === undefined ? '' : `, which stands for: ${otherwise}`}.`
}

function keyWords({ about, takes, value }: TableKey): string {
  return `${about} Takes ${takes}. ${value === undefined ? 'Has to be there.' : `Default: \`${toml(value)}\`.`}`
}

function applied(schema: z.ZodType): string {
  return wordsOf(schema).reload ? 'A change takes a *reload*.' : 'A change takes a restart.'
}

/** A file of settings to start from: each one explained, commented out, with its default. */
export function shippedFile(section: SectionName): string {
  const head = wrap(
    `${sectionAbout[section]} Every setting is shown with its default; remove the # in front of one to change it. Read with --config DIR.`,
  )
  const entries = [...settingsOf(section)].map(([name, schema]) => {
    const { about, takes, unit, otherwise, keys } = wordsOf(schema)
    const facts = [
      `Takes ${takes}.`,
      ...(unit === undefined ? [] : [`Unit: ${unit}.`]),
      ...(otherwise === undefined ? [] : [`By default: ${otherwise}.`]),
      applied(schema).replaceAll('*', ''),
    ]
    const shown = keys === undefined ? assignment(name, schema.def.defaultValue) : exampleTable(name, keys)
    return `${wrap(about)}\n${wrap(facts.join(' '))}\n${shown}\n`
  })
  return `${head}\n\n${entries.join('\n')}`
}

/** A list of tables is shown by one of them, since an empty one tells nothing. */
function exampleTable(name: string, keys: TableKey[]): string {
  const lines = keys.map(
    (key) => `${wrap(keyWords(key).replaceAll('`', ''))}\n# ${key.name} = ${toml(key.value ?? key.example)}`,
  )
  return `# [[${name}]]\n${lines.join('\n')}`
}

function assignment(name: string, value: unknown): string {
  const onOneLine = `# ${name} = ${toml(value)}`
  if (onOneLine.length <= WIDTH || !Array.isArray(value)) return onOneLine
  const entries = fill(
    value.map((entry) => `${JSON.stringify(entry)},`),
    '#   ',
  )
  return `# ${name} = [\n${entries}\n# ]`
}

/** The defaults are numbers, texts, booleans and lists of texts; TOML writes these as JSON does. */
function toml(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(toml).join(', ')}]` : JSON.stringify(value)
}

const WIDTH = 100

function wrap(text: string): string {
  return fill(text.split(' '), '# ')
}

function fill(words: string[], prefix: string): string {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(prefix + word)
  }
  return lines.join('\n')
}
