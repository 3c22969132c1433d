/** Settings from files and the command line, checked as a whole before anything is started with them. */
import { resolve } from 'node:path'
import { crossCheck } from './checks.js'
import { ConfigError } from './errors.js'
import type { ConfigProblem } from './errors.js'
import { configSchema, sectionNames, settingsOf } from './schema.js'
import type { Config } from './schema.js'
import { wordsOf } from './setting.js'
import { readSources } from './sources.js'
import type { Given } from './sources.js'

export interface ConfigSources {
  /** Folder of `<section>.toml` files; files that are missing leave their settings at the defaults. Without it, no file is read. */
  dir?: string | undefined
  /** `section.setting=value`, each over what a file says; of two for one setting the last one counts. */
  set?: readonly string[] | undefined
}

/**
 * Loads and checks all settings. Those that stand for something else are filled in: `server.base_url`, `domains.hostname`; and `server.data_dir` and
 * `domains.dkim_dir` are full paths.
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
    problems.push({ where: given.get(name)?.where ?? 'the default', problem: `${name}: ${problem}` }),
  )
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** The first reading of each given setting that its schema takes; a setting nobody gave is left to its default. */
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
        problems.push({
          where: from.where,
          problem: `${section}.${name} is ${show(from.readings[0])}; it takes ${wordsOf(schema).takes}`,
        })
      }
    }
    values[section] = sectionValues
  }
  return values
}

function fillIn(config: Config): Config {
  const { server, domains } = config
  const dataDir = resolve(server.data_dir)
  return {
    ...config,
    server: { ...server, data_dir: dataDir, base_url: server.base_url || `http://${server.http}` },
    domains: {
      ...domains,
      hostname: domains.hostname || (domains.names[0] ?? ''),
      dkim_dir: resolve(dataDir, domains.dkim_dir),
    },
  }
}

/** A value as it may stand in a message: on one line, and not without end. */
function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}
