/** docs/config.md and config/*.toml, made from the schemas. */
import type { z } from 'zod'
import { sectionAbout, sectionNames, settingsOf, type SectionName } from './schema.js'
import { wordsOf, type TableKey } from './setting/setting.js'

export function configReference(): string {
  return `${INTRODUCTION}\n${sectionNames.map(referenceOf).join('\n')}`
}

const INTRODUCTION = `# Settings

Made by \`restante config reference\` from the schemas in \`src/config\`; change it there.

Settings are read from the folder given with \`--config DIR\` (or in the environment as \`RESTANTE_CONFIG\`). Each section below is one file in that
folder, \`<section>.toml\`; in \`server.toml\` the setting \`server.http\` is written \`http = "127.0.0.1:8080"\`. Missing files and settings have their
defaults, so an empty folder is a complete configuration; without \`--config\` no file is read. The files in \`config/\` are templates with every setting
commented out.

\`--set server.http=127.0.0.1:9000\` overrides one setting, and can be repeated. A list is written as one value or several separated by commas:
\`--set domains.names=a.example,b.example\`.

With an unknown or invalid setting the daemon does not start: it prints file, line and remedy (exit code 78). \`restante config check\` prints the same
without starting. On SIGHUP the files are read again: changes of settings marked *reload* below are applied, the log names changed settings that need a
restart, and if anything is invalid the daemon logs it and keeps its settings.
`

function referenceOf(section: SectionName): string {
  const entries = [...settingsOf(section)].map(([name, schema]) => {
    const words = wordsOf(schema)
    const facts = [
      `Takes ${words.takes}.`,
      ...(words.unit === undefined ? [] : [`Unit: ${words.unit}.`]),
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
  return `Default: \`${toml(schema.def.defaultValue)}\`${otherwise === undefined ? '' : ` (${otherwise})`}.`
}

function keyWords({ about, takes, value }: TableKey): string {
  return `${about} Takes ${takes}. ${value === undefined ? 'Required.' : `Default: \`${toml(value)}\`.`}`
}

function applied(schema: z.ZodType): string {
  return wordsOf(schema).reload ? 'A change needs a *reload*.' : 'A change needs a restart.'
}

/** A template of one settings file: each setting explained, commented out, with its default. */
export function shippedFile(section: SectionName): string {
  const head = wrap(
    `${sectionAbout[section]} Every setting is shown with its default; remove the # in front of one to change it. Use it with --config DIR.`,
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

/** Shows a list of tables by one example, since the default is empty. */
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

/** Defaults are numbers, strings, booleans and lists of strings, which TOML writes like JSON. */
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
