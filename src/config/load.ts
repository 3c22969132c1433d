/** Loads settings from files and the command line, and checks all of them before anything starts. */
import { resolve } from 'node:path'
import type { z } from 'zod'
import { parseHostPort } from '../lib/host-port.js'
import { crossCheck } from './checks.js'
import { ConfigError, type ConfigProblem } from './errors.js'
import { nearest } from './nearest.js'
import { configSchema, sectionNames, settingsOf, type Config } from './schema.js'
import { wordsOf } from './setting/setting.js'
import { readSources, type Given } from './sources.js'

export interface ConfigSources {
  /** Folder of `<section>.toml` files; missing files leave their settings at the defaults. Without it, no file is read. */
  dir?: string | undefined
  /** `section.setting=value`, each overrides the files; the last one for a setting wins. */
  set?: readonly string[] | undefined
}

/**
 * Loads and checks all settings. Derived defaults are filled in (`server.base_url`, `domains.hostname`), and `server.data_dir`, `domains.dkim_dir`
 * and `backup.folder` become full paths.
 *
 * @throws ConfigError with every problem found
 */
export function loadConfig({ dir, set = [] }: ConfigSources = {}): Config {
  const { given, problems } = readSources(dir, set)
  const values = judge(given, problems)
  // Cross-checks read whole values, so they wait until each is right by itself.
  if (problems.length > 0) throw new ConfigError(problems)
  const config = fillIn(configSchema.parse(values))
  crossCheck(config, (name, problem) =>
    problems.push({ where: given.get(name)?.where ?? DEFAULT_PLACE, problem: `${name}: ${problem}` }),
  )
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** Place of a setting that was not given. */
export const DEFAULT_PLACE = 'the default'

/** Place of a setting: `config/smtp.toml:3`, `--set smtp.listen`, or the default. */
export function placeOf({ dir, set = [] }: ConfigSources, name: string): string {
  return readSources(dir, set).given.get(name)?.where ?? 'the default'
}

/** Picks for each given setting the first reading that its schema accepts. */
function judge(given: Map<string, Given>, problems: ConfigProblem[]): Record<string, Record<string, unknown>> {
  const values: Record<string, Record<string, unknown>> = {}
  for (const section of sectionNames) {
    const sectionValues: Record<string, unknown> = {}
    for (const [name, schema] of settingsOf(section)) {
      const from = given.get(`${section}.${name}`)
      if (from === undefined) continue
      const reading = from.readings.find((candidate) => schema.safeParse(candidate).success)
      if (reading !== undefined) {
        sectionValues[name] = reading
      } else {
        problems.push(...wrongIn(`${section}.${name}`, schema, from))
      }
    }
    values[section] = sectionValues
  }
  return values
}

/** Problems of a value: as a whole, or line by line if it is a list of tables. */
function wrongIn(name: string, schema: z.ZodType, { where, readings, lineOfKey }: Given): ConfigProblem[] {
  const { takes, keys } = wordsOf(schema)
  const [value] = readings
  const whole = [{ where, problem: `${name} is ${show(value)}; it takes ${takes}` }]
  if (!keys || !Array.isArray(value)) return whole
  const tables: unknown[] = value
  const problems = (schema.safeParse(value).error?.issues ?? []).flatMap(({ path, code, ...issue }) => {
    const [index, key] = path
    if (typeof index !== 'number') return []
    const table = tables[index]
    const found =
      typeof table === 'object' && table !== null ? new Map<string, unknown>(Object.entries(table)) : undefined
    if (!found) return [{ where, problem: `${name} number ${index + 1} is ${show(table)}; it takes a table` }]
    const at = (line: string): string => lineOfKey?.(index, line) ?? where
    if (code === 'unrecognized_keys' && 'keys' in issue) {
      const names = keys.map((one) => one.name)
      return issue.keys.map((unknown) => {
        const guess = nearest(unknown, names)
        const hint = guess === undefined ? `There are ${names.join(', ')}` : `Did you mean ${guess}?`
        return {
          where: at(unknown),
          problem: `${name} number ${index + 1} has the unknown setting ${unknown}. ${hint}`,
        }
      })
    }
    const known = keys.find((one) => one.name === key)
    if (!known) return []
    const problem = found.has(known.name)
      ? `${known.name} of ${name} number ${index + 1} is ${show(found.get(known.name))}; it takes ${known.takes}`
      : `${name} number ${index + 1} has no ${known.name}; that takes ${known.takes}`
    return [{ where: at(known.name), problem }]
  })
  return problems.length > 0 ? problems : whole
}

function fillIn(config: Config): Config {
  const { server, domains, backup } = config
  const dataDir = resolve(server.data_dir)
  const hostname = domains.hostname || (domains.names[0] ?? '')
  return {
    ...config,
    server: { ...server, data_dir: dataDir, base_url: server.base_url || ownAddress(server, hostname) },
    domains: {
      ...domains,
      hostname,
      dkim_dir: resolve(dataDir, domains.dkim_dir),
    },
    backup: { ...backup, folder: resolve(dataDir, backup.folder) },
  }
}

/** Default of `server.base_url`. */
function ownAddress({ http, https }: Config['server'], hostname: string): string {
  const [first] = https
  if (first === undefined) return `http://${http}`
  const port = parseHostPort(first)?.port ?? 443
  return `https://${hostname}${port === 443 ? '' : `:${port}`}`
}

/** Formats a value for a message: one line of limited length. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
