/** Setup: checks the answers and makes a plan, then writes files, keys and records. Asks nothing itself. */
import { existsSync, statSync } from 'node:fs'
import { generateMissing, openDkimKeys } from '../../authentication/keys.js'
import { changedSettings, offersStartTls } from '../../config/derived.js'
import { loadConfig } from '../../config/load.js'
import { isSectionName, settingsOf, type Config } from '../../config/schema.js'
import type { Clock } from '../../lib/clock.js'
import { secretFolder } from '../../lib/secret-files.js'
import { checkAnswers, problemsOfFolders, type Answers } from './answers.js'
import {
  chosenSettings,
  planSettings,
  planUnit,
  problemOfFolder,
  problemsOfUnit,
  type Chosen,
  type Places,
  type PlannedFile,
  type Surroundings,
} from './plan.js'
import { problemsOfPlaces } from './unit.js'
import { findUser, changeOwner, makeDataDir, makeUser, problemOfWriting, writeFiles } from './write.js'

export interface Wanted {
  answers: Answers
  places: Places
  systemd: boolean
  /** Further settings, in the form of --set. */
  overrides: readonly string[]
  surroundings: Surroundings
  isRoot: boolean
}

export interface Prepared {
  config: Config
  places: Places
  systemd: boolean
  files: PlannedFile[]
  needsUser: boolean
}

export type Present = ReturnType<typeof presentSettings>

/** Existing settings that differ from the defaults, as defaults for the questions. @throws ConfigError */
export function presentSettings({ root, configDir }: Pick<Places, 'root' | 'configDir'>) {
  const dir = `${root}${configDir}`
  const isThere = statSync(dir, { throwIfNoEntry: false })?.isDirectory() === true
  const config = loadConfig({ dir: isThere ? dir : undefined })
  const changed = new Set(changedSettings(loadConfig(), config).map(({ name }) => name))
  const given = <T>(name: string, value: T): T | undefined => (changed.has(name) ? value : undefined)
  return {
    domains: given('domains.names', config.domains.names),
    hostname: given('domains.hostname', config.domains.hostname),
    operator: given('identity.operator', config.identity.operator),
    baseUrl: given('server.base_url', config.server.base_url),
    dataDir: given('server.data_dir', config.server.data_dir),
  }
}

/**
 * Checks everything, and changes nothing.
 *
 * @returns what would be written, or the problems
 * @throws ConfigError for wrong settings, existing or of the command line
 */
export async function prepare(wanted: Wanted): Promise<Prepared | { problems: string[] }> {
  const { places, systemd, overrides, surroundings, isRoot } = wanted
  const { root, configDir, dataDir } = places
  const { answers, problems } = checkAnswers(wanted.answers)
  problems.push(...problemsOfFolders(configDir, dataDir))
  for (const dir of [configDir, dataDir]) {
    const problem = problemOfFolder(`${root}${dir}`)
    if (problem !== undefined) problems.push(problem)
  }
  if (systemd) {
    problems.push(...problemsOfPlaces(places), ...problemsOfUnit(places))
    if (!isRoot)
      problems.push(
        'creating the user and the unit of the daemon needs root. Run it as root (sudo restante setup), or with --no-systemd',
      )
  }
  if (problems.length > 0) return { problems }
  for (const dir of [configDir, dataDir, ...(systemd ? ['/etc/systemd/system'] : [])]) {
    const problem = await problemOfWriting(`${root}${dir}`)
    if (problem !== undefined && !problems.includes(problem)) problems.push(problem)
  }
  if (problems.length > 0) return { problems }

  const dir = existsSync(`${root}${configDir}`) ? `${root}${configDir}` : undefined
  const sets = (chosen: readonly Chosen[]): string[] => chosen.map(({ name, value }) => `${name}=${value}`)
  const basics = (mailPrograms: boolean): string[] =>
    sets(chosenSettings({ ...answers, mailPrograms }, places, surroundings, []))
  const { mailPrograms = false } = answers
  if (mailPrograms && !offersStartTls(loadConfig({ dir, set: [...basics(false), ...overrides] })))
    return { problems: [NO_CERTIFICATE] }
  const config = loadConfig({ dir, set: [...basics(mailPrograms), ...overrides] })
  const further = overrides.map((override) => valueIn(config, override))
  const settings = planSettings(places, chosenSettings(answers, places, surroundings, further))
  if (settings.problems.length > 0) return { problems: settings.problems }
  const files = [...settings.files, ...(systemd ? planUnit(places) : [])]
  return {
    config,
    places,
    systemd,
    files: files.filter(({ text, current }) => text !== current),
    needsUser: systemd && (await findUser(root)) === undefined,
  }
}

const NO_CERTIFICATE =
  '--mail-programs needs a certificate for the host name, since programs send passwords over TLS only. Let the daemon obtain one, with --set tls.acme=https://acme-v02.api.letsencrypt.org/directory --set tls.acme_terms_agreed=true, or give yours with --set smtp.tls_cert=FILE --set smtp.tls_key=FILE'

/** An override with its parsed value. */
function valueIn(config: Config, override: string): Chosen {
  const name = override.slice(0, override.indexOf('=')).trim()
  const [section = '', key = ''] = name.split('.')
  const values =
    isSectionName(section) && settingsOf(section).has(key)
      ? new Map<string, unknown>(Object.entries(config[section]))
      : undefined
  if (!values) throw new Error(`--set ${override} was accepted, but is no setting`)
  return { name, value: JSON.stringify(values.get(key)) }
}

/** Writes the agreed files, and creates missing user, folders and keys. Can be repeated after a failure. @throws Error with the step that failed */
export async function carryOut(
  { config, places, systemd, needsUser }: Prepared,
  agreed: readonly PlannedFile[],
  { clock }: { clock: Clock },
) {
  const { root, dataDir } = places
  // Files first: a missing permission or a full disk shows there, before anything has changed.
  await writeFiles(agreed)
  const owner = !systemd ? undefined : needsUser ? await makeUser(root, dataDir) : await findUser(root)
  await makeDataDir(`${root}${dataDir}`, owner)
  const dkimDir = `${root}${config.domains.dkim_dir}`
  const keys = await openDkimKeys({ files: secretFolder(dkimDir), clock })
  const madeKeys = await generateMissing(keys, config.domains.names)
  if (owner && madeKeys.length > 0) await changeOwner(dkimDir, owner)
  const domains = config.domains.names
  return {
    written: agreed.map(({ path }) => path),
    madeUser: needsUser,
    madeKeys,
    /** All keys of the domains. */
    keys: keys.list().filter(({ domain }) => domains.includes(domain)),
  }
}
