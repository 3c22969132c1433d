/** Sources of settings: the files of a folder, and `--set` on the command line. Values are only parsed here, not checked. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import { messageOf } from '../lib/thrown.js'
import type { ConfigProblem } from './errors.js'
import { nearest } from './nearest.js'
import { isSectionName, sectionNames, settingsOf, type SectionName } from './schema.js'

/** A setting from a file or the command line. */
export interface Given {
  /** Its file and line, or its `--set`. */
  where: string
  /** Possible values, the likeliest first: a bare word on the command line has no quotes to distinguish text from other values. */
  readings: unknown[]
  /** Place of a line of one of several tables; for a missing line, the beginning of its table. */
  lineOfKey?: (index: number, key: string) => string
}

export interface Sources {
  /** By full name: `smtp.listen`. */
  given: Map<string, Given>
  problems: ConfigProblem[]
}

/**
 * Reads `<dir>/<section>.toml` for every section that has a file, then `--set` over it.
 *
 * @param dir without one, no file is read
 * @param set as written on the command line: `smtp.listen=127.0.0.1:2525`
 */
export function readSources(dir: string | undefined, set: readonly string[]): Sources {
  const sources: Sources = { given: new Map(), problems: [] }
  if (dir !== undefined) readFolder(dir, sources)
  for (const override of set) readOverride(override, sources)
  return sources
}

function readFolder(dir: string, sources: Sources): void {
  let files: string[]
  try {
    files = readdirSync(dir)
      .filter((name) => name.endsWith('.toml'))
      .sort()
  } catch (error) {
    sources.problems.push({ where: dir, problem: `the folder given with --config can't be read: ${messageOf(error)}` })
    return
  }
  for (const file of files) {
    const section = file.slice(0, -'.toml'.length)
    if (isSectionName(section)) {
      readTomlFile(join(dir, file), section, sources)
      continue
    }
    const guess = nearest(section, sectionNames)
    sources.problems.push({
      where: join(dir, file),
      problem: `unknown settings file. ${guess === undefined ? `There are ${fileList()}` : `Did you mean ${guess}.toml?`}`,
    })
  }
}

function readTomlFile(file: string, section: SectionName, sources: Sources): void {
  let text: string
  let values: Record<string, unknown>
  try {
    text = readFileSync(file, 'utf8')
    values = parse(text)
  } catch (error) {
    if (error instanceof TomlError) {
      const [what = 'not readable as TOML'] = error.message.replace(/^Invalid TOML document: /, '').split('\n')
      sources.problems.push({
        where: `${file}:${error.line}`,
        problem: `${what}. A setting is written name = value, with quotes around text`,
      })
    } else {
      sources.problems.push({ where: file, problem: `can't be read: ${messageOf(error)}` })
    }
    return
  }
  const known = settingsOf(section)
  for (const [name, value] of Object.entries(values)) {
    const where = `${file}:${lineOf(text, name)}`
    if (known.has(name)) {
      sources.given.set(`${section}.${name}`, {
        where,
        readings: withLists([value]),
        lineOfKey: (index, key) => `${file}:${lineOfKey(text, name, index, key)}`,
      })
    } else if (name === section) {
      sources.problems.push({
        where,
        problem: `settings in ${section}.toml need no [${section}]. Remove that line`,
      })
    } else {
      sources.problems.push({ where, problem: unknownSetting(section, name) })
    }
  }
}

function readOverride(override: string, sources: Sources): void {
  const match = /^\s*([^=.]+)\.([^=]+?)\s*=(.*)$/s.exec(override)
  const [, section, name, raw] = match ?? []
  if (section === undefined || name === undefined || raw === undefined) {
    sources.problems.push({
      where: `--set ${override}`,
      problem: 'takes the form file.setting=value, such as smtp.listen=127.0.0.1:2525',
    })
    return
  }
  const where = `--set ${section}.${name}`
  if (!isSectionName(section)) {
    const guess = nearest(section, sectionNames)
    sources.problems.push({
      where,
      problem: `there is no ${section}. ${guess === undefined ? `A setting begins with one of ${sectionNames.join(', ')}` : `Did you mean ${guess}.${name}?`}`,
    })
  } else if (!settingsOf(section).has(name)) {
    sources.problems.push({ where, problem: unknownSetting(section, name) })
  } else {
    const bare = raw.trim()
    const value = tomlValue(bare)
    sources.given.set(`${section}.${name}`, {
      where,
      readings: withLists(value === undefined ? [bare] : [value, bare]),
    })
  }
}

function tomlValue(text: string): unknown {
  try {
    const { value, ...others } = parse(`value = ${text}`)
    return Object.keys(others).length === 0 ? value : undefined
  } catch (error) {
    if (error instanceof TomlError) return undefined
    throw error
  }
}

/** Adds the readings for a list: one value, or several separated by commas. */
function withLists(readings: unknown[]): unknown[] {
  const lists = readings
    .filter((value) => !Array.isArray(value))
    .map((value) =>
      typeof value === 'string'
        ? value
            .split(',')
            .map((entry) => entry.trim())
            .filter((entry) => entry !== '')
        : [value],
    )
  return [...readings, ...lists]
}

function unknownSetting(section: SectionName, name: string): string {
  const guess = nearest(name, [...settingsOf(section).keys()])
  if (guess !== undefined) return `there is no ${section}.${name}. Did you mean ${section}.${guess}?`
  const elsewhere = sectionNames.find((other) => settingsOf(other).has(name))
  if (elsewhere !== undefined)
    return `there is no ${section}.${name}. Did you mean ${elsewhere}.${name}, a setting of ${elsewhere}.toml?`
  return `there is no ${section}.${name}. ${section}.toml has ${[...settingsOf(section).keys()].join(', ')}`
}

/** Line of a top-level name. The parser gives no positions; a name inside a multi-line string may be found first, which only makes the number wrong. */
function lineOf(text: string, name: string): number {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const start = new RegExp(`^\\s*\\[{0,2}\\s*(["']?)${escaped}\\1\\s*[=.\\]]`)
  return text.split('\n').findIndex((candidate) => start.test(candidate)) + 1
}

/** The same for a key of the table with this index in a list of tables. */
function lineOfKey(text: string, name: string, index: number, key: string): number {
  const lines = text.split('\n')
  const isHead = (line: string): boolean => /^\s*\[/.test(line)
  const heads = lines.flatMap((line, at) => (line.replace(/#.*/, '').trim() === `[[${name}]]` ? [at] : []))
  const head = heads[index]
  // Written as a list on one line.
  if (head === undefined) return lineOf(text, name)
  const end = lines.findIndex((line, at) => at > head && isHead(line))
  const own = lines.slice(head + 1, end === -1 ? undefined : end)
  return head + 1 + lineOf(own.join('\n'), key)
}

function fileList(): string {
  return sectionNames.map((section) => `${section}.toml`).join(', ')
}
